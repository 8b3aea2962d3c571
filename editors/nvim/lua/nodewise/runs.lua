--- What runs a graph, a node or a scenario, and shows the run.

local requests = require('nodewise.requests')
local lenses = require('nodewise.lenses')

local M = {}

--- Runs, and opens the simulation view.
---@param run nodewise.Runnable
---@param bufnr? integer
---@param event? integer the step to begin at
function M.simulate(run, bufnr, event)
  local wanted = vim.tbl_extend('force', run, { announce = false })
  requests.execute('nodewise.simulate', wanted, function(answer, server)
    require('nodewise.simulation').open(answer, wanted, server.offset_encoding, event)
  end, bufnr)
end

--- Runs for real, and opens the simulation view. The server asks before it starts what was not allowed yet.
---@param run nodewise.Runnable
---@param bufnr? integer
function M.live(run, bufnr)
  local wanted = vim.tbl_extend('force', run, { announce = false })
  requests.execute('nodewise.run', wanted, function(answer, server)
    require('nodewise.simulation').open(answer, vim.tbl_extend('force', wanted, { live = true }), server.offset_encoding)
  end, bufnr)
end

--- Goes on with a live run; the server asks for what it waits for.
---@param name? string its id, or a beginning of it
function M.resume(name)
  requests.execute('nodewise.resume', { run = name or 'last' }, function(answer, server)
    local shown = { live = true, resumed = answer.run }
    require('nodewise.simulation').open(answer, shown, server.offset_encoding)
  end)
end

--- Runs again what is shown; of a run that was gone on with nothing is known here but its id.
---@param run nodewise.Runnable
function M.again(run)
  if run.resumed then
    M.resume(run.resumed)
  elseif run.live then
    M.live(run)
  else
    M.simulate(run)
  end
end

---@param fits fun(run: nodewise.Runnable): boolean
---@param otherwise? fun(uri: string): nodewise.Runnable?
---@param script? string
---@param start? fun(run: nodewise.Runnable, bufnr: integer) how it is run; without, dry
local function at_cursor(fits, otherwise, script, start)
  local bufnr = vim.api.nvim_get_current_buf()
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  lenses.runnable(bufnr, line, fits, function(run)
    run = run or otherwise and otherwise(vim.uri_from_bufnr(bufnr))
    if not run then
      return vim.notify('nodewise: there is no node and no scenario here', vim.log.levels.WARN)
    end
    run.script = script
    local how = start or M.simulate
    how(run, bufnr)
  end)
end

--- The graph or the scenario around the cursor; in Liman what begins at the node there. A script answers.
---@param script? string a path
---@param start? fun(run: nodewise.Runnable, bufnr: integer) how it is run; without, dry
function M.graph(script, start)
  local function fits(run)
    return not run.only and (run.scenario ~= nil or run.node == nil or run.graph == nil)
  end
  local function whole_file(uri)
    return { uri = uri }
  end
  at_cursor(fits, whole_file, script and vim.uri_from_fname(vim.fs.normalize(vim.fn.fnamemodify(script, ':p'))), start)
end

--- The node at the cursor alone, or the scenario there.
function M.node()
  at_cursor(function(run)
    return run.only or run.scenario ~= nil
  end)
end

return M
