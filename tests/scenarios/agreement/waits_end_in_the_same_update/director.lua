local a = player
print(tick())
next_update()
print(tick())
updates(3)
print(tick())
a:drawsword()
wait_until(function() return a.weapon_drawn == 1 end, 60)
print(tick(), a.shown, a.shown_model, a:why())
a:drawsword()
print(a:why())
for _ = 1, 2 do
  next_update()
  print(tick(), a.hand_pos.vx, a.hand_pos.vy, a.hand_pos.vz, a.hand_type, a.hand_length)
end
wait_until(function() return false end, 3)
