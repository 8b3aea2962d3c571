--- The debug adapter in nvim-dap: breakpoints, steps in both directions, expressions, the console.

local check = require('check')

--- Opens the scenario with a breakpoint on a node, and debugs it as a user does, up to the breakpoint.
---@param child Child
local function stop_at_settle(child)
  child:lua([[vim.opt.runtimepath:prepend(vim.env.NODEWISE_NVIM_DAP)]])
  child:edit('cycgraph/claims.yaml')
  child:find('id: settle')
  child:lua([[require('dap').toggle_breakpoint()]])
  child:edit('cycgraph/claims.scenario.yaml')
  child:lua([[
    _G.stops = {}
    local dap = require('dap')
    dap.listeners.after.event_stopped.test = function(_, body)
      table.insert(stops, body.reason)
    end
    dap.run(dap.configurations.yaml[1])
  ]])
  child:wait_lua('the stop', [[return stops[1] == 'breakpoint']])
end

--- Waits until a frame is shown.
---@param child Child
---@param name string
local function shows(child, name)
  child:wait_lua(
    'the frame ' .. name,
    [[
    local session = require('dap').session()
    local frame = session and session.current_frame
    return frame ~= nil and vim.startswith(frame.name, (...))
  ]],
    name
  )
end

---@type Case[]
return {
  {
    name = 'nvim-dap stops at a breakpoint and steps in both directions',
    files = { 'cycgraph' },
    needs = 'NODEWISE_NVIM_DAP',
    run = function(child)
      stop_at_settle(child)
      shows(child, 'settle')
      child:wait('the line of the stop', function()
        return vim.endswith(child:name(), 'claims.yaml') and child:call('nvim_get_current_line'):find('id: settle', 1, true)
      end)
      child:lua([[require('dap').step_back()]])
      shows(child, '-> settle')
      child:lua([[require('dap').step_over()]])
      shows(child, 'settle')
      child:lua([[require('dap').step_into()]])
      shows(child, 'graph settlement')
      child:lua([[require('dap').reverse_continue()]])
      shows(child, 'settle')
      child:lua([[require('dap').reverse_continue()]])
      shows(child, 'graph claims')
      check.equal({ 'breakpoint', 'step', 'breakpoint', 'step', 'breakpoint', 'entry' }, child:lua('return stops'))
      child:lua([[require('dap').terminate()]])
      child:wait_lua('the end of the session', [[return require('dap').session() == nil]])
    end,
  },
  {
    name = 'nvim-dap evaluates expressions, and the commands of the console begin with a slash',
    files = { 'cycgraph' },
    needs = 'NODEWISE_NVIM_DAP',
    run = function(child)
      stop_at_settle(child)
      child:lua([[
        require('dap').session():evaluate('memory.amount / 2', function(failure, answer)
          _G.evaluated = failure and tostring(failure) or answer.result
        end)
      ]])
      child:wait_lua('the value', 'return evaluated ~= nil')
      check.equal('600', child:lua('return evaluated'))
      child:lua([[require('dap.repl').execute('/back')]])
      shows(child, '-> settle')
      child:lua([[
        _G.printed = {}
        require('dap.repl').open()
        require('dap.repl').execute('/state')
      ]])
      child:wait('the state', function()
        local lines = child:shown('dap-repl')
        return lines and table.concat(lines, '\n'):find('amount = 1200', 1, true)
      end)
    end,
  },
}
