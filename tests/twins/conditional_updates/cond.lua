while true do
  me.hand_item = 254
  for _ = 1, 3 do
    -- What is compared is not narrowed, what is stored is.
    local stepped = me.hand_item + 1
    me.hand_item = stepped
    if stepped == 256 then
      me.weapon_drawn = me.weapon_drawn + 1
    end
    next_update()
  end
end
