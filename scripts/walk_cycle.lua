-- A walk of one's own: the body moves while a foot pushes and rests while the feet pass, once round a square.
-- Run with: soup386 run scripts/walk_cycle.lua

local fencer = player
local WALK = 1
local STRIDE, SIDE = 2 * 256, 30

-- Heading 0 looks along Z; a quarter turn is 512.
local FORWARD = { [0] = { 0, 1 }, [512] = { 1, 0 }, [1024] = { 0, -1 }, [1536] = { -1, 0 } }

-- The walking group shows eight frames, and the feet pass each other in the second and the sixth: no push there.
local function pushes()
  local frame = fencer.anim.frame % 8
  return fencer.anim.current == WALK and frame ~= 1 and frame ~= 5
end

local function walk_a_side()
  local way = FORWARD[fencer.angle.vy]
  local steps = 0
  while steps < SIDE do
    -- The group leaves at an exit when the default wants its turn; asked for again it goes on.
    if fencer.anim.current ~= WALK and fencer.anim.next ~= WALK then
      fencer:pushanimation(WALK, 1)
    end
    if pushes() then
      fencer.pos.vx = fencer.pos.vx + way[1] * STRIDE
      fencer.pos.vz = fencer.pos.vz + way[2] * STRIDE
      steps = steps + 1
    end
    next_update()
  end
end

next_update()
for side = 1, 4 do
  walk_a_side()
  print("update " .. tick() .. "  side " .. side .. " ends at " .. fencer.pos.vx .. " " .. fencer.pos.vz
    .. ", heading " .. fencer.angle.vy)
  local goal = (fencer.angle.vy + 512) % 2048
  fencer:rotatetoaxis(1, goal, 8)
  wait_until(function() return fencer.angle.vy == goal end, 20)
end
print("update " .. tick() .. "  back at " .. fencer.pos.vx .. " " .. fencer.pos.vz .. ", heading " .. fencer.angle.vy)
wait_until(function() return fencer.anim.current == 0 end, 60)
print("update " .. tick() .. "  at ease")
