-- Faults of other programs with the same job, and what holds here: jumps out of a group.
scene "future.toml"

for type = 0, 2 do
  scenario("the frame is never -1 when a group of type " .. type .. " is left", function()
    local a = actor("T" .. type)
    a:pushanimation(20, 0)
    updates(2)
    a:pushanimation(21, 0)
    local left = false
    for _ = 1, 12 do
      next_update()
      expect({0, 1, 2, 3}):contains(a.frame)
      -- A taken jump shows its target in the same update.
      if a.anim.current == 20 and a.anim.frame == 3 then
        expect(a.frame):equals(2)
      end
      left = left or a.anim.current == 21
    end
    expect(left):is_true()
  end)
end
