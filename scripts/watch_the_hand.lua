-- Follows the hand through a draw: where the sword is, how it is turned, and how far it went in each update.
-- Run with: soup386 run scripts/watch_the_hand.lua

local fencer = player
local highest, highest_at, furthest, furthest_at

-- Positions count 256 to the map unit with Y down; angles count 2048 to the turn.
local function row(moved)
  local at, angle = fencer.hand_pos, fencer.hand_angle
  print("update " .. tick() .. "  " .. fencer.shown .. "  frame " .. fencer.anim.real_frame
    .. "  at " .. at.vx .. " " .. at.vy .. " " .. at.vz
    .. "  turned " .. angle.vx .. " " .. angle.vy .. " " .. angle.vz
    .. "  moved " .. moved)
end

local function difference(a, b)
  return math.abs(a.vx - b.vx) + math.abs(a.vy - b.vy) + math.abs(a.vz - b.vz)
end

-- A copy: `hand_pos` itself always shows the present.
local function copy(at)
  return { vx = at.vx, vy = at.vy, vz = at.vz }
end

updates(2)
fencer:drawsword()
local before = copy(fencer.hand_pos)
repeat
  next_update()
  local now = copy(fencer.hand_pos)
  local moved = difference(now, before)
  if moved > 0 then
    row(moved)
  end
  if furthest == nil or moved > furthest then
    furthest, furthest_at = moved, tick()
  end
  if highest == nil or now.vy < highest then
    highest, highest_at = now.vy, tick()
  end
  before = now
until fencer.weapon_drawn == 1 and fencer:isdrawingsword() == 0
print("highest " .. highest .. " in update " .. highest_at .. ", longest way " .. furthest .. " in update " .. furthest_at)
