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

