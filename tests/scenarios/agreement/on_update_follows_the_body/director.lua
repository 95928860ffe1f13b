local count = 0

function on_update()
  count = count + 1
  print("on_update", tick(), count)
  if tick() == 6 then
    next_update()
    print("waited", tick())
  end
end

print("body", tick())
updates(2)
print("body ends", tick())
