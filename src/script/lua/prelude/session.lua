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
