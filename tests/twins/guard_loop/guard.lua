while true do
  movebyaxis(0, 5120, 10)
  rotatetoaxis(1, 1024, 6)
  movebyaxis(0, -5120, 10)
  rotatetoaxis(1, 0, 6)
  me.hand_item = me.hand_item + 1
  displayhandmodel("BODY", me.pos.vx, me.angle.vy, 0)
end
