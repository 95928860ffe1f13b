print("before")
next_update()
local function wrong()
  actor("CYRUS"):drawsord()
end
wrong()
print("after")
