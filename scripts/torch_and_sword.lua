-- One hand, two things: a torch in the hand keeps the sword at the hip, and the other way round.
-- Run with: soup386 run scripts/torch_and_sword.lua

local fencer = player

local function tell(what)
  local reason = fencer:why()
  if reason ~= "" then
    what = what .. ": " .. reason
  end
  print("update " .. tick() .. "  " .. what)
  print("           hand_item " .. fencer.hand_item .. ", sword " .. fencer.shown .. ", drawn " .. fencer.weapon_drawn)
end

updates(2)
fencer:handitem(item.torch)
tell("the torch is taken")

-- A draw with something in the hand is refused, again and again: nothing takes the torch out of the hand by itself.
fencer:drawsword()
tell("a draw with the torch in the hand")
fencer:handitem(0)
tell("no item has the number 0, so this changes nothing")
fencer.hand_item = 0
fencer:drawsword()
tell("a draw once the property is cleared")
wait_until(function() return fencer.weapon_drawn == 1 end, 60)

-- With the sword out the torch is refused.
fencer:handitem(item.torch)
tell("the torch while the sword is out")

wait_until(function() return fencer:isdrawingsword() == 0 end, 60)
fencer:sheathsword()
wait_until(function() return fencer:isholdingweapon() == 0 end, 60)
fencer:handitem(item.torch)
tell("the torch once the weapon is no longer held")
wait_until(function() return fencer:issheathingsword() == 0 end, 60)
tell("at the end")
