-- Scenarios ------------------------------------------------------------------------------------------------------------

-- While a scenario runs, `wanted` is its position among the declared ones: then declarations are only counted.
local wanted, n_declared, chosen, hooks = nil, 0, nil, {}

local function declaration(is_only)
  return function(name, options, body)
    if body == nil then
      options, body = nil, options
    end
    if wanted then
      n_declared = n_declared + 1
      if n_declared == wanted then
        chosen = body
      end
    else
      host.declare(is_only, name, options, body)
    end
  end
end

local function before_each(hook)
  host.before_each(hook)
  if wanted then
    hooks[#hooks + 1] = hook
  end
end

local function directed(body)
  return function()
    wanted, n_declared, chosen, hooks = host.wanted(), 0, nil, {}
    body()
    local scenario, before = chosen, hooks
    wanted, chosen, hooks = nil, nil, {}
    if scenario then
      host.began()
      for _, hook in ipairs(before) do
        hook()
      end
      scenario()
    end
  end
end

-- `expect(value)`: the value under a key that no script has.
local VALUE, matchers = {}, {}
for _, name in ipairs(host.matchers) do
  matchers[name] = function(self, ...)
    local held = type(self) == "table" and rawget(self, VALUE)
    if not held then
      error(name .. ": call it with a colon: expect(…):" .. name .. "(…)", 2)
    end
    host.expect(name, held[1], ...)
    return self
  end
end
local expectation = {
  __metatable = false,
  __index = function(_, key)
    return matchers[key] or host.unknown_matcher(key)
  end,
}

local function expect(...)
  local n = select("#", ...)
  if n ~= 1 then
    error("expect: expected 1 argument (value), found " .. n, 2)
  end
  return setmetatable({ [VALUE] = { (...) } }, expectation)
end

local function expect_error(f, text)
  if type(f) ~= "function" then
    error("expect_error argument 1 (fn): expected a function, found " .. type(f), 2)
  end
  local ok, problem = safe_pcall(f)
  local raised = host.expect_error(ok, problem, text)
  return raised
end

