--- Dry runs: lenses, the simulation view, what is painted over declarations, scenarios.

local check = require('check')
local files = require('child')

--- Waits until the timeline is shown, and gives it back.
---@param child Child
---@return string[]
local function timeline(child)
  return child:wait('the timeline', function()
    local lines = child:shown('nodewise-timeline')
    return lines and #lines > 1 and lines
  end)
end

--- Waits until the state window holds a text.
---@param child Child
---@param text string
local function wait_for_state(child, text)
  child:wait('the state holds ' .. text, function()
    local lines = child:shown('nodewise-state')
    return lines and table.concat(lines, '\n'):find(text, 1, true)
  end)
end

--- The texts of the marks of runs in the current buffer, by their highlight group.
---@param child Child
---@return table<string, string[]>
local function painted(child)
  return child:lua([[
    local namespace = vim.api.nvim_get_namespaces()['nodewise.runs']
    local by_group = {}
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true })) do
      local row, column, details = mark[2], mark[3], mark[4]
      local group = details.hl_group or details.sign_hl_group or 'virtual'
      local text = details.hl_group
        and vim.api.nvim_buf_get_text(0, row, column, details.end_row, details.end_col, {})[1]
        or tostring(row + 1)
      by_group[group] = by_group[group] or {}
      table.insert(by_group[group], text)
    end
    return by_group
  ]])
end

---@type Case[]
return {
  {
    name = 'a lens is run where it stands, and opens the view',
    files = { 'agentos' },
    run = function(child)
      child:edit('agentos/refunds.yaml')
      child:wait_for_folders()
      local row = child:find('id: lane', 4)
      child:wait_lua(
        'the lens',
        [[
        local row = ...
        local found = vim.lsp.codelens.enable and vim.lsp.codelens.get({ bufnr = 0 }) or vim.lsp.codelens.get(0)
        return vim.iter(found):any(function(one)
          local lens = one.lens or one
          return lens.range.start.line == row and lens.command and lens.command.title == 'Run node'
        end)
      ]],
        row - 1
      )
      -- One of several: references, a run from here on, the node alone.
      child:lua([[
        vim.ui.select = function(items, options, done)
          for _, item in ipairs(items) do
            if options.format_item(item):find('Run node', 1, true) then
              return done(item)
            end
          end
        end
      ]])
      child:keys(':lua vim.lsp.codelens.run()<CR>')
      local lines = timeline(child)
      check.holds(lines, 'lane  router')
      check.holds(lines[#lines], 'completed')
    end,
  },
  {
    name = 'references of a lens are listed',
    files = { 'cycgraph' },
    run = function(child)
      child:edit('cycgraph/claims.yaml')
      child:wait_for_folders()
      child:find('{id: decline')
      child:lua([[
        require('nodewise.requests').ask('textDocument/codeLens', {
          textDocument = vim.lsp.util.make_text_document_params(0),
        }, function(lenses)
          local row = vim.api.nvim_win_get_cursor(0)[1] - 1
          local lens = vim.iter(lenses):find(function(one) return one.range.start.line == row end)
          require('nodewise.requests').ask('codeLens/resolve', lens, function(resolved, client)
            client.commands[resolved.command.command](resolved.command, {})
          end)
        end)
      ]])
      child:wait('the list', function()
        return child:lua([[return vim.fn.getqflist({ title = true }).title]]):find('^%d+ references$')
      end)
    end,
  },
  {
    name = 'a graph is run with a script, stepped forward and back, and its source visited',
    files = { 'cycgraph' },
    run = function(child)
      child:edit('cycgraph/claims.yaml')
      child:wait_for_folders()
      child:call('nvim_command', 'cd ' .. child.folder .. '/cycgraph')
      child:keys(':Nodewise simulate claims.script.yaml<CR>')
      local lines = timeline(child)
      check.holds(lines, 'sum_up  synthesizer')
      check.holds(lines[#lines - 1], 'completed after')
      wait_for_state(child, '· intake')
      child:keys(']s')
      wait_for_state(child, 'event 9 of')
      child:keys('4]s')
      wait_for_state(child, '+ category: "hail"')
      child:keys(']s')
      wait_for_state(child, '+ amount: 1200')
      wait_for_state(child, 'category: "hail"')
      child:keys('[s')
      wait_for_state(child, '+ category: "hail"')
      child:keys(']]')
      wait_for_state(child, '· policy')
      child:keys('<CR>')
      child:wait('the source', function()
        return vim.endswith(child:name(), 'cycgraph/claims.yaml')
      end)
      check.equal('  - id: policy', child:call('nvim_get_current_line'))
      child:lua([[require('nodewise').next_step()]])
      child:lua([[require('nodewise').previous_step()]])
      child:call('nvim_command', 'wincmd j')
      child:keys('q')
      child:wait('no view', function()
        return not child:shown('nodewise-timeline') and not child:shown('nodewise-state')
      end)
    end,
  },
  {
    name = 'a step is answered otherwise, and the run goes another way',
    files = { 'agentos' },
    run = function(child)
      child:edit('agentos/refunds.scenario.yaml')
      child:wait_for_folders()
      child:keys(':Nodewise run<CR>')
      check.holds(timeline(child), 'history  subgraph')
      child:find('"risk":0.2')
      child:keys('a')
      child:wait('the question', function()
        return child:call('nvim_get_mode').mode == 'c'
      end)
      child:keys('<C-u>{"reply": {"of": "value", "value": {"risk": 0.9}}}<CR>')
      child:wait('the other way', function()
        return table.concat(child:shown('nodewise-timeline') or {}, '\n'):find('review  human', 1, true)
      end)
      check.holds(child:call('nvim_get_current_line'), '"risk":0.9')
      -- The word for what happens has a colour of its own.
      local column = child:call('nvim_get_current_line'):find('answer')
      local group = child:call('nvim_eval', ('synIDattr(synID(line("."), %d, 1), "name")'):format(column))
      check.equal('NodewiseAsks', group)
    end,
  },
  {
    name = 'the visited path and the coverage are painted, and cleared by an edit',
    files = { 'agentos' },
    run = function(child)
      child:edit('agentos/refunds.yaml')
      child:wait_for_folders()
      child:keys(':Nodewise simulate<CR>')
      timeline(child)
      child:keys('q')
      local found = child:wait('the marks', function()
        local marks = painted(child)
        return marks.NodewiseVisited and marks
      end)
      check.equal('screen', found.NodewiseVisited[1])
      check.holds(found.NodewiseMissed, tostring(child:find('id: review')))
      check.holds(found.NodewiseCovered, tostring(child:find('id: screen')))
      child:keys('ggO# changed<Esc>')
      child:wait('no marks', function()
        return next(painted(child)) == nil
      end)
    end,
  },
  {
    name = 'the node at the cursor runs alone',
    files = { 'liman' },
    run = function(child)
      child:edit('liman/desk.yaml')
      child:wait_for_folders()
      child:find('Write one sentence of apology')
      child:keys(':Nodewise run<CR>')
      local lines = timeline(child)
      check.holds(lines, 'apologise')
      check.holds(lines[#lines - 1] .. lines[#lines], '1 visit')
    end,
  },
  {
    name = 'the scenario at the cursor runs, and what fails in it is a diagnostic',
    files = { 'cycgraph' },
    run = function(child)
      child:edit('cycgraph/claims.scenario.yaml')
      child:wait_for_folders()
      child:find('calls: {pay_out: 0}')
      child:keys(':s/pay_out: 0/pay_out: 2/<CR>:Nodewise run<CR>')
      local lines = timeline(child)
      check.holds(lines, 'decline  agent')
      child:keys('q')
      child:wait('the diagnostic', function()
        return table.concat(child:diagnostics(), '\n'):find('pay_out', 1, true)
      end)
    end,
  },
  {
    name = 'all scenarios are tested, and what does not hold is listed',
    files = { 'agentos' },
    run = function(child)
      child:edit('agentos/refunds.scenario.yaml')
      child:wait_for_folders()
      child:keys(':Nodewise test<CR>')
      child:wait('the count', function()
        return table.concat(child:lua('return told'), '\n'):find('nodewise: %d+ passed, 0 failed')
      end)
      files.write(
        child.folder .. '/agentos/more.scenario.yaml',
        'scenario: It never ends.\nuses: refunds.script.yaml\nfile: refunds.yaml\nexpect:\n  status: failed\n'
      )
      child:edit('agentos/more.scenario.yaml')
      child:keys(':Nodewise test %<CR>')
      child:wait('the count', function()
        return vim.list_contains(child:lua('return told'), 'nodewise: 0 passed, 1 failed')
      end)
      local items = child:lua([[
        return vim.iter(vim.fn.getqflist()):map(function(item) return item.lnum .. ' ' .. item.text end):totable()
      ]])
      check.holds(items, '5 It never ends.')
    end,
  },
}
