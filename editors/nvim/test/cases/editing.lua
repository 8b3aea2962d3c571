--- Editing files, with real keys if there are keys.

local check = require('check')
local files = require('child')

---@param child Child
---@return string[]
local function open_buffers(child)
  return child:lua([[
    return vim.iter(vim.api.nvim_list_bufs()):filter(vim.api.nvim_buf_is_loaded):map(function(bufnr)
      return vim.fs.basename(vim.api.nvim_buf_get_name(bufnr))
    end):totable()
  ]])
end

---@type Case[]
return {
  {
    name = 'one server is attached to files of several projects',
    files = { 'cycgraph', 'liman', 'agentos' },
    run = function(child)
      child:edit('cycgraph/claims.yaml')
      child:edit('liman/desk.yaml')
      child:edit('agentos/order-history.json')
      local found = child:lua([[
        local clients = vim.lsp.get_clients({ name = 'nodewise' })
        return {
          #clients,
          vim.tbl_count(clients[1].attached_buffers),
          vim.iter(clients[1].workspace_folders):map(function(one) return vim.fs.basename(one.name) end):totable(),
        }
      ]])
      check.equal({ 1, 3, { 'cycgraph', 'liman', 'agentos' } }, found)
    end,
  },
  {
    name = 'diagnostics appear, and disappear when the text is fixed',
    files = { 'cycgraph-broken' },
    run = function(child)
      child:edit('cycgraph-broken/claims.yaml')
      local row = child:find('target: covred')
      local wanted = row .. ' unknown-node no node has the id `covred`'
      child:wait('the diagnostic', function()
        return vim.list_contains(child:diagnostics(), wanted)
      end)
      child:find('covred')
      child:keys('cwcovered<Esc>')
      child:wait('no diagnostic', function()
        return #child:diagnostics() > 0 and not vim.list_contains(child:diagnostics(), wanted)
      end)
    end,
  },
  {
    name = 'an edit changes what another open file says',
    files = { 'liman' },
    run = function(child)
      child:edit('liman/desk.yaml')
      child:edit('liman/tools/customers.yaml')
      child:wait_for_folders()
      child:find('name: find_customer', 6)
      child:keys('cwfind_client<Esc>')
      child:wait('the new name', function()
        return vim.list_contains(child:lines(), 'name: find_client')
      end)
      child:call('nvim_command', 'buffer desk.yaml')
      child:wait('the other file says so', function()
        return table.concat(child:diagnostics(), '\n'):find('no tool is named `find_customer`', 1, true)
      end)
    end,
  },
  {
    name = 'an edit changes what another window says',
    files = { 'agentos' },
    run = function(child)
      child:edit('agentos/order-history.json')
      child:call('nvim_command', 'split')
      child:edit('agentos/refunds.yaml')
      child:wait_for_folders()
      child:call('nvim_command', 'wincmd w')
      child:find('graph-order-history')
      child:keys('f-iold-<Esc>')
      child:wait('the other window says so', function()
        local shown = child:lua([[
          local bufnr = vim.fn.bufnr('refunds.yaml')
          return vim.iter(vim.diagnostic.get(bufnr)):map(function(one) return one.message end):join(' ')
        ]])
        return shown:find('graph-order-history', 1, true)
      end)
    end,
  },
  {
    name = 'completion opens by keys, and puts in what is chosen',
    files = { 'liman' },
    run = function(child)
      child:edit('liman/desk.yaml')
      child:wait_for_folders()
      child:find('- open_ticket')
      child:keys('dd')
      child:wait('one line less', function()
        return not vim.list_contains(child:lines(), '  - open_ticket')
      end)
      child:find('- find_customer', 2)
      child:keys('C<C-x><C-o>')
      child:wait('the menu', function()
        return child:call('nvim_eval', 'pumvisible()') == 1
      end)
      local words = child:lua([[
        return vim.iter(vim.fn.complete_info({ 'items' }).items):map(function(item) return item.word end):totable()
      ]])
      check.holds(words, 'find_customer')
      check.holds(words, 'open_ticket')
      child:keys('<C-n><C-y><Esc>')
      child:wait('the line', function()
        return child:call('nvim_get_current_line') == '  - ' .. words[2] and child:call('nvim_get_mode').mode == 'n'
      end)
    end,
  },
  {
    name = 'completion knows keys and words of a half-typed node',
    files = { 'agentos' },
    run = function(child)
      child:edit('agentos/refunds.yaml')
      child:find('effectClass: human', 13)
      child:keys('C<C-x><C-o>')
      child:wait('the menu', function()
        return child:call('nvim_eval', 'pumvisible()') == 1
      end)
      local words = child:lua([[
        return vim.iter(vim.fn.complete_info({ 'items' }).items):map(function(item) return item.word end):totable()
      ]])
      check.holds(words, 'pure')
      check.holds(words, 'human')
    end,
  },
  {
    name = 'K shows what is under the cursor',
    files = { 'agentos' },
    run = function(child)
      child:edit('agentos/refunds.yaml')
      child:find('checkpointPolicy', 3)
      child:keys('K')
      local float = child:wait_lua(
        'the float',
        [[
        for _, window in ipairs(vim.api.nvim_list_wins()) do
          if vim.api.nvim_win_get_config(window).relative ~= '' then
            return vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
          end
        end
      ]]
      )
      check.holds(float, 'checkpointPolicy')
    end,
  },
  {
    name = 'a tag jump goes to the declaration in another file, and back',
    files = { 'liman' },
    run = function(child)
      child:edit('liman/desk.yaml')
      child:wait_for_folders()
      child:find('- find_customer', 4)
      child:keys('<C-]>')
      child:wait('the other file', function()
        return vim.endswith(child:name(), 'liman/tools/customers.yaml')
      end)
      check.holds(child:call('nvim_get_current_line'), 'name: find_customer')
      child:keys('<C-t>')
      child:wait('back', function()
        return vim.endswith(child:name(), 'liman/desk.yaml')
      end)
    end,
  },
  {
    name = 'references of all files are listed',
    files = { 'liman' },
    run = function(child)
      child:edit('liman/desk.yaml')
      child:wait_for_folders()
      child:find('close_case')
      child:keys(':lua vim.lsp.buf.references()<CR>')
      local found = child:wait('the list', function()
        local items = child:lua([[
          return vim.iter(vim.fn.getqflist()):map(function(item)
            return vim.fs.basename(vim.api.nvim_buf_get_name(item.bufnr))
          end):totable()
        ]])
        return #items > 1 and items
      end)
      check.holds(found, 'desk.yaml')
      check.holds(found, 'steps.yaml')
    end,
  },
  {
    name = 'a rename changes every file',
    files = { 'liman' },
    run = function(child)
      child:edit('liman/desk.yaml')
      child:wait_for_folders()
      child:find('- find_customer', 4)
      child:keys(":lua vim.lsp.buf.rename('look_up')<CR>")
      child:wait('this file', function()
        return vim.list_contains(child:lines(), '  - look_up')
      end)
      child:keys(':wall<CR>')
      child:wait('the other file', function()
        return files.read(child.folder .. '/liman/tools/customers.yaml'):find('name: look_up', 1, true)
      end)
      check.holds(open_buffers(child), 'customers.yaml')
    end,
  },
  {
    name = 'formatting lays out a file and the conditions in it',
    files = { 'cycgraph' },
    run = function(child)
      child:edit('cycgraph/claims.yaml')
      -- Neovim waits a second for a layout, and then leaves the text as it is.
      child:wait_for_folders()
      child:call('nvim_command', 'lua vim.lsp.buf.format()')
      local laid_out = child:lines()
      child:find('id: policy')
      child:keys('ea   <Esc>')
      child:find('memory.category !=')
      child:keys(":s/ != '/!='/<CR>")
      child:wait('the loose text', function()
        return not vim.deep_equal(child:lines(), laid_out) and not table.concat(child:lines()):find("category != 'fire'")
      end)
      child:keys(':lua vim.lsp.buf.format()<CR>')
      child:wait('the layout', function()
        return vim.deep_equal(child:lines(), laid_out)
      end)
    end,
  },
  {
    name = 'semantic tokens colour conditions inside of texts',
    files = { 'cycgraph' },
    run = function(child)
      child:edit('cycgraph/claims.yaml')
      local row = child:find('number(memory.amount)')
      local column = child:lines()[row]:find('memory', 1, true) - 1
      child:wait_lua(
        'the tokens',
        [[
        local row, column = ...
        local tokens = vim.lsp.semantic_tokens.get_at_pos(0, row, column)
        return tokens and #tokens > 0
      ]],
        row - 1,
        column
      )
    end,
  },
  {
    name = 'inlay hints are shown where the settings ask for them',
    files = { 'liman' },
    options = { settings = { inlayHints = { kinds = true } } },
    run = function(child)
      child:edit('liman/desk.yaml')
      child:wait_for_folders()
      child:wait_lua('hints', [[return #vim.lsp.inlay_hint.get({ bufnr = 0 }) > 0]])
    end,
  },
  {
    name = 'folds come from the server where they are wanted',
    files = { 'cycgraph' },
    options = { folding = true },
    run = function(child)
      child:edit('cycgraph/claims.yaml')
      local row = child:find('type: map')
      child:wait('folds', function()
        return child:call('nvim_eval', ('foldlevel(%d)'):format(row)) > 1
      end)
    end,
  },
  {
    name = 'function paths follow a Python file that is moved',
    files = {},
    run = function(child)
      files.write(child.folder .. '/nodewise.toml', '')
      files.write(child.folder .. '/desk/tools.py', 'def find(text):\n    return text\n')
      files.write(child.folder .. '/find.yaml', 'kind: ToolNode\nname: find\ndescription: Finds.\nfunc: desk.tools.find\n')
      child:edit('find.yaml')
      child:wait_for_folders()
      child:call('nvim_command', ('edit %s/desk/tools.py'):format(child.folder))
      child:keys(':Nodewise move desk/search.py<CR>')
      child:wait('the moved file', function()
        return vim.uv.fs_stat(child.folder .. '/desk/search.py')
      end)
      child:call('nvim_command', 'buffer find.yaml')
      child:wait('the path', function()
        return vim.list_contains(child:lines(), 'func: desk.search.find')
      end)
    end,
  },
}
