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

-- A read-only table whose values are looked up when they are first used.
local function looked_up(name, look_up)
  local function found(content, key)
    local value = look_up(key)
    content[key] = value
    return value
  end
  return read_only(setmetatable({}, { __index = found }), name)
end

-- Actors -------------------------------------------------------------------------------------------------------------

local properties, extras = host.properties, host.extras
local read, write, start, is_me = host.read, host.write, host.start, host.is_me
local DECLARED, MULTITASK = 0, 1

-- A task called as declared. On the own actor it holds the script until the runtime finds it done.
local function call_task(level, self, native, ...)
  local mine = is_me(self)
  if mine and not isyieldable() then
    error(host.native_name(native) .. ": cannot wait here; a script can wait in its body and in functions it calls, but not"
      .. " inside a metamethod, or a function handed to table.sort or string.gsub", level)
  end
  start(self, native, DECLARED, ...)
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
          serial = start(actor, native, MULTITASK, ...)
        elseif first == nil and select("#", ...) == 0 then
          serial = start(actor, native, MULTITASK)
        else
          serial = start(actor, native, MULTITASK, first, ...)
        end
        return setmetatable({ actor, serial }, task_handle)
      end
    end,
  })
end

-- Functions of actors by name. A native is made when a script first names it, since there are hundreds.
local methods, task_ids = host.actor_methods, {}
function methods.multitask(self)
  return multitask_of(host.live(self))
end
local function method_named(key)
  local method = methods[key]
  if method == nil then
    local task
    method, task = host.native(key)
    if task then
      task_ids[key] = task
      method = function(self, ...)
        local result = call_task(3, self, task, ...)
        return result
      end
    end
    if method then
      methods[key] = method
    end
  end
  return method
end

-- `actor.hand_pos.vx`, `actor.grip[0]`: a group of properties is a small table that remembers its actor, under a key
-- that no script has.
local groups, ACTOR = {}, {}
-- A name as it is looked up. No name is as long as the texts that it would take long to lower.
local function lowered(key)
  return type(key) == "string" and #key < 256 and string.lower(key) or key
end
local function property_id(key)
  local id = properties[key]
  if id == nil then
    id = properties[lowered(key)]
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
        local inner = groups[lowered(name)]
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
        return setmetatable({ [ACTOR] = rawget(self, ACTOR) }, id)
      end
      return read(rawget(self, ACTOR), id)
    end,
    __newindex = function(self, key, value)
      local id = members[key] or id_of(key)
      if type(id) == "table" then
        host.unknown_property(prefix .. "." .. tostring(key))
      end
      write(rawget(self, ACTOR), id, value)
    end,
    -- `move` is a group of properties and a function: `actor.move.vx` and `actor:move(…)`.
    __call = function(_, self, ...)
      local method = method_named(prefix)
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

-- What most names of an actor are, each found with one look: functions that were named before, and properties that are
-- nothing else.
local usual, plain, writable = {}, {}, {}
for name, id in next, properties do
  if not extras[name] then
    writable[name] = id
    plain[name] = not groups[name] and not methods[name] and id or nil
  end
end
for _, name in ipairs(host.shadowed) do
  plain[name] = nil
end

local function index_slow(self, key)
  if extras[key] then
    return host.extra(self, key)
  end
  local lower = lowered(key)
  if groups[lower] then
    return setmetatable({ [ACTOR] = host.live(self) }, groups[lower])
  end
  local method = method_named(lower)
  if method then
    usual[lower] = method
    return method
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
    local method = usual[key]
    if method then
      return method
    end
    local id = plain[key]
    if id then
      return read(self, id)
    end
    return index_slow(self, key)
  end,
  __newindex = function(self, key, value)
    local id = writable[key]
    if id == nil then
      id = property_id(key)
      if id == nil or extras[key] then
        host.cannot_write(key)
      end
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

local charge, string_limit, caught = host.charge, host.string_limit, host.caught

-- What a script catches passes through `caught`, which raises a spent budget again.
local function with_text(ok, problem, ...)
  if not ok then
    return false, caught(problem)
  end
  return ok, problem, ...
end

local function safe_pcall(f, ...)
  return with_text(pcall(f, ...))
end

local function safe_xpcall(f, handler, ...)
  return with_text(xpcall(f, function(problem, ...)
    return handler(caught(problem), ...)
  end, ...))
end

-- Coroutines that scripts made: only these can be yielded from, and not the body of the script.
local made = setmetatable({}, { __mode = "k" })

local function safe_create(f)
  local co = coroutine.create(f)
  made[co] = true
  return co
end

local function safe_yield(...)
  local running = coroutine.running()
  if not (running and made[running]) then
    error("coroutine.yield: this is the script's own body, not a coroutine it made; wait with next_update()", 2)
  end
  return yield(...)
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
  local co = safe_create(f)
  return function(...)
    local results = pass_waits(co, pack(resume(co, ...)))
    if results[1] then
      return unpack(results, 2, results.n)
    end
    error(caught(results[2]), 0)
  end
end

-- Addresses differ from run to run, so scripts do not see them.
local ADDRESS = "^%a+: 0?x?%x+$"
local function safe_tostring(value)
  local text = tostring(value)
  local kind = type(value)
  if kind ~= "string" and kind ~= "number" and string.find(text, ADDRESS) then
    return kind
  end
  return text
end

local function texts_of(...)
  local parts = pack(...)
  for i = 1, parts.n do
    parts[i] = safe_tostring(parts[i])
  end
  return parts
end

local function number_or(default, value)
  value = tonumber(value)
  return value and value == value and value or default
end

-- Work that grows with its input is paid for in steps before it is done; `charge` takes bytes.
local function check_text(name, s)
  if #s > string_limit then
    error(name .. ": the text has " .. #s .. " bytes; string functions take at most " .. string_limit, 3)
  end
end

local function linear(name, f)
  return function(s, ...)
    if type(s) == "string" then
      check_text(name, s)
      charge(#s)
    end
    return f(s, ...)
  end
end

local safe_string = { len = string.len, sub = string.sub, char = string.char, packsize = string.packsize }
for _, name in ipairs({ "lower", "upper", "reverse", "unpack" }) do
  safe_string[name] = linear("string." .. name, string[name])
end
for name, f in next, host.patterns do
  safe_string[name] = f
end
function safe_string.byte(s, i, j)
  if j ~= nil then
    charge(#tostring(s) * 16)
  end
  return string.byte(s, i or 1, j or i or 1)
end
if string.split then
  function safe_string.split(s, separator)
    if type(s) == "string" then
      check_text("string.split", s)
      charge(#s * (1 + #tostring(separator or ",")))
    end
    return string.split(s, separator)
  end
end
function safe_string.rep(s, n, sep)
  local size = (#tostring(s) + #tostring(sep or "")) * number_or(0, n)
  if size > string_limit then
    error("string.rep: the result would have more than " .. string_limit .. " bytes", 2)
  end
  charge(size)
  return string.rep(s, n, sep)
end
function safe_string.format(form, ...)
  local values = pack(...)
  local size = #tostring(form)
  for i = 1, values.n do
    local value = values[i]
    if type(value) ~= "number" and type(value) ~= "string" and type(value) ~= "boolean" and value ~= nil then
      value = safe_tostring(value)
      values[i] = value
    end
    size = size + (type(value) == "string" and #value or 100)
  end
  if size > string_limit then
    error("string.format: the result would have more than " .. string_limit .. " bytes", 2)
  end
  charge(size)
  if string.find(string.gsub(tostring(form), "%%%%", ""), "%%[^%a%%]*p") then
    error("string.format: %p is not available: addresses differ from run to run", 2)
  end
  return string.format(form, unpack(values, 1, values.n))
end
if string.pack then
  function safe_string.pack(form, ...)
    for width in string.gmatch(tostring(form), "%d+") do
      if (tonumber(width) or 0) > 1024 then
        error("string.pack: a width above 1024", 2)
      end
    end
    charge(#tostring(form))
    return string.pack(form, ...)
  end
end

local safe_utf8 = utf8 and {}
if utf8 then
  for name, f in next, utf8 do
    safe_utf8[name] = type(f) == "function" and linear("utf8." .. name, f) or f
  end
end

local function safe_tonumber(value, base)
  -- No number is longer, and reading a text takes as long as it is long.
  if type(value) == "string" and #value > 1000 then
    return nil
  end
  if base == nil then
    return tonumber(value)
  end
  return tonumber(value, base)
end

-- Moving a value costs as much as 16 bytes.
local VALUE = 16
local MOST_RESULTS = 50000
local safe_table = {}

local function own_table(name, t)
  if protected[t] then
    error("table." .. name .. ": the table is shared by all scripts", 3)
  end
  if type(t) ~= "table" then
    error("table." .. name .. " argument 1 (table): expected a table, found " .. type(t), 3)
  end
end

function safe_table.insert(t, ...)
  own_table("insert", t)
  if select("#", ...) == 2 then
    charge((#t - number_or(0, (...))) * VALUE)
  end
  return table.insert(t, ...)
end
function safe_table.remove(t, ...)
  own_table("remove", t)
  if select("#", ...) > 0 then
    charge((#t - number_or(0, (...))) * VALUE)
  end
  return table.remove(t, ...)
end
function safe_table.sort(t, order)
  own_table("sort", t)
  local n = #t
  charge(n > 1 and n * math.log(n) / math.log(2) * VALUE or 0)
  return table.sort(t, order)
end
function safe_table.concat(t, sep, i, j)
  own_table("concat", t)
  i, j = i or 1, j or #t
  local size, gap, parts = 0, #tostring(sep or ""), {}
  for k = i, j do
    local value = t[k]
    if type(value) ~= "string" and type(value) ~= "number" then
      error("table.concat: place " .. tostring(k) .. " holds a " .. type(value) .. ", not a text or number", 2)
    end
    parts[#parts + 1] = value
    size = size + (type(value) == "string" and #value or 24) + gap
    if size > string_limit then
      error("table.concat: the result would have more than " .. string_limit .. " bytes", 2)
    end
  end
  charge(size)
  return table.concat(parts, sep)
end
function safe_table.unpack(t, i, j)
  own_table("unpack", t)
  local last = j == nil and #t or j
  local span = number_or(0, last) - number_or(1, i)
  if span > MOST_RESULTS then
    error("table.unpack: more than " .. MOST_RESULTS .. " results", 2)
  end
  charge(span * VALUE)
  return unpack(t, i or 1, last)
end
safe_table.pack = pack
function safe_table.move(from, i, j, at, to)
  own_table("move", from)
  if to ~= nil then
    own_table("move", to)
  end
  charge((number_or(0, j) - number_or(0, i)) * VALUE)
  return table.move(from, i, j, at, to or from)
end
if table.create then
  function safe_table.create(n, value)
    charge(number_or(0, n) * VALUE)
    return table.create(n, value)
  end
end
if table.find then
  function safe_table.find(t, value, init)
    own_table("find", t)
    charge((#t - number_or(1, init)) * VALUE)
    return table.find(t, value, init)
  end
end
for _, name in ipairs({ "clone", "clear", "freeze", "isfrozen" }) do
  local f = table[name]
  if f then
    safe_table[name] = function(t)
      own_table(name, t)
      return f(t)
    end
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

-- Closing runs the `__close` handlers of a coroutine, those of one that a spent budget ended without any budget.
local function safe_close(co)
  charge(0)
  return with_text(coroutine.close(co))
end

local safe_coroutine = {
  create = safe_create,
  resume = safe_resume,
  wrap = safe_wrap,
  yield = safe_yield,
  status = status,
  running = coroutine.running,
  isyieldable = isyieldable,
  close = safe_close,
}

-- Keys in an order that is the same in every run: numbers ascending, then texts by their bytes, then the rest.
local function ordered_keys(t)
  local numbers, texts, rest = {}, {}, {}
  for key in next, t do
    local list = type(key) == "number" and numbers or type(key) == "string" and texts or rest
    list[#list + 1] = key
  end
  safe_table.sort(numbers)
  safe_table.sort(texts)
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
  if type(metatable) == "table" and (rawget(metatable, "__gc") ~= nil or rawget(metatable, "__close") ~= nil) then
    error("setmetatable: __gc and __close are not available", 2)
  end
  return setmetatable(t, metatable)
end

local function print(...)
  host.print(safe_table.concat(texts_of(...), "\t"))
end

local log = {}
for _, level in ipairs({ "info", "warn", "error" }) do
  log[level] = function(...)
    host.log(level, safe_table.concat(texts_of(...), "\t"))
  end
end

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

-- Sessions -------------------------------------------------------------------------------------------------------------

-- How a session shows a value: what is in tables too, as far as it helps.
local MOST_SHOWN, DEEPEST_SHOWN = 64, 4

local function described(value, depth)
  if type(value) == "string" and depth > 0 then
    return string.format("%q", value)
  end
  if type(value) ~= "table" or depth == DEEPEST_SHOWN or getmetatable(value) ~= nil then
    return safe_tostring(value)
  end
  local parts, n_listed = {}, 0
  for i, element in ipairs(value) do
    if i > MOST_SHOWN then
      break
    end
    n_listed = i
    parts[i] = described(element, depth + 1)
  end
  for _, key in ipairs(ordered_keys(value)) do
    local is_listed = type(key) == "number" and key >= 1 and key <= n_listed and key % 1 == 0
    if #parts >= MOST_SHOWN then
      parts[MOST_SHOWN + 1] = "…"
      break
    elseif not is_listed then
      local name = type(key) == "string" and key or "[" .. described(key, depth + 1) .. "]"
      parts[#parts + 1] = name .. " = " .. described(value[key], depth + 1)
    end
  end
  return "{" .. safe_table.concat(parts, ", ") .. "}"
end

local function shown(body)
  return function()
    local values = pack(body())
    for i = 1, values.n do
      values[i] = described(values[i], 0)
    end
    if values.n > 0 then
      host.print(safe_table.concat(values, "\t"))
    end
  end
end

return new_environment, guarded, directed, shown
