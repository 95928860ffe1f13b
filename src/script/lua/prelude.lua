-- What scripts see. Loaded once for each Lua state, as trusted code, in Luau and in Lua 5.4 alike.
--
-- `host` holds the functions that the runtime lends. Waiting has to be written here, because only Lua code can yield:
-- a wait yields WAIT to the runtime, which resumes the script in a later update.
local host = ...

local error, pcall, xpcall, select, type, tostring = error, pcall, xpcall, select, type, tostring
local rawget, rawset, setmetatable, getmetatable, next = rawget, rawset, setmetatable, getmetatable, next
local rawequal, ipairs, tonumber = rawequal, ipairs, tonumber
local string, table, math, coroutine = string, table, math, coroutine
local yield, resume, status, isyieldable = coroutine.yield, coroutine.resume, coroutine.status, coroutine.isyieldable
local pack = table.pack
local unpack = table.unpack
local current_line = host.current_line
local WAIT = host.wait_token

-- Suspends the running script until the runtime resumes it. `name` is what wanted to wait.
local function suspend(name)
  if not isyieldable() then
    error(name .. ": cannot wait here; a script can wait in its body and in functions it calls, but not inside a"
      .. " metamethod, or a function handed to table.sort or string.gsub", 3)
  end
  yield(WAIT)
end

-- Read-only tables -------------------------------------------------------------------------------------------------

local protected = setmetatable({}, { __mode = "k" })

local function read_only(content, name)
  local function refuse(_, key)
    error(name .. "." .. tostring(key) .. " cannot be changed: " .. name .. " is shared by all scripts", 2)
  end
  local proxy = setmetatable({}, { __index = content, __newindex = refuse, __metatable = false })
  protected[proxy] = true
  return proxy
end

-- A read-only table of names in which an unknown name is an error.
local function names(content, name, kind)
  local function missing(_, key)
    error("there is no " .. kind .. " " .. tostring(key) .. host.close_name(content, tostring(key)), 2)
  end
  return read_only(setmetatable(content, { __index = missing }), name)
end

-- Actors -------------------------------------------------------------------------------------------------------------

local properties, natives, task_natives, extras = host.properties, host.natives, host.task_natives, host.extras
local read, write, start, is_me = host.read, host.write, host.start, host.is_me
local methods = {}
local DECLARED, MULTITASK = 0, 1

-- A task called as declared. On the own actor it holds the script until the runtime finds it done.
local function call_task(level, self, native, ...)
  local mine = is_me(self)
  if mine and not isyieldable() then
    error(task_natives[native] .. ": cannot wait here; a script can wait in its body and in functions it calls, but not"
      .. " inside a metamethod, or a function handed to table.sort or string.gsub", level)
  end
  start(self, native, DECLARED, current_line(level), ...)
  if mine then
    yield(WAIT)
  end
  return 0
end

local task_methods = {}
local function task_method(actor, serial, op)
  return host.task(op, actor, serial)
end
for _, op in ipairs({ "stop", "pause", "resume", "active" }) do
  task_methods[op] = function(self)
    return task_method(self[1], self[2], op)
  end
end
local task_handle = { __index = task_methods, __metatable = false, __tostring = function() return "task" end }

-- `multitask.wait(10)` and `actor:multitask():wait(10)`: tasks that do not hold the script.
local function multitask_of(actor)
  local proxy = {}
  return setmetatable(proxy, {
    __metatable = false,
    __index = function(_, key)
      local native = host.native_id(key)
      return function(first, ...)
        local serial
        if rawequal(first, proxy) then
          serial = start(actor, native, MULTITASK, current_line(2), ...)
        elseif first == nil and select("#", ...) == 0 then
          serial = start(actor, native, MULTITASK, current_line(2))
        else
          serial = start(actor, native, MULTITASK, current_line(2), first, ...)
        end
        return setmetatable({ actor, serial }, task_handle)
      end
    end,
  })
end

for name, native in next, natives do
  methods[name] = native
end
for native, name in next, task_natives do
  methods[name] = function(self, ...)
    local result = call_task(3, self, native, ...)
    return result
  end
end
for name, method in next, host.actor_methods do
  methods[name] = method
end
function methods.multitask(self)
  return multitask_of(host.live(self))
end

-- `actor.hand_pos.vx`, `actor.grip[0]`: a group of properties is a small table that remembers its actor.
local groups = {}
local function property_id(key)
  local id = properties[key]
  if id == nil and type(key) == "string" then
    id = properties[string.lower(key)]
  end
  return id
end
local function make_group(prefix)
  local members = {}
  local function id_of(key)
    local id = members[key]
    if id == nil then
      local name = type(key) == "number" and prefix .. "[" .. tostring(math.floor(key)) .. "]" or prefix .. "." .. tostring(key)
      id = property_id(name)
      if id == nil then
        local inner = groups[string.lower(name)]
        if inner == nil then
          host.unknown_property(name)
        end
        id = inner
      end
      members[key] = id
    end
    return id
  end
  return {
    __metatable = false,
    __index = function(self, key)
      local id = members[key] or id_of(key)
      if type(id) == "table" then
        return setmetatable({ rawget(self, 1) }, id)
      end
      return read(rawget(self, 1), id)
    end,
    __newindex = function(self, key, value)
      local id = members[key] or id_of(key)
      if type(id) == "table" then
        host.unknown_property(prefix .. "." .. tostring(key))
      end
      write(rawget(self, 1), id, value)
    end,
    -- `move` is a group of properties and a function: `actor.move.vx` and `actor:move(…)`.
    __call = function(_, self, ...)
      local method = methods[prefix]
      if method == nil then
        error(prefix .. " is a group of properties, not a function", 2)
      end
      return method(self, ...)
    end,
  }
end
for _, prefix in ipairs(host.groups) do
  groups[prefix] = make_group(prefix)
end

local function index_slow(self, key)
  if extras[key] then
    return host.extra(self, key)
  end
  local lower = type(key) == "string" and string.lower(key) or key
  if groups[lower] then
    return setmetatable({ host.live(self) }, groups[lower])
  end
  if methods[lower] then
    return methods[lower]
  end
  local id = property_id(key)
  if id == nil then
    host.unknown_property(key)
  end
  return read(self, id)
end

host.set_actor_metatable({
  __metatable = false,
  __index = function(self, key)
    if not groups[key] then
      local method = methods[key]
      if method then
        return method
      end
      local id = properties[key]
      if id and not extras[key] then
        return read(self, id)
      end
    end
    return index_slow(self, key)
  end,
  __newindex = function(self, key, value)
    local id = property_id(key)
    if id == nil or extras[key] then
      host.cannot_write(key)
    end
    write(self, id, value)
  end,
  __tostring = host.describe,
})

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

-- The standard library, bounded ----------------------------------------------------------------------------------------

local charge, string_limit = host.charge, host.string_limit

-- Errors of natives are objects of the runtime; scripts get them as texts with their place.
local function with_text(ok, problem, ...)
  if not ok and type(problem) == "userdata" then
    return false, host.error_text(problem)
  end
  return ok, problem, ...
end

local function safe_pcall(f, ...)
  return with_text(pcall(f, ...))
end

local function safe_xpcall(f, handler, ...)
  return with_text(xpcall(f, function(problem, ...)
    if type(problem) == "userdata" then
      problem = host.error_text(problem)
    end
    return handler(problem, ...)
  end, ...))
end

-- A coroutine that the script made may wait too: its wait passes through whoever resumed it.
local function pass_waits(co, results)
  while results[1] and rawequal(results[2], WAIT) and status(co) ~= "dead" do
    suspend("coroutine.resume")
    results = pack(resume(co))
  end
  return results
end

local function safe_resume(co, ...)
  local results = pass_waits(co, pack(resume(co, ...)))
  return with_text(unpack(results, 1, results.n))
end

local function safe_wrap(f)
  local co = coroutine.create(f)
  return function(...)
    local results = pass_waits(co, pack(resume(co, ...)))
    if results[1] then
      return unpack(results, 2, results.n)
    end
    local problem = results[2]
    if type(problem) == "userdata" then
      problem = host.error_text(problem)
    end
    error(problem, 0)
  end
end

-- Work that grows with its input is paid for in steps before it is done.
local function sized(f)
  return function(s, ...)
    if type(s) == "string" then
      if #s > string_limit then
        error("the text has " .. #s .. " bytes; string functions take at most " .. string_limit, 2)
      end
      if #s > 1024 then
        charge(#s)
      end
    end
    return f(s, ...)
  end
end

local function listed(f)
  return function(t, ...)
    if type(t) == "table" and #t > 1024 then
      charge(#t)
    end
    return f(t, ...)
  end
end

local safe_string = {}
for name, f in next, string do
  safe_string[name] = sized(f)
end
safe_string.dump = nil
if host.guard_pattern then
  for _, name in ipairs({ "find", "match", "gmatch", "gsub" }) do
    local f = safe_string[name]
    safe_string[name] = function(s, pattern, ...)
      host.guard_pattern(s, pattern)
      return f(s, pattern, ...)
    end
  end
end
function safe_string.rep(s, n, sep)
  local size = type(n) == "number" and (#tostring(s) + #tostring(sep or "")) * n or 0
  if size > string_limit then
    error("string.rep: the result would have more than " .. string_limit .. " bytes", 2)
  end
  charge(size)
  return string.rep(s, n, sep)
end
function safe_string.format(form, ...)
  local size = #tostring(form)
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    size = size + (type(value) == "string" and #value or 100)
  end
  if size > string_limit then
    error("string.format: the result would have more than " .. string_limit .. " bytes", 2)
  end
  charge(size)
  return string.format(form, ...)
end
if safe_string.pack then
  local raw_pack = string.pack
  function safe_string.pack(form, ...)
    for width in string.gmatch(tostring(form), "%d+") do
      if (tonumber(width) or 0) > 1024 then
        error("string.pack: a width above 1024", 2)
      end
    end
    return raw_pack(form, ...)
  end
end

local safe_table = {}
for name, f in next, table do
  safe_table[name] = listed(f)
end
function safe_table.concat(t, sep, i, j)
  if type(t) ~= "table" then
    return table.concat(t, sep, i, j)
  end
  i, j = i or 1, j or #t
  local size, gap = 0, #tostring(sep or "")
  for k = i, j do
    local value = t[k]
    if type(value) == "string" then
      size = size + #value
    elseif type(value) == "number" then
      size = size + 24
    else
      break
    end
    size = size + gap
    if size > string_limit then
      error("table.concat: the result would have more than " .. string_limit .. " bytes", 2)
    end
  end
  charge(size)
  return table.concat(t, sep, i, j)
end
local function spanning(name, first, last)
  local f = table[name]
  if f then
    safe_table[name] = function(...)
      local from, to = select(first, ...), select(last, ...)
      if type(from) == "number" and type(to) == "number" and to > from then
        charge(to - from)
      end
      return f(...)
    end
  end
end
if table.move then
  spanning("move", 2, 3)
end
spanning("unpack", 2, 3)
if table.create then
  function safe_table.create(n, value)
    if type(n) == "number" and n > 0 then
      charge(n)
    end
    return table.create(n, value)
  end
end

local safe_math = {}
for name, f in next, math do
  safe_math[name] = f
end
local function no_random()
  error("math.random is not available: rnd(n) and quickrnd(m) draw from the scene's seed", 2)
end
safe_math.random, safe_math.randomseed, safe_math.noise = no_random, no_random, nil

local safe_coroutine = {
  create = coroutine.create,
  resume = safe_resume,
  wrap = safe_wrap,
  yield = yield,
  status = status,
  running = coroutine.running,
  isyieldable = isyieldable,
  close = coroutine.close,
}

-- Keys in an order that is the same in every run: numbers ascending, then texts by their bytes, then the rest.
local function ordered_keys(t)
  local numbers, texts, rest = {}, {}, {}
  for key in next, t do
    local list = type(key) == "number" and numbers or type(key) == "string" and texts or rest
    list[#list + 1] = key
  end
  table.sort(numbers)
  table.sort(texts)
  for _, list in ipairs({ texts, rest }) do
    for _, key in ipairs(list) do
      numbers[#numbers + 1] = key
    end
  end
  return numbers
end

local function ordered_pairs(t)
  if type(t) ~= "table" then
    error("pairs argument 1 (table): expected a table, found " .. type(t), 2)
  end
  local keys, at = ordered_keys(t), 0
  return function()
    while true do
      at = at + 1
      local key = keys[at]
      if key == nil then
        return nil
      end
      local value = t[key]
      if value ~= nil then
        return key, value
      end
    end
  end, t, nil
end

local function safe_rawset(t, key, value)
  if protected[t] then
    error("rawset: the table is shared by all scripts", 2)
  end
  return rawset(t, key, value)
end

local function safe_setmetatable(t, metatable)
  if type(metatable) == "table" and rawget(metatable, "__gc") ~= nil then
    error("setmetatable: __gc is not available", 2)
  end
  return setmetatable(t, metatable)
end

local function print(...)
  local parts = {}
  for i = 1, select("#", ...) do
    parts[i] = tostring((select(i, ...)))
  end
  host.print(safe_table.concat(parts, "\t"))
end

local log = {}
for _, level in ipairs({ "info", "warn", "error" }) do
  log[level] = function(...)
    local parts = {}
    for i = 1, select("#", ...) do
      parts[i] = tostring((select(i, ...)))
    end
    host.log(level, safe_table.concat(parts, "\t"))
  end
end

local base = {
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
  tonumber = tonumber,
  tostring = tostring,
  type = type,
  typeof = typeof,
  unpack = safe_table.unpack,
  xpcall = safe_xpcall,
  string = read_only(safe_string, "string"),
  table = read_only(safe_table, "table"),
  math = read_only(safe_math, "math"),
  coroutine = read_only(safe_coroutine, "coroutine"),
  utf8 = utf8 and read_only(utf8, "utf8"),
  bit32 = bit32 and read_only(bit32, "bit32"),
  print = print,
  log = read_only(log, "log"),
  actor = host.actor,
  find = host.find,
  actors = host.actors,
  spawn = host.spawn,
  tick = host.tick,
  next_update = next_update,
  updates = updates,
  wait_until = wait_until,
  flags = flags,
  attr = names(host.attributes, "attr", "attribute"),
  item = read_only(setmetatable({}, { __index = function(_, key) return host.item_id(key) end }), "item"),
}
host.set_string_metatable({ __index = safe_string, __metatable = false })

-- Functions on the own actor are made when an actor script first names them.
local function own_function(env, me, key)
  if key == "multitask" then
    return multitask_of(me)
  end
  local method = methods[key]
  if method == nil then
    return nil
  end
  local native = host.task_ids[key]
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
      error("require: module " .. tostring(name) .. " requires itself", 2)
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
return function(me)
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
