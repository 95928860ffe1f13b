-- What a script has ------------------------------------------------------------------------------------------------------

-- What all scripts share.
local base = {
  scene = host.scene,
  scenario = declaration(false),
  only = declaration(true),
  before_each = before_each,
  expect = expect,
  expect_error = expect_error,
  golden = host.golden,
  skip = host.skip,
  assert = assert,
  error = error,
  ipairs = ipairs,
  next = next,
  pairs = ordered_pairs,
  pcall = safe_pcall,
  rawequal = rawequal,
  rawget = rawget,
  rawlen = rawlen,
  rawset = safe_rawset,
  select = select,
  setmetatable = safe_setmetatable,
  getmetatable = getmetatable,
  tonumber = safe_tonumber,
  tostring = safe_tostring,
  type = type,
  typeof = typeof,
  unpack = safe_table.unpack,
  xpcall = safe_xpcall,
  string = read_only(safe_string, "string"),
  table = read_only(safe_table, "table"),
  math = read_only(safe_math, "math"),
  coroutine = read_only(safe_coroutine, "coroutine"),
  utf8 = safe_utf8 and read_only(safe_utf8, "utf8"),
  bit32 = bit32 and read_only(bit32, "bit32"),
  print = print,
  log = read_only(log, "log"),
  actor = host.actor,
  find = host.find,
  actors = host.actors,
  spawn = function(template, name)
    charge(64 * 256)
    return host.spawn(template, name)
  end,
  tick = host.tick,
  next_update = next_update,
  updates = updates,
  wait_until = wait_until,
  flags = flags,
  attr = looked_up("attr", host.attribute_constant),
  item = looked_up("item", host.item_id),
}
host.set_string_metatable({ __index = safe_string, __metatable = false })

-- Functions on the own actor are made when an actor script first names them.
local function own_function(env, me, key)
  if key == "multitask" then
    return multitask_of(me)
  end
  local method = method_named(key)
  if method == nil then
    return nil
  end
  local native = task_ids[key]
  local own
  if native then
    own = function(...)
      local result = call_task(3, me, native, ...)
      return result
    end
  else
    own = function(...)
      return method(me, ...)
    end
  end
  rawset(env, key, own)
  return own
end

local function make_require(env)
  local loaded, loading = {}, {}
  return function(name)
    local value = loaded[name]
    if value ~= nil then
      return value
    end
    if loading[name] then
      error("require: module " .. tostring(name) .. " requires itself, or failed when it was first required", 2)
    end
    local chunk = host.load_module(name, env)
    loading[name] = true
    value = chunk()
    loading[name] = nil
    if value == nil then
      value = true
    end
    loaded[name] = value
    return value
  end
end

-- The globals of one script: its own table over what all share.
local function new_environment(me)
  local env = {}
  env._G = env
  env.require = make_require(env)
  if me then
    env.me = me
  end
  return setmetatable(env, {
    __metatable = false,
    __index = function(_, key)
      local value = base[key]
      if value ~= nil then
        return value
      end
      if key == "player" then
        return host.player()
      end
      return me and own_function(env, me, key)
    end,
  })
end

-- A body, or a run of on_update, as the runtime starts it. Where variables can be closed, they must be when the body
-- fails: the runtime would close them without any protection.
local function guarded(body)
  if not host.guards_bodies then
    return body
  end
  return function()
    local ok, problem = xpcall(body, host.remember)
    if not ok then
      error(problem, 0)
    end
  end
end

