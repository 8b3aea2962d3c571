--- The simulation view: the timeline of a run, the state at the step under the cursor, and the source of the step.
---
--- The timeline's cursor selects the step, and everything else shows that step. There is one view. Another run replaces
--- it.

local requests = require('nodewise.requests')
local options = require('nodewise.options')
local state = require('nodewise.state')
local timelines = require('nodewise.timeline')
local windows = require('nodewise.windows')

local M = {}

local painted = vim.api.nvim_create_namespace('nodewise.simulation')
local stepped = vim.api.nvim_create_namespace('nodewise.step')

---@class nodewise.View
---@field timeline nodewise.Timeline
---@field run nodewise.Runnable what to repeat
---@field encoding string of the locations
---@field source? integer the window from which it was opened
---@field window integer the timeline's
---@field bufnr integer the timeline's
---@field state_window integer
---@field state_bufnr integer
---@field event? integer the current one
---@field saying? string[] what models are saying in a run that has not ended
---@field marked? integer the buffer with the mark of the step
---@field before? { bufnr: integer, position: vim.fn.winsaveview.ret } the previous content of the source's window

---@type nodewise.View?
local view

---@param from? integer the first new line
local function colour_heads(from)
  local heads = vim.list_extend({ 1 }, assert(view).timeline.visits)
  for _, line in ipairs(heads) do
    if line >= (from or 1) then
      windows.colour(view.bufnr, painted, line - 1, { { 'NodewiseHead', 0, -1 } })
    end
  end
end

local function clear_mark()
  if view and view.marked and vim.api.nvim_buf_is_valid(view.marked) then
    vim.api.nvim_buf_clear_namespace(view.marked, stepped, 0, -1)
  end
end

--- Shows the values of state keys at the ends of the lines that name them.
---@param values table[] of `nodewise.stateAt`
local function show_values(values)
  local lines = {}
  for _, value in ipairs(values) do
    local bufnr, row = vim.uri_to_bufnr(value.location.uri), value.location.range.start.line
    local key = bufnr .. ':' .. row
    lines[key] = lines[key] or { bufnr = bufnr, row = row, texts = {} }
    table.insert(lines[key].texts, ('%s = %s'):format(value.key, value.text))
  end
  for _, line in pairs(lines) do
    if line.bufnr == assert(view).marked and line.row < vim.api.nvim_buf_line_count(line.bufnr) then
      vim.api.nvim_buf_set_extmark(line.bufnr, stepped, line.row, 0, {
        virt_text = { { '  ' .. table.concat(line.texts, ', '), 'NodewiseReads' } },
        virt_text_pos = 'eol',
      })
    end
  end
end

--- Shows the source of the step.
---@param location? lsp.Location
local function follow(location)
  clear_mark()
  if not location or not view then
    return
  end
  if options.get().view.follow then
    windows.show(location, view.encoding, view.source)
  end
  local bufnr = vim.uri_to_bufnr(location.uri)
  local row = location.range.start.line
  if vim.api.nvim_buf_is_loaded(bufnr) and row < vim.api.nvim_buf_line_count(bufnr) then
    view.marked = bufnr
    vim.api.nvim_buf_set_extmark(bufnr, stepped, row, 0, {
      line_hl_group = 'NodewiseStep',
      sign_text = '▶',
      sign_hl_group = 'NodewiseStepSign',
      priority = 200,
    })
  end
end

---@param lines string[]
---@param groups? table<integer, string>
local function show_state(lines, groups)
  local bufnr = assert(view).state_bufnr
  if not vim.api.nvim_buf_is_valid(bufnr) then
    return
  end
  windows.fill(bufnr, lines)
  vim.api.nvim_buf_clear_namespace(bufnr, painted, 0, -1)
  for line, group in pairs(groups or {}) do
    windows.colour(bufnr, painted, line - 1, { { group, 0, -1 } })
  end
end

---@param event integer
local function ask_state(event)
  local shown = assert(view)
  if shown.timeline.is_running then
    return show_state(shown.saying or {}, { 'NodewiseHead' })
  elseif not shown.timeline.id then
    return show_state({ 'The trace is too large to keep, so no states are available.' })
  end
  local point = { trace = shown.timeline.id, event = event }
  requests.execute('nodewise.stateAt', point, function(answer)
    -- The cursor may have moved, or another run may have started.
    if view == shown and shown.event == event then
      local rendered = state.render(answer, shown.timeline:node(answer.visit))
      show_state(rendered.lines, rendered.groups)
      show_values(answer.values or {})
    end
  end)
end

--- Shows the step under the cursor of the timeline.
local function show_step()
  if not view or not windows.is_open(view.window) then
    return
  end
  local line = vim.api.nvim_win_get_cursor(view.window)[1]
  local event = view.timeline.events[line]
  if event == view.event then
    return
  end
  view.event = event
  follow(view.timeline:location(line))
  if event then
    ask_state(event)
  else
    show_state({ view.timeline.summary }, { 'NodewiseHead' })
  end
end

---@param lines integer[]
---@param count integer
local function move(lines, count)
  if not view or not windows.is_open(view.window) then
    return vim.notify('nodewise: no simulation view is open. Use `:Nodewise simulate`', vim.log.levels.WARN)
  end
  local line = vim.api.nvim_win_get_cursor(view.window)[1]
  local next_line = timelines.next_line(lines, line, count)
  if next_line then
    vim.api.nvim_win_set_cursor(view.window, { next_line, 0 })
    show_step()
  end
end

--- Moves forward by a number of steps, or back if the number is negative.
---@param count integer
function M.step(count)
  move(view and view.timeline.steps or {}, count)
end

--- Moves forward by a number of visits, or back.
---@param count integer
function M.step_visit(count)
  move(view and view.timeline.visits or {}, count)
end

--- Goes to the source of the step.
local function jump()
  local line = vim.api.nvim_win_get_cursor(0)[1]
  local location = assert(view).timeline:location(line)
  if location then
    -- The user wants to stay there, so do not restore the window.
    view.before = nil
    windows.go(location, view.encoding, view.source)
  else
    vim.notify('nodewise: this step has no source', vim.log.levels.INFO)
  end
end

--- Repeats the run with another answer at the step. Earlier answers stay the same.
local function answer_otherwise()
  local shown = assert(view)
  local event, answer = shown.timeline:answer(vim.api.nvim_win_get_cursor(0)[1])
  if shown.timeline.is_running then
    return vim.notify('nodewise: the run is not over', vim.log.levels.INFO)
  elseif not event then
    return vim.notify('nodewise: there is no answer in this line', vim.log.levels.INFO)
  end
  vim.ui.input({ prompt = 'New answer: ', default = vim.json.encode(answer) }, function(text)
    if not text or view ~= shown then
      return
    end
    local is_json, other = pcall(vim.json.decode, text)
    if not is_json then
      return vim.notify('nodewise: the answer is not valid JSON', vim.log.levels.ERROR)
    end
    local fork = { trace = shown.timeline.id, event = event, answer = other }
    require('nodewise.runs').simulate({ fork = fork }, nil, event)
  end)
end

--- Starts a new live run that keeps everything before the step.
local function run_from_step()
  local timeline = assert(view).timeline
  local event = timeline.events[vim.api.nvim_win_get_cursor(0)[1]]
  if timeline.is_running then
    return vim.notify('nodewise: the run is not over', vim.log.levels.INFO)
  elseif not timeline.run then
    return vim.notify('nodewise: only a live run can run again from a step', vim.log.levels.INFO)
  elseif not event then
    return vim.notify('nodewise: there is no step in this line', vim.log.levels.INFO)
  end
  require('nodewise.runs').from_step(timeline.run, event)
end

--- Restores what the source's window showed before it followed the steps.
---@param closed nodewise.View
local function go_back(closed)
  local before = closed.before
  if not before or not windows.is_open(closed.source) or not vim.api.nvim_buf_is_valid(before.bufnr) then
    return
  end
  vim.api.nvim_win_set_buf(closed.source, before.bufnr)
  vim.api.nvim_win_call(closed.source, function()
    vim.fn.winrestview(before.position)
  end)
end

--- Closes the view.
function M.close()
  if not view then
    return
  end
  clear_mark()
  local closed = view
  view = nil
  local bufnr = closed.before and closed.before.bufnr
  for _, window in ipairs({ closed.state_window, closed.window }) do
    windows.close(window, bufnr)
  end
  go_back(closed)
end

---@param bufnr integer
local function map_keys(bufnr)
  local function map(keys, does, what)
    vim.keymap.set('n', keys, does, { buffer = bufnr, nowait = true, desc = 'nodewise: ' .. what })
  end
  map('<CR>', jump, 'go to the source of the step')
  map(']s', function()
    M.step(vim.v.count1)
  end, 'next step')
  map('[s', function()
    M.step(-vim.v.count1)
  end, 'previous step')
  map(']]', function()
    M.step_visit(vim.v.count1)
  end, 'next visit')
  map('[[', function()
    M.step_visit(-vim.v.count1)
  end, 'previous visit')
  map('a', answer_otherwise, 'rerun with a different answer')
  map('r', function()
    require('nodewise.runs').again(assert(view).run)
  end, 'run again')
  map('R', run_from_step, 'run again from the step, live')
  map('q', M.close, 'close the view')
end

--- Opens the two windows, first that of the timeline.
local function open_windows()
  local chosen = options.get().view
  local is_below = chosen.position ~= 'right'
  local part = math.max(0.1, math.min(0.9, chosen.size))
  local opened = assert(view)
  opened.bufnr = windows.scratch('nodewise://timeline', 'nodewise-timeline')
  opened.state_bufnr = windows.scratch('nodewise://state', 'nodewise-state')
  local main = is_below and { split = 'below', win = -1, height = math.floor(vim.o.lines * part) }
    or { split = 'right', win = -1, width = math.floor(vim.o.columns * part) }
  opened.window = windows.open(opened.bufnr, main, true)
  local beside = is_below and { split = 'right', win = opened.window, width = math.floor(vim.o.columns * 0.4) }
    or { split = 'below', win = opened.window }
  opened.state_window = windows.open(opened.state_bufnr, beside, false)
  map_keys(opened.bufnr)
  vim.keymap.set('n', 'q', M.close, { buffer = opened.state_bufnr, nowait = true })
  vim.api.nvim_create_autocmd('CursorMoved', { buffer = opened.bufnr, callback = show_step })
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = opened.bufnr,
    callback = function()
      vim.schedule(function()
        if view == opened then
          M.close()
        end
      end)
    end,
  })
end

---@param text string
local function set_summary(text)
  vim.wo[assert(view).window].winbar = ' ' .. text:gsub('%%', '%%%%')
end

---@param timeline nodewise.Timeline
---@param run nodewise.Runnable
---@param encoding string
local function begin(timeline, run, encoding)
  local source = windows.of_files(view and view.source or vim.api.nvim_get_current_win())
  M.close()
  view = { timeline = timeline, run = run, encoding = encoding, source = source }
  if source then
    view.before = {
      bufnr = vim.api.nvim_win_get_buf(source),
      position = vim.api.nvim_win_call(source, vim.fn.winsaveview),
    }
  end
  open_windows()
  vim.wo[view.state_window].winbar = ' state at the step'
end

--- Shows a run. A view that follows the run shows its end.
---@param answer table of `nodewise.simulate`, `nodewise.run` or `nodewise.resume`
---@param run nodewise.Runnable
---@param encoding string
---@param event? integer the first step to show
function M.open(answer, run, encoding, event)
  local timeline = timelines.read(answer)
  if M.follows(answer.run) then
    local shown = assert(view)
    shown.timeline, shown.run, shown.event = timeline, run, nil
    vim.wo[shown.state_window].winbar = ' state at the step'
  else
    begin(timeline, run, encoding)
  end
  local shown = assert(view)
  windows.fill(shown.bufnr, timeline.lines)
  colour_heads()
  set_summary(timeline.summary)
  local first = event and timeline:line(event) or timeline.steps[1]
  if first then
    vim.api.nvim_win_set_cursor(shown.window, { first, 0 })
  end
  show_step()
end

--- Whether the view follows a live run.
---@param run? string its id
---@return boolean
function M.follows(run)
  return run ~= nil
    and view ~= nil
    and view.timeline.is_running == true
    and view.timeline.run == run
    and windows.is_open(view.window)
    and windows.is_open(view.state_window)
end

--- Opens the view for a live run that begins.
---@param part table the first `nodewise/runProgress`
---@param run nodewise.Runnable
---@param encoding string
function M.follow(part, run, encoding)
  begin(timelines.begin(part), run, encoding)
  vim.wo[assert(view).state_window].winbar = ' the run so far'
  set_summary('running')
end

--- Shows what happened since the last time. The cursor stays at the end, unless the user moved it.
---@param part table a `nodewise/runProgress`
---@param summary string
---@param saying string[] what models are saying
function M.extend(part, summary, saying)
  local shown = assert(view)
  local before = #shown.timeline.lines
  local was_last = vim.api.nvim_win_get_cursor(shown.window)[1] >= before
  local lines = shown.timeline:extend(part)
  windows.append(shown.bufnr, before, lines)
  colour_heads(before + 1)
  set_summary(summary)
  shown.saying = saying
  if was_last and #shown.timeline.lines > 0 then
    vim.api.nvim_win_set_cursor(shown.window, { #shown.timeline.lines, 0 })
  end
  shown.event = nil
  show_step()
end

--- Marks the followed run as no longer running.
function M.stop_following()
  if view and view.timeline.is_running and windows.is_open(view.window) then
    view.timeline.is_running = false
    set_summary('stopped')
  end
end

return M
