-- Draws the player's sword, holds it, puts it away, and says what happens to it on the way.
-- Run with: soup386 run scripts/draw_and_sheathe.lua

local fencer = player
local last

-- Prints a line whenever the sword is shown in another way.
local function report()
  local shown = fencer.shown
  if shown ~= last then
    local at = fencer.hand_pos
    print(string.format(
      "update %3d  %-9s %-7s at (%.1f, %.1f, %.1f)",
      tick(), shown, fencer.shown_model or "-", at.vx / 256, at.vy / 256, at.vz / 256))
    last = shown
  end
end

-- Lets updates pass, reporting, until `done` says so.
local function watch_until(what, done)
  wait_until(function()
    report()
    return done()
  end, 120)
  print(string.format("update %3d  %s", tick(), what))
end

updates(5)
fencer:drawsword()
watch_until("the sword is in the hand", function()
  return fencer.weapon_drawn == 1
end)

-- A second draw is refused, and says why.
fencer:drawsword()
print("           " .. fencer:why())

watch_until("the fencer stands on guard", function()
  return fencer:isdrawingsword() == 0
end)
updates(20)
fencer:sheathsword()
watch_until("the sword is home", function()
  return fencer.weapon_drawn == 0
end)
watch_until("the fencer is at ease", function()
  return fencer:issheathingsword() == 0
end)
updates(5)
report()
