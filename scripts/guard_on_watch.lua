-- A guard draws when the player comes near, and puts the sword away when he has gone.
-- Run with: soup386 run scripts/guard_on_watch.lua

local guard = actor("GUARD")
-- Distances are sums of the three differences, 256 to the map unit.
local NEAR, FAR = 12000, 18000

-- The player walks up to the guard, waits there, and walks back. Two tasks of one slot each: both run on their own.
local function walk(units, updates_taken)
  player:pushanimation(1, 1)
  player:movebyaxis(2, units * 256, updates_taken)
end

-- Looks once per update; the draw and the sheath are asked for once each.
local alert = false
local function watch()
  local distance = guard:playerdistance()
  if not alert and distance < NEAR then
    alert = true
    guard:drawsword()
    print("update " .. tick() .. "  the player is " .. distance .. " away: the guard draws")
  elseif alert and distance > FAR then
    guard:sheathsword()
    -- Refused while the draw still goes on: then the next update asks again.
    if guard:why() == "" then
      alert = false
      print("update " .. tick() .. "  the player is " .. distance .. " away: the guard stands down")
    end
  end
end

local function watch_for(n)
  for _ = 1, n do
    watch()
    next_update()
  end
end

walk(70, 60)
watch_for(90)
print("update " .. tick() .. "  the guard's sword: " .. guard.shown)
walk(-70, 60)
watch_for(110)
print("update " .. tick() .. "  the guard's sword: " .. guard.shown)
