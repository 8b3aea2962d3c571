--- Runs a graph, a node or a scenario, and shows the run.

local following = require('nodewise.following')
local requests = require('nodewise.requests')
local lenses = require('nodewise.lenses')
local versions = require('nodewise.versions')
local windows = require('nodewise.windows')

local M = {}

--- Simulates, and opens the simulation view.
---@param run nodewise.Runnable
---@param bufnr? integer
---@param event? integer the first step to show
function M.simulate(run, bufnr, event)
  local wanted = vim.tbl_extend('force', run, { announce = false })
  requests.execute('nodewise.simulate', wanted, function(answer, server)
    require('nodewise.simulation').open(answer, wanted, server.offset_encoding, event)
  end, bufnr)
end

--- Shows a live run. If it is waiting, a message says how to resume it.
---@param answer table
---@param run nodewise.Runnable
---@param server vim.lsp.Client
local function show_live(answer, run, server)
  require('nodewise.simulation').open(answer, run, server.offset_encoding)
  local matter = answer.waiting[1]
  if matter then
    local text = 'nodewise: `%s` is waiting for a decision. To continue, use `:Nodewise %s`'
    local command = answer.on and 'engine ' .. answer.on or 'resume ' .. answer.run
    vim.notify(text:format(matter.node, command))
  end
end

--- Starts a live run, and opens the simulation view. The server asks for missing permissions first.
---@param run nodewise.Runnable
---@param bufnr? integer
function M.live(run, bufnr)
  local shown = vim.tbl_extend('force', run, { live = true })
  local wanted = vim.tbl_extend('force', run, { announce = false, follow = following.begin(shown) })
  requests.execute('nodewise.run', wanted, function(answer, server)
    show_live(answer, shown, server)
  end, bufnr, following.stop)
end

---@param name string
---@param on? string the durable engine that carries it
local function resume_run(name, on)
  local wanted = { run = name, on = on, follow = following.begin({ live = true, resumed = name, on = on }) }
  requests.execute('nodewise.resume', wanted, function(answer, server)
    show_live(answer, { live = true, resumed = answer.run, on = on }, server)
  end, nil, following.stop)
end

---@param from table the id of the run, and the step from which the new run differs
local function live_from(from)
  local follow = following.begin({ live = true, stored = from.run })
  local wanted = { from = from, announce = false, follow = follow }
  requests.execute('nodewise.run', wanted, function(answer, server)
    show_live(answer, { live = true, stored = answer.run }, server)
  end, nil, following.stop)
end

--- Starts a new live run that keeps everything before a step of another one.
---@param run string the id of the other run
---@param event integer of the step
function M.from_step(run, event)
  live_from({ run = run, event = event })
end

--- Starts a new live run with the input of another one.
---@param run string the id of the other run
function M.rerun(run)
  live_from({ run = run, step = 1 })
end

--- A stored run in one line.
---@param run table
---@return string
local function described(run)
  local matter = run.waiting[1]
  local status = matter and ('%s at `%s`'):format(run.status, matter.node) or run.status
  local place = run.on or vim.fs.basename(run.folder)
  return table.concat({ run.title, status, place, 'started ' .. run.begun, run.run }, ' · ')
end

--- Resumes a live run. The server asks for the decisions that it is waiting for.
---@param name? string its id, or the beginning of its id; by default, the unfinished run, else the one that failed; chosen if there are several
function M.resume(name)
  if name then
    return resume_run(name)
  end
  requests.execute('nodewise.runs', vim.empty_dict(), function(runs)
    local function those(is_over)
      return vim.tbl_filter(function(run)
        return run.canResume and run.isOver == is_over
      end, runs)
    end
    local open = those(false)
    if #open == 0 then
      open = those(true)
    end
    if #open == 0 then
      return vim.notify('nodewise: there is no live run to resume', vim.log.levels.INFO)
    elseif #open == 1 then
      return resume_run(open[1].run)
    end
    vim.ui.select(open, { prompt = 'Resume:', format_item = described }, function(chosen)
      if chosen then
        resume_run(chosen.run)
      end
    end)
  end)
end

--- Follows an unfinished run of a durable engine. The server asks for the decisions that it is waiting for.
---@param on string the engine
function M.runs_on(on)
  requests.execute('nodewise.runs', { on = on }, function(runs)
    local open = vim.tbl_filter(function(run)
      return run.canResume
    end, runs)
    if #open == 0 then
      return vim.notify(('nodewise: there is no unfinished run on `%s`'):format(on), vim.log.levels.INFO)
    end
    vim.ui.select(open, { prompt = ('Runs on %s:'):format(on), format_item = described }, function(chosen)
      if chosen then
        resume_run(chosen.run, on)
      end
    end)
  end)
end

--- The durable engines that the configurations of the open projects name.
---@return string[]
function M.engines()
  local status = requests.wait('nodewise.status', 1000)
  local found = {}
  for _, project in ipairs(status and status.projects or {}) do
    for _, name in ipairs(project.engines or {}) do
      if not vim.tbl_contains(found, name) then
        table.insert(found, name)
      end
    end
  end
  table.sort(found)
  return found
end

--- Stops the active runs. You can resume a live run.
function M.stop()
  local client = requests.client()
  local count = 0
  for id, request in pairs(client and client.requests or {}) do
    if request.type == 'pending' and request.method == 'workspace/executeCommand' then
      versions.cancel(assert(client), id)
      count = count + 1
    end
  end
  if count == 0 then
    return vim.notify('nodewise: nothing is running', vim.log.levels.INFO)
  end
  -- Neovim does not report the answer to a cancelled request.
  following.stop()
end

--- Repeats the shown run. A stored or resumed run is repeated by its id, because its input is not known here.
---@param run nodewise.Runnable
function M.again(run)
  if run.stored then
    M.rerun(run.stored)
  elseif run.resumed then
    resume_run(run.resumed, run.on)
  elseif run.live then
    M.live(run)
  else
    M.simulate(run)
  end
end

---@param fits fun(run: nodewise.Runnable): boolean
---@param otherwise? fun(uri: string): nodewise.Runnable?
---@param script? string
---@param start? fun(run: nodewise.Runnable, bufnr: integer) how to run it; by default, a simulation
local function at_cursor(fits, otherwise, script, start)
  local bufnr = vim.api.nvim_get_current_buf()
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  lenses.runnable(bufnr, line, fits, function(run)
    run = run or otherwise and otherwise(vim.uri_from_bufnr(bufnr))
    if not run then
      return vim.notify('nodewise: no node or scenario at the cursor', vim.log.levels.WARN)
    end
    run.script = script
    local how = start or M.simulate
    how(run, bufnr)
  end)
end

--- Simulates. If scripts fit and none is made for the file, one of them is chosen.
---@param run nodewise.Runnable
---@param bufnr integer
local function simulate_with_script(run, bufnr)
  if run.script or run.scenario then
    return M.simulate(run, bufnr)
  end
  requests.execute('nodewise.scripts', { uri = run.uri, graph = run.graph }, function(scripts)
    local is_chosen = #scripts == 0 or vim.iter(scripts):any(function(script)
      return script.isMadeFor
    end)
    if is_chosen then
      return M.simulate(run, bufnr)
    end
    local offered = vim.list_extend({ { uri = '' } }, scripts)
    local how = {
      prompt = 'Answers from:',
      format_item = function(script)
        return script.uri == '' and 'none: make up answers' or vim.fn.fnamemodify(vim.uri_to_fname(script.uri), ':.')
      end,
    }
    vim.ui.select(offered, how, function(script)
      if script then
        local chosen = script.uri ~= '' and { script = script.uri } or { withoutScript = true }
        M.simulate(vim.tbl_extend('force', run, chosen), bufnr)
      end
    end)
  end, bufnr)
end

--- The scripts that fit the file of the current buffer, as paths.
---@return string[]
function M.scripts()
  local client = requests.client(0)
  if not client then
    return {}
  end
  local subject = { uri = vim.uri_from_bufnr(0) }
  local parameters = { command = 'nodewise.scripts', arguments = { subject } }
  local answer = versions.request_sync(client, 'workspace/executeCommand', parameters, 1000)
  return vim.tbl_map(function(script)
    return vim.fn.fnamemodify(vim.uri_to_fname(script.uri), ':.')
  end, answer and answer.result or {})
end

--- Runs the graph or the scenario around the cursor. In Liman, the graph is everything from the node at the cursor.
---@param script? string the path of the script that answers; by default, the one made for the file, or the user chooses
---@param start? fun(run: nodewise.Runnable, bufnr: integer) how to run it; by default, a simulation
function M.graph(script, start)
  local function fits(run)
    return not run.only and (run.scenario ~= nil or run.node == nil or run.graph == nil)
  end
  local function whole_file(uri)
    return { uri = uri }
  end
  local uri = script and vim.uri_from_fname(vim.fs.normalize(vim.fn.fnamemodify(script, ':p')))
  at_cursor(fits, whole_file, uri, start or simulate_with_script)
end

--- Simulates only the node at the cursor, or the scenario there.
function M.node()
  at_cursor(function(run)
    return run.only or run.scenario ~= nil
  end)
end

--- Shows what a node would send to its models in a live run. Nothing is sent.
---@param run nodewise.Runnable
---@param bufnr? integer
function M.show_request(run, bufnr)
  requests.execute('nodewise.request', run, function(answer)
    local shown = windows.scratch('nodewise://request', 'nodewise-request')
    windows.open(shown, { split = 'right', win = 0, width = math.floor(vim.o.columns * 0.5) }, true)
    windows.fill(shown, vim.split(answer.text, '\n', { plain = true }))
  end, bufnr)
end

---@param run fun(run: nodewise.Runnable, bufnr: integer)
local function with_node(run)
  at_cursor(function(found)
    return found.only and found.node ~= nil
  end, nil, nil, run)
end

--- What the node at the cursor would send to its models in a live run. Nothing is sent.
function M.request()
  with_node(M.show_request)
end

--- Later live runs take the output that the node at the cursor had in the last one, and do not ask again.
function M.pin()
  with_node(function(run, bufnr)
    local node = { uri = run.uri, graph = run.graph, node = run.node }
    requests.execute('nodewise.pin', node, function(answer)
      vim.notify(('nodewise: the output of `%s` is pinned, from the run %s'):format(answer.node, answer.run))
    end, bufnr)
  end)
end

--- Lets the node at the cursor ask again in live runs.
function M.unpin()
  with_node(function(run, bufnr)
    requests.execute('nodewise.unpin', { uri = run.uri, node = run.node }, function(answer)
      if answer.unpinned == 0 then
        vim.notify(('nodewise: the output of `%s` is not pinned'):format(run.node), vim.log.levels.INFO)
      end
    end, bufnr)
  end)
end

return M
