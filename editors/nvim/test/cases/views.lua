--- Views other than files: the graph, rule pages, the state of the server.

local check = require('check')

---@type Case[]
return {
  {
    name = 'the graph is shown as text, and leads to its nodes',
    files = { 'cycgraph' },
    run = function(child)
      child:edit('cycgraph/claims.yaml')
      child:wait_for_folders()
      child:find('id: settle')
      child:keys(':Nodewise graph<CR>')
      local lines = child:wait('the graph', function()
        local shown = child:shown('nodewise-graph')
        return shown and #shown > 1 and shown
      end)
      check.holds(lines, 'value_damage')
      check.holds(lines, 'when not memory.covered_verification_passed')
      child:find('covered')
      child:keys('<CR>')
      child:wait('the source', function()
        return vim.endswith(child:name(), 'claims.yaml')
      end)
      check.holds(child:call('nvim_get_current_line'), 'covered')
    end,
  },
  {
    name = 'a key and the changes since a commit are shown with the graph',
    files = { 'cycgraph' },
    run = function(child)
      child:edit('cycgraph/claims.yaml')
      child:wait_for_folders()
      child:find('category')
      child:keys(':Nodewise key<CR>')
      local lines = child:wait('the key', function()
        local shown = child:shown('nodewise-graph')
        return shown and #shown > 1 and shown
      end)
      check.holds(lines, 'What happens to the state key `category`')
      check.holds(lines, '  written by node `')
      check.holds(lines, '  · tests')
      child:keys('q')
      local git = { 'git', '-C', child.folder, '-c', 'user.name=a', '-c', 'user.email=a@example.org' }
      for _, words in ipairs({ { 'init', '--quiet' }, { 'add', '.' }, { 'commit', '--quiet', '-m', 'one' } }) do
        check.equal(0, vim.system(vim.list_extend(vim.deepcopy(git), words)):wait().code)
      end
      child:find('id: intake')
      child:keys(':Nodewise changes<CR>')
      local changes = child:wait('the comparison', function()
        local shown = child:shown('nodewise-graph')
        return shown and #shown > 1 and shown
      end)
      check.holds(changes, 'Changes since the last commit: no changes in meaning')
    end,
  },
  {
    name = 'tools that nodes only call are in the lines of the nodes',
    files = { 'liman' },
    run = function(child)
      child:edit('liman/desk.yaml')
      child:wait_for_folders()
      child:keys(':Nodewise graph<CR>')
      local lines = child:wait('the graph', function()
        local shown = child:shown('nodewise-graph')
        return shown and #shown > 1 and shown
      end)
      check.holds(lines, '  · tools find_customer, open_ticket, ')
      local whole = table.concat(lines, '\n')
      check.equal(nil, whole:match('open_ticket +ToolNode'))
      -- A tool that leads somewhere is a node.
      check.holds(lines, '·▶ refund')
      check.equal('refund  ', whole:match('refund +ToolNode'):sub(1, 8))
    end,
  },
  {
    name = 'scripts are offered: those that fit are completed, and chosen where none is made for the file',
    files = { 'cycgraph' },
    run = function(child)
      child:edit('cycgraph/claims.yaml')
      child:wait_for_folders()
      local offered = child:call('nvim_eval', "getcompletion('Nodewise simulate cyc', 'cmdline')")
      check.equal('cycgraph/claims.script.yaml', offered[1])
      vim.uv.fs_rename(child.folder .. '/cycgraph/claims.script.yaml', child.folder .. '/cycgraph/other.script.yaml')
      local text = require('child').read(child.folder .. '/cycgraph/other.script.yaml')
      require('child').write(child.folder .. '/cycgraph/other.script.yaml', (text:gsub('\nfile: [^\n]+', '')))
      child:lua([[require('nodewise.requests').execute('nodewise.refresh', nil)]])
      child:wait('the script with its new name', function()
        return child:call('nvim_eval', "getcompletion('Nodewise simulate cyc', 'cmdline')")[1] == 'cycgraph/other.script.yaml'
      end)
      child:lua([[
        vim.ui.select = function(items, options, done)
          _G.offered = vim.tbl_map(options.format_item, items)
          done(items[1])
        end
      ]])
      child:find('id: 0b54')
      child:keys(':Nodewise simulate<CR>')
      child:timeline('completed')
      check.equal({ 'none: make up answers', 'cycgraph/other.script.yaml' }, child:lua('return offered'))
      child:wait_lua('the view says that answers are made up', [[
        return vim.iter(vim.api.nvim_tabpage_list_wins(0)):any(function(window)
          return vim.wo[window].winbar:find('no script: answers are made up', 1, true) ~= nil
        end)
      ]])
    end,
  },
  {
    name = 'the rule of a diagnostic is explained',
    files = { 'cycgraph-broken' },
    run = function(child)
      child:edit('cycgraph-broken/claims.yaml')
      child:wait('diagnostics', function()
        return #child:diagnostics() > 0
      end)
      child:find('target: covred')
      child:keys(':Nodewise explain<CR>')
      child:wait('the page', function()
        return child:name() == 'nodewise:///rules/unknown-node.md' and #child:lines() > 5
      end)
      check.holds(child:lines(), 'unknown-node')
      check.equal('markdown', child:lua('return vim.bo.filetype'))
    end,
  },
  {
    name = 'commands and their arguments are completed',
    files = { 'liman' },
    run = function(child)
      child:edit('liman/desk.yaml')
      check.equal({ 'simulate', 'status', 'stop' }, child:call('nvim_eval', "getcompletion('Nodewise s', 'cmdline')"))
      local rules = child:call('nvim_eval', "getcompletion('Nodewise explain unknown-to', 'cmdline')")
      check.equal({ 'unknown-tool' }, rules)
    end,
  },
  {
    name = 'the status of the server is shown',
    files = { 'liman' },
    run = function(child)
      child:edit('liman/desk.yaml')
      child:wait_for_folders()
      child:keys(':Nodewise status<CR>')
      child:wait('the state', function()
        return table.concat(child:lua('return notified'), '\n'):find('liman: %d+ files')
      end)
    end,
  },
  {
    name = 'the status says whose the file is',
    files = { 'liman' },
    run = function(child)
      child:edit('liman/desk.yaml')
      child:wait_for_folders()
      child:keys(':Nodewise status<CR>')
      child:wait('the system', function()
        return table.concat(child:lua('return notified'), '\n'):find('this file: Liman %(4 LLMNode%)')
      end)
    end,
  },
  {
    name = 'the help has tags without a plugin manager',
    files = { 'liman' },
    is_alone = true,
    run = function(child)
      child:edit('liman/desk.yaml')
      child:keys(':help nodewise<CR>')
      check.equal('nodewise.txt', vim.fs.basename(child:call('nvim_eval', "expand('%:p')")))
    end,
  },
  {
    name = 'the server is started again',
    files = { 'liman' },
    run = function(child)
      child:edit('liman/desk.yaml')
      local before = child:lua([[return vim.lsp.get_clients({ name = 'nodewise' })[1].id]])
      child:keys(':Nodewise restart<CR>')
      child:wait('another client', function()
        local found = child:lua([[
          return vim.iter(vim.lsp.get_clients({ name = 'nodewise', bufnr = 0 })):map(function(one) return one.id end):totable()
        ]])
        return #found == 1 and found[1] ~= before
      end)
      child:wait('diagnostics', function()
        return #child:diagnostics() > 0
      end)
    end,
  },
  {
    name = 'the health report says where the program and the folders are',
    files = { 'liman' },
    run = function(child)
      child:edit('liman/desk.yaml')
      child:keys(':checkhealth nodewise<CR>')
      child:wait('the report', function()
        return table.concat(child:lines(), '\n'):find('1 buffer; ', 1, true)
      end)
      check.holds(child:lines(), ': nodewise 0.')
    end,
  },
  {
    name = 'nothing that Neovim is about to drop is used',
    files = { 'cycgraph' },
    run = function(child)
      child:lua([[
        _G.deprecated = {}
        vim.deprecate = function(name) table.insert(_G.deprecated, name) end
      ]])
      child:edit('cycgraph/claims.yaml')
      child:wait_for_folders()
      child:keys(':Nodewise simulate<CR>')
      child:wait('the timeline', function()
        return child:shown('nodewise-timeline')
      end)
      child:keys(']s<CR>:Nodewise graph<CR>')
      child:wait('the graph', function()
        return child:shown('nodewise-graph')
      end)
      child:keys('q:Nodewise restart<CR>')
      child:wait('another client', function()
        return child:lua([[
          local client = vim.lsp.get_clients({ name = 'nodewise' })[1]
          return client ~= nil and client.id > 1
        ]])
      end)
      check.equal({}, child:lua('return deprecated'))
    end,
  },
}
