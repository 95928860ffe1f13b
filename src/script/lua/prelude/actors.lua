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

