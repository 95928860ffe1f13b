-- The entry of the program counts in every update; its main body waits.
local waiting = nil
while true do
  me.hand_item = me.hand_item + 1
  if not (waiting and waiting:active()) then
    me.weapon_drawn = me.weapon_drawn + 3
    waiting = multitask.wait(4)
  end
  next_update()
end
