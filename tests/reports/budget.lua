-- Faults of other programs with the same job, and what holds here: scripts that will not end.
scene "greedy.toml"

scenario("a script that swallows its budget ends, and the others go on", {allow_script_errors = true}, function()
  updates(5)
  expect(flags.before):equals(5)
  expect(flags.after):equals(5)
end)

scenario("a handle of a removed actor says when it was removed", {allow_script_errors = true}, function()
  local a = actor("AFTER")
  next_update()
  a:remove()
  updates(3)
  expect(flags.after):equals(1)
  local why = "the actor AFTER was removed in update 1; test a handle with valid() before using it"
  expect(expect_error(function() return a.pos.vx end)):equals(why)
  expect(expect_error(function() a.pos.vx = 1 end)):equals(why)
  expect(expect_error(function() a:drawsword() end)):equals(why)
  expect(expect_error(function() a:wait(1) end)):equals(why)
  expect(expect_error(function() a:why() end)):equals(why)
  expect(a:valid()):is_false()
  expect(find("AFTER")):equals(nil)
end)
