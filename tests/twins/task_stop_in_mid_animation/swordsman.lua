while true do
  local push = multitask.pushanimation(129, 3)
  wait(3)
  push:stop()
  pushanimation(91, 1)
  wait(2)
end
