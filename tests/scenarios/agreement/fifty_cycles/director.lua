while true do
  local k = tick() % 40
  if k == 2 then
    actor("A"):drawsword()
  end
  if k == 12 then
    actor("A"):sheathsword()
  end
  next_update()
end
