-- A thousand guards in rank and file draw in a wave that runs through the ranks, and put their swords away together.
-- Run with: soup386 run scripts/parade.lua

local RANKS, FILES = 25, 40
local STEP = 40 * 256

local ranks = {}
for rank = 1, RANKS do
  ranks[rank] = {}
  for file = 1, FILES do
    local guard = spawn("GUARD", "guard " .. rank .. "." .. file)
    guard.pos.vx = file * STEP
    guard.pos.vz = rank * STEP
    ranks[rank][file] = guard
  end
end
print("update " .. tick() .. "  " .. #actors() .. " actors stand on the square")

local function count(wanted)
  local n = 0
  for _, guards in ipairs(ranks) do
    for _, guard in ipairs(guards) do
      if guard.shown == wanted then
        n = n + 1
      end
    end
  end
  return n
end

local function report()
  print("update " .. tick() .. "  in the hand " .. count("hand") .. ", at the hip " .. count("hilt") .. ", between " .. count("hilt_grip"))
end

next_update()
-- One rank per update: the wave needs as many updates as there are ranks.
for _, guards in ipairs(ranks) do
  for _, guard in ipairs(guards) do
    guard:drawsword()
  end
  next_update()
end
report()
updates(40)
report()
for _, guards in ipairs(ranks) do
  for _, guard in ipairs(guards) do
    guard:sheathsword()
  end
end
updates(30)
report()
updates(30)
report()
