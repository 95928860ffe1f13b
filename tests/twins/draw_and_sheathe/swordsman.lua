while true do
  drawsword()
  waitanimframe(91, 2)
  wait(8)
  sheathsword()
  wait(40)
end
