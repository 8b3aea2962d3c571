--- The graph around the cursor as text, in a split: each node with its targets and their conditions. Also with marks: what
--- changed, the path of a finding, what happens to a state key.

local requests = require('nodewise.requests')
local windows = require('nodewise.windows')

local M = {}

local namespace = vim.api.nvim_create_namespace('nodewise.graph')

--- The text for kinds of edges that are followed for another reason than their condition.
local reasons = {
  rejection = 'rejected',
  violation = 'violation',
  fallback = 'otherwise',
  worker = 'each item',
  handOver = 'hands over',
}

--- The text before the condition of an edge.
local prefixes = { conditional = 'when ', personality = 'when ', discovery = 'finds: ', exit = 'on ' }

--- The line style of special edges: `┄` for errors and fallbacks, `·` for tools and workers of the node.
local tails = { rejection = '┄', violation = '┄', fallback = '┄', worker = '·', tool = '·' }

---@class nodewise.GraphLine
---@field text string
---@field location? lsp.Location
---@field parts [string, integer, integer][]

--- The texts of the marks of a node or an edge.
---@param part table
---@return string[]
local function marks_of(part)
  local notes = {}
  for _, mark in ipairs(part.marks or {}) do
    if mark.text ~= '' then
      table.insert(notes, mark.kind == 'step' and 'step ' .. mark.text or mark.text)
    end
  end
  return notes
end

--- The numbers of errors and of other problems in a node or an edge, as texts.
---@param part table
---@return string[]
local function problems_of(part)
  local notes, others = {}, part.problems - part.errors
  if part.errors > 0 then
    table.insert(notes, part.errors == 1 and '1 error' or part.errors .. ' errors')
  end
  if others > 0 then
    table.insert(notes, others == 1 and '1 warning or hint' or others .. ' warnings and hints')
  end
  return notes
end

--- Finds the tools that are shown in the lines of the nodes that call them, because no other edge leads to them or
--- leaves them. Returns their labels by the calling node, and the set of these tools.
---@param graph table
---@return table<string, string[]> called, table<string, boolean> folded
local function tools_of(graph)
  local called, folded, labels, has_others = {}, {}, {}, {}
  for _, node in ipairs(graph.nodes) do
    labels[node.id] = node.label
  end
  for _, edge in ipairs(graph.edges) do
    has_others[edge.from] = true
    has_others[edge.to] = has_others[edge.to] or edge.kind ~= 'tool'
  end
  for _, edge in ipairs(graph.edges) do
    if edge.kind == 'tool' and not has_others[edge.to] then
      folded[edge.to] = true
      called[edge.from] = called[edge.from] or {}
      table.insert(called[edge.from], labels[edge.to] or edge.to)
    end
  end
  return called, folded
end

--- Details of a node, in addition to its name and kind.
---@param node table
---@param tools? string[]
---@return string[]
local function notes_of(node, tools)
  local notes = marks_of(node)
  if tools then
    table.insert(notes, 'tools ' .. table.concat(tools, ', '))
  end
  for _, key in ipairs({ 'reads', 'writes' }) do
    if #node[key] > 0 then
      table.insert(notes, key .. ' ' .. table.concat(node[key], ', '))
    end
  end
  vim.list_extend(notes, problems_of(node))
  if node.unreachable then
    table.insert(notes, 'unreachable')
  end
  return notes
end

---@param node table
---@param width integer
---@param is_start boolean
---@param tools? string[]
---@return nodewise.GraphLine
local function node_line(node, width, is_start, tools)
  local label = (is_start and '▶ ' or '  ') .. node.label
  local padding = (' '):rep(width - vim.fn.strdisplaywidth(node.label) + 2)
  local kind = node.role == 'unknown' and node.kind == '' and 'not declared' or node.kind
  local words = { node.runs and kind .. ' → ' .. node.runs or kind }
  vim.list_extend(words, notes_of(node, tools))
  local group = (node.errors > 0 or node.role == 'unknown') and 'NodewiseFails' or 'NodewiseHead'
  return {
    text = label .. padding .. table.concat(words, '  · '),
    location = node.location,
    parts = { { group, 0, #label }, { 'NodewiseReads', #label, -1 } },
  }
end

---@param edge table
---@param label string
---@param is_last boolean
---@return nodewise.GraphLine
local function edge_line(edge, label, is_last)
  local head = ('    %s%s▶ %s'):format(is_last and '└' or '├', tails[edge.kind] or '─', label)
  local reason = reasons[edge.kind] or edge.condition and (prefixes[edge.kind] or '') .. edge.condition
  local words = vim.list_extend(vim.list_extend({ reason }, marks_of(edge)), problems_of(edge))
  local text = #words > 0 and head .. '  ' .. table.concat(words, '  · ') or head
  return {
    text = text,
    location = edge.location,
    parts = { { edge.errors > 0 and 'NodewiseFails' or 'NodewiseEdge', #head, -1 } },
  }
end

--- The edges that leave each node, and the nodes where runs start.
---@param graph table
---@param folded table<string, boolean> tools without a line
---@return table<string, table[]> leaving, table<string, boolean> begun
local function edges_of(graph, folded)
  local leaving, begun, is_start = {}, {}, {}
  for _, node in ipairs(graph.nodes) do
    leaving[node.id] = {}
    is_start[node.id] = node.role == 'start'
  end
  for _, edge in ipairs(graph.edges) do
    begun[edge.to] = begun[edge.to] or is_start[edge.from]
    if not (edge.kind == 'tool' and folded[edge.to]) then
      table.insert(leaving[edge.from] or {}, edge)
    end
  end
  return leaving, begun
end

--- The lines of a graph.
---@param graph table the answer of `nodewise.graph`
---@return nodewise.GraphLine[]
function M.lines(graph)
  local labels, width = {}, 0
  for _, node in ipairs(graph.nodes) do
    labels[node.id] = node.label
    width = math.max(width, vim.fn.strdisplaywidth(node.label))
  end
  local called, folded = tools_of(graph)
  local leaving, begun = edges_of(graph, folded)
  local lines = { { text = graph.title, parts = { { 'NodewiseHead', 0, -1 } } } }
  for _, node in ipairs(graph.nodes) do
    if (node.role == 'node' or node.role == 'unknown') and not folded[node.id] then
      table.insert(lines, node_line(node, width, begun[node.id] or false, called[node.id]))
      for index, edge in ipairs(leaving[node.id]) do
        table.insert(lines, edge_line(edge, labels[edge.to] or edge.to, index == #leaving[node.id]))
      end
    end
  end
  return lines
end

---@param bufnr integer
---@param lines nodewise.GraphLine[]
local function fill(bufnr, lines)
  local texts = vim.tbl_map(function(line)
    -- Names can have several lines.
    return (line.text:gsub('%c', ' '))
  end, lines)
  windows.fill(bufnr, texts)
  for row, line in ipairs(lines) do
    windows.colour(bufnr, namespace, row - 1, line.parts)
  end
end

--- Shows lines in a split. `<CR>` goes to their places.
---@param lines nodewise.GraphLine[]
---@param answering vim.lsp.Client
---@param source integer the window of the text
---@param bufnr integer
local function show(lines, answering, source, bufnr)
  local shown = windows.scratch('nodewise://graph', 'nodewise-graph')
  local window = windows.open(shown, { split = 'right', win = source, width = math.floor(vim.o.columns * 0.5) }, true)
  fill(shown, lines)
  vim.keymap.set('n', '<CR>', function()
    local location = lines[vim.api.nvim_win_get_cursor(0)[1]].location
    if location then
      windows.go(location, answering.offset_encoding, source)
    end
  end, { buffer = shown, desc = 'nodewise: go to the node or the edge' })
  vim.keymap.set('n', 'q', function()
    windows.close(window, bufnr)
  end, { buffer = shown, nowait = true, desc = 'nodewise: close the graph' })
end

--- The place of the cursor, for a request.
---@return table
local function here()
  local server = requests.client(vim.api.nvim_get_current_buf())
  return server and vim.lsp.util.make_position_params(0, server.offset_encoding) or vim.empty_dict()
end

--- Requests the graph at the cursor, and shows it.
function M.open()
  local source = vim.api.nvim_get_current_win()
  local bufnr = vim.api.nvim_get_current_buf()
  requests.execute('nodewise.graph', here(), function(answer, answering)
    if not answer then
      return vim.notify('nodewise: no graph at the cursor', vim.log.levels.WARN)
    end
    show(M.lines(answer), answering, source, bufnr)
  end, bufnr)
end

--- Requests a graph with marks, and shows what they say before the graph.
---@param argument table
---@param bufnr integer
---@param nothing? string the message if there is no graph with such marks
function M.marked(argument, bufnr, nothing)
  local source = vim.api.nvim_get_current_win()
  requests.execute('nodewise.markGraph', argument, function(answer, answering)
    if not answer then
      return vim.notify('nodewise: ' .. (nothing or 'the finding has no path any more'), vim.log.levels.WARN)
    end
    local lines = { { text = answer.title .. ': ' .. answer.summary, parts = { { 'NodewiseHead', 0, -1 } } } }
    for _, line in ipairs(answer.lines) do
      table.insert(lines, { text = '  ' .. line.text, location = line.location, parts = {} })
    end
    table.insert(lines, { text = '', parts = {} })
    show(vim.list_extend(lines, M.lines(answer.graph)), answering, source, bufnr)
  end, bufnr)
end

--- Shows what changed in the graph at the cursor since a revision of git, by default the last commit.
---@param since? string
function M.changes(since)
  local argument = vim.tbl_extend('error', here(), { marks = { of = 'changes', since = since } })
  M.marked(argument, vim.api.nvim_get_current_buf(), 'no graph at the cursor')
end

--- Shows who writes, reads and tests the state key at the cursor.
function M.key()
  local argument = vim.tbl_extend('error', here(), { marks = { of = 'key' } })
  M.marked(argument, vim.api.nvim_get_current_buf(), 'no state key at the cursor')
end

return M
