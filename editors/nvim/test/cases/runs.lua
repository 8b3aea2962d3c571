--- Dry runs: lenses, the simulation view, decorations in declarations, scenarios.

local check = require('check')
local files = require('child')

---@type Case[]
return {
  {
    name = 'a lens is run where it stands, and opens the view',
    files = { 'agentos' },
    run = function(child)
      child:edit('agentos/refunds.yaml')
      child:wait_for_folders()
      local row = child:find('id: lane', 4)
      child:wait_for_lens(row, 'Run node')
      -- One of several choices: references, a run from here, only this node.
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
      local lines = child:timeline()
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
        }, function(lenses, client)
          local row = vim.api.nvim_win_get_cursor(0)[1] - 1
          local lens = vim.iter(lenses):find(function(one)
            return one.range.start.line == row and one.command.command == 'nodewise.showReferences'
          end)
          client.commands[lens.command.command](lens.command, {})
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
      local lines = child:timeline()
      check.holds(lines, 'sum_up  synthesizer')
      check.holds(lines[#lines - 1], 'completed after')
      child:wait_for_state('· intake')
      child:keys(']s')
      child:wait_for_state('event 9 of')
      child:keys('4]s')
      child:wait_for_state('+ category: "hail"')
      child:keys(']s')
      child:wait_for_state('+ amount: 1200')
      child:wait_for_state('category: "hail"')
      child:keys('[s')
      child:wait_for_state('+ category: "hail"')
      child:keys(']]')
      child:wait_for_state('· policy')
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
    name = 'a timeline in the last window gives way to the file',
    files = { 'agentos' },
    run = function(child)
      child:edit('agentos/refunds.yaml')
      child:wait_for_folders()
      child:keys(':Nodewise simulate<CR>')
      child:timeline()
      child:keys(':only<CR>q')
      child:wait('the file', function()
        return vim.endswith(child:name(), 'agentos/refunds.yaml')
      end)
      check.equal('', child:lua('return vim.v.errmsg'))
    end,
  },
  {
    name = 'a step is answered otherwise, and the run goes another way',
    files = { 'agentos' },
    run = function(child)
      child:edit('agentos/refunds.scenario.yaml')
      child:wait_for_folders()
      child:keys(':Nodewise run<CR>')
      check.holds(child:timeline(), 'history  subgraph')
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
      -- The word for the event has its own colour.
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
      child:timeline()
      child:keys('q')
      local found = child:wait('the marks', function()
        local marks = child:painted()
        return marks.NodewiseVisited and marks
      end)
      check.equal('screen', found.NodewiseVisited[1])
      check.holds(found.NodewiseMissed, tostring(child:find('id: review')))
      check.holds(found.NodewiseCovered, tostring(child:find('id: screen')))
      child:keys('ggO# changed<Esc>')
      child:wait('no marks', function()
        return next(child:painted()) == nil
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
      local lines = child:timeline()
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
      local lines = child:timeline()
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
        return table.concat(child:lua('return notified'), '\n'):find('nodewise: %d+ passed, 0 failed')
      end)
      files.write(
        child.folder .. '/agentos/more.scenario.yaml',
        'scenario: It never ends.\nuses: refunds.script.yaml\nfile: refunds.yaml\nexpect:\n  status: failed\n'
      )
      child:edit('agentos/more.scenario.yaml')
      child:keys(':Nodewise test %<CR>')
      child:wait('the count', function()
        return vim.list_contains(child:lua('return notified'), 'nodewise: 0 passed, 1 failed')
      end)
      local items = child:lua([[
        return vim.iter(vim.fn.getqflist()):map(function(item) return item.lnum .. ' ' .. item.text end):totable()
      ]])
      check.holds(items, '5 It never ends.')
    end,
  },
}
