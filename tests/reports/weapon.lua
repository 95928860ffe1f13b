-- Faults of other programs with the same job, and what holds here: the weapon.
scene "yard.toml"

scenario("the sword is drawn at its threshold, and shown in the hand in the same update", function()
  local a = actor("A")
  a:drawsword()
  local drawn = false
  for _ = 1, 40 do
    local progress = a.anim.real_frame
    local draws = a.extra_flag == 20 and a.anim.current == 91
    next_update()
    if draws then
      drawn = progress >= 4
    end
    expect(a.weapon_drawn):equals(drawn and 1 or 0)
    expect(a.shown):equals(drawn and "hand" or "hilt")
  end
  expect(drawn):is_true()
end)

for at = 0, 8 do
  scenario("a draw called " .. at .. " updates into a sheath leaves nobody stuck", function()
    local a = actor("A")
    a:drawsword()
    wait_until(function() return a.weapon_drawn == 1 and a.anim.current ~= 91 end, 40)
    updates(30)
    a:sheathsword()
    expect(a:why()):equals("")
    updates(at)
    local putting_away = a:issheathingsword()
    a:drawsword()
    if putting_away == 1 then
      expect(a:why()):contains("drawsword refused: the sword is being put away")
    end
    local in_motion = 0
    for _ = 1, 20 do
      in_motion = a.extra_flag >= 20 and in_motion + 1 or 0
      expect(in_motion):at_most(10)
      next_update()
    end
    if a.weapon_drawn == 0 then
      a:drawsword()
      expect(a:why()):equals("")
    end
    wait_until(function() return a.shown == "hand" end, 20)
    expect(a.extra_flag):equals(0)
  end)
end

scenario("an actor created again in mid-draw begins anew", function()
  local old = actor("A")
  old:drawsword()
  updates(2)
  old:remove()
  local new = spawn("A", "A")
  expect(new):differs(old)
  expect(old:valid()):is_false()
  expect(expect_error(function() return old.shown end)):equals(
    "the actor A was removed in update 2; test a handle with valid() before using it")
  expect(new.shown):equals("none")
  expect(new.extra_flag):equals(0)
  next_update()
  expect(new.weapon_drawn):equals(0)
  expect(new.shown):equals("hilt")
  expect(new.anim.current):differs(91)
end)

scenario("fifty cycles are alike", function()
  local a = actor("A")
  local first = {}
  for cycle = 1, 50 do
    a:drawsword()
    for k = 1, 60 do
      if k == 30 then
        a:sheathsword()
      end
      next_update()
      expect({"hand", "hilt", "hilt_grip"}):contains(a.shown)
      local now = a.shown .. " " .. a.frame .. " " .. a.anim.current
      if cycle == 2 then
        first[k] = now
      elseif cycle > 2 then
        expect(now):equals(first[k])
      end
    end
  end
end)

scenario("position and frame are of the same presentation", function()
  local a = actor("A")
  updates(3)
  for k = 1, 12 do
    a.pos.vx = k * 256
    local frame = a.frame
    next_update()
    -- The scabbard of frame f is at (0, f, 0).
    expect(a.position.x):equals(k)
    expect(a.position.y):equals(frame)
  end
  a:drawsword()
  wait_until(function() return a.weapon_drawn == 1 end, 40)
  for k = 1, 12 do
    a.pos.vx = k * 256
    local frame = a.frame
    next_update()
    -- The grip of frame f is at (f, 0, 0).
    expect(a.position.x):equals(k + frame)
    expect(a.position.y):equals(0)
  end
end)
