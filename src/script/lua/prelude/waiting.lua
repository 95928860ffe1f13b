-- Flags --------------------------------------------------------------------------------------------------------------

local flags = setmetatable({}, {
  __metatable = false,
  __index = function(_, key) return host.flag_read(key) end,
  __newindex = function(_, key, value) host.flag_write(key, value) end,
})
protected[flags] = true

-- Waiting --------------------------------------------------------------------------------------------------------------

local function next_update()
  suspend("next_update")
end

local function updates(count)
  for _ = 1, host.integer("updates", 1, "n", count) do
    suspend("updates")
  end
end

local function wait_until(condition, max)
  if type(condition) ~= "function" then
    error("wait_until argument 1 (fn): expected a function, found " .. type(condition), 2)
  end
  max = host.integer("wait_until", 2, "max", max)
  for waited = 0, max do
    if condition() then
      return
    end
    if waited < max then
      suspend("wait_until")
    end
  end
  error("wait_until: still not true after " .. tostring(max) .. " updates", 2)
end

