local a, b = actor("A"), actor("B")
local function place(name)
  local found = a:attachment(name)
  local p, m = found.position, found.matrix
  print(name, math.floor(p.x), math.floor(p.y), math.floor(p.z), #m, m[5] > 0.99, m[3] < -0.99)
end
print(table.concat(a:attachments(), " "), #b:attachments())
place("hat")
a.pos.vx = 5120
place("HAT")
a:emit("hat", "sparks")
next_update()
place("Hat")
local wrong = {
  function() a:attachment("hut") end,
  function() a:attachment("hand_r") end,
  function() b:attachment("hat") end,
  function() a:attachment(5) end,
  function() a:attachment() end,
  function() a:attachment(string.rep("x", 300)) end,
  function() a:emit("hut", "sparks") end,
  function() a:emit("hat") end,
  function() a:emit("hat", 7) end,
}
for _, f in ipairs(wrong) do
  local ok, problem = pcall(f)
  print(ok and "no error" or (string.gsub(problem, "^[^:]*:%d+: ", "")))
end
b:remove()
b:attachments()
