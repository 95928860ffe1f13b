-- What scripts see. Loaded once for each Lua state, as trusted code, in Luau and in Lua 5.4 alike. The files of this
-- folder are one chunk, in the order of `programs.rs`.
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

