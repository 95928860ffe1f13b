while true do
  me.weapon_drawn = me.weapon_drawn + 1
  setattribute(60, me.weapon_drawn)
  next_update()
end
