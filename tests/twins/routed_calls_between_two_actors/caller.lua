local other = actor("OTHER")
while true do
  other:movebyaxis(0, 2560, 5)
  me.hand_item = other:getattribute(60)
  other:setattribute(60, 7)
  other.hand_item = other.hand_item + 2
  wait(9)
end
