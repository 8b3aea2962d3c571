--- The state of a run after a step, as lines with colours.

local M = {}

--- Texts are cut after `WIDTH` characters. A list shows its first `ITEMS` items, and only the number of the others.
local WIDTH = 200
local ITEMS = 100

local escapes = { ['\n'] = '\\n', ['\r'] = '\\r', ['\t'] = '\\t', ['"'] = '\\"', ['\\'] = '\\\\' }

---@param text string
---@return string
local function quoted(text)
  if #text > WIDTH then
    text = vim.fn.strcharpart(text, 0, WIDTH) .. '…'
  end
  local escaped = text:gsub('[%c"\\]', function(character)
    return escapes[character] or ('\\u%04x'):format(character:byte())
  end)
  return '"' .. escaped .. '"'
end

--- A key before its value. It is quoted only if it would break the line.
---@param key any
---@return string
local function named(key)
  local text = tostring(key)
  return (text:find('%c') and quoted(text) or text) .. ':'
end

---@param value any
---@return string
local function scalar(value)
  if type(value) == 'string' then
    return quoted(value)
  elseif value == vim.NIL or value == nil then
    return 'null'
  elseif type(value) == 'table' then
    return getmetatable(value) and '{}' or '[]'
  elseif type(value) == 'number' and value % 1 == 0 and math.abs(value) < 1e15 then
    return ('%d'):format(value)
  end
  return tostring(value)
end

---@param value any
---@return boolean
local function has_parts(value)
  return type(value) == 'table' and next(value) ~= nil
end

---@param lines string[]
---@param indent string
---@param head string the text before the value, with its mark
---@param value any
local function write(lines, indent, head, value)
  if not has_parts(value) then
    table.insert(lines, indent .. head .. ' ' .. scalar(value))
    return
  end
  table.insert(lines, indent .. head)
  local inner = indent .. '  '
  if vim.islist(value) then
    for index, item in ipairs(value) do
      if index > ITEMS then
        table.insert(lines, ('%s… %d more'):format(inner, #value - ITEMS))
        break
      end
      write(lines, inner, '-', item)
    end
    return
  end
  for key, item in vim.spairs(value) do
    write(lines, inner, named(key), item)
  end
end

---@param spent table
---@return string
local function used(spent)
  local tokens = (spent.input_tokens or 0) + (spent.output_tokens or 0)
  local parts = {}
  if tokens > 0 then
    table.insert(parts, ('%d tokens'):format(tokens))
  end
  if (spent.cost_usd or 0) > 0 then
    table.insert(parts, ('%.5f USD'):format(spent.cost_usd))
  end
  return table.concat(parts, ', ')
end

---@param change table
---@return string sign, string group
local function sort_of(change)
  if change.before == nil then
    return '+', 'NodewiseAdded'
  elseif change.after == nil then
    return '-', 'NodewiseRemoved'
  end
  return '~', 'NodewiseChanged'
end

---@class nodewise.Coloured
---@field lines string[]
---@field groups table<integer, string> the highlight group of a line, from 1

--- The lines of a state.
---@param state table the answer of `nodewise.stateAt`
---@param node? string the node that the step is about
---@return nodewise.Coloured
function M.render(state, node)
  local lines, groups = {}, {}
  local head = { ('event %d of %d'):format(state.event + 1, state.events), ('%d ms'):format(state.at) }
  for _, part in ipairs({ node or '', used(state.spent or {}) }) do
    if part ~= '' then
      table.insert(head, part)
    end
  end
  table.insert(lines, table.concat(head, ' · '))
  groups[1] = 'NodewiseHead'
  for _, change in ipairs(state.changes) do
    local sign, group = sort_of(change)
    local value = change.after
    if value == nil then
      value = change.before
    end
    local first = #lines + 1
    write(lines, '', sign .. ' ' .. named(change.key), value)
    for line = first, #lines do
      groups[line] = group
    end
  end
  for _, graph in ipairs(state.graphs) do
    table.insert(lines, '')
    table.insert(lines, ('%sgraph %s'):format(('  '):rep(graph.depth), graph.graph))
    groups[#lines] = 'NodewiseHead'
    if not has_parts(graph.state) then
      table.insert(lines, ('  '):rep(graph.depth + 1) .. '(empty)')
    end
    for key, value in vim.spairs(graph.state) do
      write(lines, ('  '):rep(graph.depth + 1), named(key), value)
    end
  end
  return { lines = lines, groups = groups }
end

return M
