-- Two fencers draw, close in and strike in turn; a point that reaches the other's body is a hit, and three hits win.
-- Run with: soup386 run scripts/duel.lua

local fencers = { player, actor("GUARD") }
local hits = { 0, 0 }
local SWING, HIT, DEATH = 92, 117, 123
-- How close, in map units, a point must come to the middle of the body.
local REACH = 22

local function everyone_is_ready()
  for _, fencer in ipairs(fencers) do
    if fencer.weapon_drawn == 0 or fencer:isdrawingsword() == 1 then
      return false
    end
  end
  return true
end

-- The ends of a weapon are in whole map units, positions in 256ths; the body's middle is over its feet.
local function touches(attacker, victim)
  local tip = attacker.tip
  local dx = tip.x - victim.pos.vx // 256
  local dz = tip.z - victim.pos.vz // 256
  return dx * dx + dz * dz <= REACH * REACH
end

-- One stroke: the swing is asked for, and watched until it has ended. True when the point touched.
local function stroke(attacker, victim)
  local touched = false
  attacker:pushanimation(SWING, 1)
  wait_until(function()
    touched = touched or touches(attacker, victim)
    return attacker.anim.current == SWING
  end, 30)
  wait_until(function()
    touched = touched or touches(attacker, victim)
    return attacker.anim.current ~= SWING
  end, 60)
  return touched
end

for _, fencer in ipairs(fencers) do
  fencer:drawsword()
end
wait_until(everyone_is_ready, 90)
print("update " .. tick() .. "  both have drawn")

-- They step towards each other until blades can reach.
fencers[1]:movebyaxis(2, 31 * 256, 20)
fencers[2]:movebyaxis(2, -31 * 256, 20)
updates(22)

-- They look at each other: the guard's heading is half a turn.
local turn = 1
while hits[1] < 3 and hits[2] < 3 do
  local attacker, victim = fencers[turn], fencers[3 - turn]
  if stroke(attacker, victim) then
    hits[turn] = hits[turn] + 1
    print("update " .. tick() .. "  " .. attacker.name .. " hits " .. victim.name .. ", " .. hits[1] .. " to " .. hits[2])
    -- A hit group interrupts whatever the victim does, except what is already pending above it.
    victim:pushanimation(HIT, 1)
    updates(12)
  else
    print("update " .. tick() .. "  " .. attacker.name .. " misses")
  end
  turn = 3 - turn
end

local winner = hits[1] == 3 and 1 or 2
local loser = fencers[3 - winner]
loser:pushanimation(DEATH, 1)
wait_until(function() return loser.anim.current == DEATH end, 60)
fencers[winner]:sheathsword()
wait_until(function() return fencers[winner].weapon_drawn == 0 end, 90)
print("update " .. tick() .. "  " .. fencers[winner].name .. " wins and puts the sword away")
