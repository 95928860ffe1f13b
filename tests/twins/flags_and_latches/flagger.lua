while true do
  setglobalflag(0)
  setglobalflag(1)
  setglobalflag(2)
  me.hand_item = flags.door * 8 + flags.lever * 4 + flags.locks + testglobalflag(0) * 64 + testglobalflag(2) * 128
  next_update()
  if testglobalflag(2) == 1 and flags.lever == 1 then
    resetglobalflag(0)
  end
  flags.level = flags.level % 1024 * 3 + 1
  me.weapon_drawn = flags.level
  next_update()
end
