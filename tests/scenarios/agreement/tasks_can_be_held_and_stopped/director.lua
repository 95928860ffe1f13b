local a = actor("CYRUS")
local one = a:multitask():wait(10)
local two = a:multitask():wait(4)
print(one:active(), two:active())
for _ = 1, 5 do
  next_update()
end
print(one:active(), two:active())
print(one:pause(), two:pause())
updates(10)
print(one:active())
print(one:resume())
updates(8)
print(one:active(), one:stop())
-- All calls of a director are new sites: six slots, and no seventh.
for _ = 1, 7 do
  print(a:multitask():wait(30):active())
end
print(a:why())
print(a:wait(3), a:why())
a:killmytasks()
print(a:wait(3))
