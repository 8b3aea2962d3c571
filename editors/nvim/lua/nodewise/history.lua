--- The history of runs: those of this session, and the live runs of the projects. Runs are opened, repeated, compared
--- and saved as scenarios.

local requests = require('nodewise.requests')
local windows = require('nodewise.windows')

local M = {}

local painted = vim.api.nvim_create_namespace('nodewise.history')

--- The sign and the colour of each result.
local results = {
  good = { '✓', 'NodewiseAdded' },
  doubtful = { '!', 'NodewiseChanged' },
  bad = { '✗', 'NodewiseFails' },
  open = { '…', 'NodewiseReads' },
}

local HELP = '<CR> open · r run again · R resume · c compare two · s save as scenario · q close'

---@class nodewise.ListedRun
---@field trace? string
---@field run? string
---@field isLive boolean
---@field title string
---@field summary string
---@field result string
---@field at integer milliseconds since 1970
---@field isMadeUp boolean
---@field canResume boolean
---@field waiting { node: string }[]
---@field uri? string
---@field folder? string

---@param run nodewise.ListedRun
---@return table reference
local function reference(run)
  return run.run and { run = run.run } or { trace = run.trace }
end

--- A run in one line.
---@param run nodewise.ListedRun
---@return string
local function described(run)
  local parts = { os.date('%Y-%m-%d %H:%M:%S', math.floor(run.at / 1000)), run.isLive and 'live' or 'dry', run.title }
  table.insert(parts, run.summary)
  if run.isMadeUp then
    table.insert(parts, 'answers are made up')
  end
  for _, matter in ipairs(run.waiting) do
    table.insert(parts, ('at `%s`'):format(matter.node))
  end
  if run.run then
    table.insert(parts, run.run)
  end
  return (table.concat(parts, ' · '):gsub('%c', ' '))
end

---@param search? string words
---@param done fun(runs: nodewise.ListedRun[])
local function with_runs(search, done)
  requests.execute('nodewise.history', { search = search or '' }, done)
end

--- Shows a run in the simulation view.
---@param run nodewise.ListedRun
---@param done? fun(answer: table)
local function open(run, done)
  requests.execute('nodewise.showRun', reference(run), function(answer, server)
    local again = run.run and { live = true, stored = run.run } or { fork = { trace = run.trace, event = 0 } }
    require('nodewise.simulation').open(answer, again, server.offset_encoding)
    if done then
      done(answer)
    end
  end)
end

--- Repeats a run with the same input.
---@param run nodewise.ListedRun
local function rerun(run)
  local runs = require('nodewise.runs')
  if run.run then
    runs.rerun(run.run)
  else
    runs.simulate({ fork = { trace = run.trace, event = 0 } })
  end
end

--- Saves a run as a scenario file, and opens it.
---@param run nodewise.ListedRun
local function save(run)
  open(run, function(answer)
    local source = vim.uri_to_fname(answer.uri)
    local stem = vim.fs.basename(source):gsub('%.ya?ml$', ''):gsub('%.json$', ''):gsub('%.s%w+$', '')
    local default = vim.fs.joinpath(vim.fs.dirname(source), stem .. '.scenario.yaml')
    vim.ui.input({ prompt = 'Save as: ', default = default, completion = 'file' }, function(path)
      if not path or path == '' then
        return
      elseif vim.uv.fs_stat(path) then
        return vim.notify(('nodewise: `%s` exists'):format(path), vim.log.levels.ERROR)
      end
      requests.execute('nodewise.scenario', { trace = answer.id, uri = vim.uri_from_fname(path) }, function(written)
        vim.fn.writefile(vim.split((written.text:gsub('\n$', '')), '\n'), path)
        vim.cmd.edit(vim.fn.fnameescape(path))
      end)
    end)
  end)
end

--- Two texts in diff mode, in a tab page.
---@param compared table the answer of `nodewise.compare`
local function show_comparison(compared)
  local head = { 'Differences' }
  for _, difference in ipairs(compared.differences) do
    table.insert(head, ('  %s: %s'):format(difference.of, difference.text))
  end
  if #compared.differences == 0 then
    table.insert(head, '  none')
  end
  vim.cmd.tabnew()
  local empty = vim.api.nvim_get_current_buf()
  for index, side in ipairs({ compared.first, compared.second }) do
    local bufnr = windows.scratch(('nodewise://run-%d'):format(index), 'nodewise-run')
    if index == 1 then
      vim.api.nvim_win_set_buf(0, bufnr)
    else
      vim.api.nvim_open_win(bufnr, true, { split = 'right', win = 0 })
    end
    local lines = vim.list_extend(vim.list_extend({}, head), { '' })
    windows.fill(bufnr, vim.list_extend(lines, vim.split((side.text:gsub('\n$', '')), '\n')))
    vim.wo.winbar = ' ' .. (('%s: %s'):format(side.title, side.summary):gsub('%%', '%%%%'))
    vim.cmd.diffthis()
    vim.keymap.set('n', 'q', '<Cmd>tabclose<CR>', { buffer = bufnr, nowait = true, desc = 'nodewise: close the comparison' })
  end
  vim.api.nvim_buf_delete(empty, { force = true })
end

---@param one nodewise.ListedRun
---@param other nodewise.ListedRun
local function compare(one, other)
  local first, second = one, other
  if one.at > other.at then
    first, second = other, one
  end
  local wanted = { first = reference(first), second = reference(second) }
  requests.execute('nodewise.compare', wanted, show_comparison)
end

--- Compares two runs. Runs that are not named are chosen.
---@param first? string the id of a live run
---@param second? string
function M.compare(first, second)
  if first and second then
    local wanted = { first = { run = first }, second = { run = second } }
    return requests.execute('nodewise.compare', wanted, show_comparison)
  end
  with_runs(nil, function(runs)
    local named = vim.iter(runs):find(function(run)
      return first ~= nil and run.run ~= nil and vim.startswith(run.run, first)
    end)
    local function choose(prompt, without, chosen)
      local others = vim.tbl_filter(function(run)
        return run ~= without
      end, runs)
      vim.ui.select(others, { prompt = prompt, format_item = described }, function(run)
        if run then
          chosen(run)
        end
      end)
    end
    local function with_first(one)
      choose('Compare with:', one, function(other)
        compare(one, other)
      end)
    end
    if #runs < 2 then
      vim.notify('nodewise: there are no two runs to compare', vim.log.levels.INFO)
    elseif named then
      with_first(named)
    else
      choose('Compare:', nil, with_first)
    end
  end)
end

---@param bufnr integer
---@param runs nodewise.ListedRun[]
---@param window integer
local function map_keys(bufnr, runs, window)
  local marked
  local function map(keys, what, act)
    vim.keymap.set('n', keys, function()
      local run = runs[vim.api.nvim_win_get_cursor(0)[1] - 1]
      if run then
        act(run)
      end
    end, { buffer = bufnr, nowait = true, desc = 'nodewise: ' .. what })
  end
  map('<CR>', 'open the run', open)
  map('r', 'run again with the same input', rerun)
  map('s', 'save the run as a scenario', save)
  map('R', 'resume the run', function(run)
    if run.canResume then
      require('nodewise.runs').resume(run.run)
    else
      vim.notify('nodewise: this run cannot be resumed', vim.log.levels.INFO)
    end
  end)
  map('c', 'compare with another run', function(run)
    if marked and marked ~= run then
      compare(marked, run)
      marked = nil
    else
      marked = run
      vim.notify('nodewise: press c on the other run', vim.log.levels.INFO)
    end
  end)
  vim.keymap.set('n', 'q', function()
    windows.close(window)
  end, { buffer = bufnr, nowait = true, desc = 'nodewise: close the list of runs' })
end

--- Lists the runs, or those with some words.
---@param search? string
function M.list(search)
  with_runs(search, function(runs)
    if #runs == 0 then
      local text = search and ('nodewise: there is no run with `%s`'):format(search) or 'nodewise: there are no runs'
      return vim.notify(text, vim.log.levels.INFO)
    end
    local bufnr = windows.scratch('nodewise://runs', 'nodewise-runs')
    local height = math.min(#runs + 1, math.floor(vim.o.lines * 0.5))
    local window = windows.open(bufnr, { split = 'below', win = -1, height = height }, true)
    local lines = { HELP }
    for _, run in ipairs(runs) do
      table.insert(lines, ('%s %s'):format(results[run.result][1], described(run)))
    end
    windows.fill(bufnr, lines)
    windows.colour(bufnr, painted, 0, { { 'NodewiseReads', 0, -1 } })
    for row, run in ipairs(runs) do
      windows.colour(bufnr, painted, row, { { results[run.result][2], 0, #results[run.result][1] } })
    end
    vim.api.nvim_win_set_cursor(window, { 2, 0 })
    map_keys(bufnr, runs, window)
  end)
end

return M
