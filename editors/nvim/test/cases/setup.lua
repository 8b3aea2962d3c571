--- Options, and a missing program.

local check = require('check')

---@type Case[]
return {
  {
    name = 'without the program, one message says what to do',
    files = { 'liman' },
    options = { cmd = { '/nowhere/nodewise', 'lsp' } },
    is_alone = true,
    run = function(child)
      child:call('nvim_command', ('edit %s/liman/desk.yaml'):format(child.folder))
      child:wait('the message', function()
        return #child:lua('return notified') > 0
      end)
      child:call('nvim_command', ('edit %s/liman/steps.yaml'):format(child.folder))
      check.equal(
        { 'nodewise: cannot run `/nowhere/nodewise`. Check the option `cmd`.' },
        child:lua('return notified')
      )
      child:keys(':checkhealth nodewise<CR>')
      child:wait('the report', function()
        return table.concat(child:lines(), '\n'):find('/nowhere/nodewise', 1, true)
      end)
      check.holds(child:lines(), 'add its folder to PATH')
    end,
  },
  {
    name = 'options that are unknown or of another type are reported',
    files = {},
    is_alone = true,
    run = function(child)
      child:lua([[require('nodewise').setup({ colour = true, view = { size = 'big' } })]])
      check.equal({
        'nodewise: unknown option `colour`',
        'nodewise: option `view.size` must be a number, not "big"',
      }, child:lua('return notified'))
    end,
  },
  {
    name = 'settings reach a server that runs',
    files = { 'cycgraph' },
    run = function(child)
      child:edit('cycgraph/claims.yaml')
      child:wait('a hint', function()
        return table.concat(child:diagnostics(), '\n'):find('dropped-text', 1, true)
      end)
      child:lua([[require('nodewise').setup({ settings = { hints = false } })]])
      child:wait('no hint', function()
        return #child:diagnostics() == 0
      end)
    end,
  },
  {
    name = 'the view opens where it is wanted, and leaves the source alone',
    files = { 'cycgraph' },
    options = { view = { position = 'right', size = 0.5, follow = false } },
    run = function(child)
      child:edit('cycgraph/claims.yaml')
      child:wait_for_folders()
      child:keys(':Nodewise simulate<CR>')
      child:wait('the timeline', function()
        return child:shown('nodewise-timeline')
      end)
      child:keys(']s]s]s')
      local found = child:wait_lua(
        'the layout',
        [[
        local layout = vim.fn.winlayout()
        local view = layout[2][2]
        return layout[1] == 'row' and view[1] == 'col' and #view[2] == 2
          and { line = vim.api.nvim_win_get_cursor(layout[2][1][2])[1] }
      ]]
      )
      check.equal({ line = 1 }, found)
    end,
  },
  {
    name = 'nothing starts by itself where that is off',
    files = { 'liman' },
    options = { autostart = false },
    is_alone = true,
    run = function(child)
      child:call('nvim_command', ('edit %s/liman/desk.yaml'):format(child.folder))
      vim.wait(100)
      check.equal(0, child:lua('return #vim.lsp.get_clients()'))
      child:keys(':Nodewise restart<CR>')
      child:wait('the server, when asked for', function()
        return child:lua('return #vim.lsp.get_clients()') == 1
      end)
    end,
  },
}
