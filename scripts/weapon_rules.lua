-- Ten scenarios on the weapon rules, each in a world of its own. The ids are those of docs/rules.md.
-- Run with: soup386 test scripts/weapon_rules.lua

local fencer, guard

before_each(function()
  fencer, guard = player, actor("GUARD")
  updates(2)
end)

-- Draws and waits until the animation has ended.
local function draw(who)
  who:drawsword()
  wait_until(function() return who.weapon_drawn == 1 and who:isdrawingsword() == 0 end, 60)
end

scenario("a draw moves the sword from the hip to the hand (W10, W12)", { tags = { "draw" } }, function()
  expect(fencer.shown):equals("hilt")
  fencer:drawsword()
  wait_until(function() return fencer.weapon_drawn == 1 end, 60)
  expect(fencer.shown):equals("hand")
  expect(fencer.shown_model):equals("SABRE")
end)

scenario("the sword is not drawn before the threshold (W12)", { tags = { "draw" } }, function()
  fencer:drawsword()
  while fencer.weapon_drawn == 0 do
    expect(fencer.shown):equals("hilt")
    next_update()
  end
  expect(fencer.anim.real_frame):at_least(fencer:attribute("attr_draw_frame"))
end)

scenario("a second draw is refused while the first goes on (W10)", { tags = { "draw" } }, function()
  fencer:drawsword()
  next_update()
  fencer:drawsword()
  expect(fencer:why()):contains("drawsword refused")
end)

scenario("nothing is drawn without a weapon (W6, W10)", { tags = { "draw" } }, function()
  fencer:setattribute(attr.weapon, 0)
  fencer:drawsword()
  updates(40)
  expect(fencer.weapon_drawn):equals(0)
  expect(fencer.shown):equals("none")
end)

scenario("a sheath brings it home again (W14, W12)", { tags = { "sheath" } }, function()
  draw(fencer)
  fencer:sheathsword()
  wait_until(function() return fencer.weapon_drawn == 0 end, 60)
  expect(fencer.shown):equals("hilt_grip")
  wait_until(function() return fencer:issheathingsword() == 0 end, 60)
  updates(1)
  expect(fencer.shown):equals("hilt")
end)

scenario("a draw during a sheath is refused, and works afterwards (W10)", { tags = { "sheath" } }, function()
  draw(fencer)
  fencer:sheathsword()
  updates(3)
  fencer:drawsword()
  expect(fencer:why()):contains("drawsword refused")
  wait_until(function() return fencer:issheathingsword() == 0 end, 60)
  draw(fencer)
  expect(fencer.shown):equals("hand")
end)

scenario("a torch in the hand keeps the sword at the hip (W10, W16)", { tags = { "hand item" } }, function()
  fencer:handitem(item.torch)
  fencer:drawsword()
  expect(fencer:why()):contains("hand_item = 4")
  expect(fencer.hand_item):equals(item.torch)
end)

scenario("a drawn sword keeps the torch out of the hand (W16)", { tags = { "hand item" } }, function()
  draw(fencer)
  fencer:handitem(item.torch)
  expect(fencer:why()):contains("handitem refused")
  expect(fencer.hand_item):equals(0)
end)

scenario("the point follows the hand (A6, E1)", function()
  draw(guard)
  local tip = guard.tip
  expect(tip):differs(nil)
  guard:pushanimation(92, 1)
  wait_until(function() return guard.anim.current == 92 end, 30)
  updates(6)
  local dx, dy, dz = guard.tip.x - tip.x, guard.tip.y - tip.y, guard.tip.z - tip.z
  expect(dx * dx + dy * dy + dz * dz):at_least(100)
end)

scenario("wrong arguments say what is wrong", function()
  expect_error(function() fencer:handitem("sabre") end, "handitem argument 1")
  expect_error(function() fencer:handitem() end, "handitem")
  expect(fencer.hand_item):equals(0)
end)
