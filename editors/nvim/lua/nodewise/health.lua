--- `:checkhealth nodewise`

local binary = require('nodewise.binary')
local requests = require('nodewise.requests')
local options = require('nodewise.options')

local M = {}

local function check_editor()
  vim.health.start('Neovim')
  local version = vim.version()
  vim.health.ok(('Neovim %d.%d.%d'):format(version.major, version.minor, version.patch))
  if not vim.lsp.enable then
    vim.health.info('Before Neovim 0.11, the plugin starts the server itself, without `vim.lsp.config`.')
  end
end

local function check_program()
  vim.health.start('Program')
  local command = binary.command()
  if not command then
    return vim.health.error(binary.missing(), {
      'Install nodewise, or add its folder to PATH.',
      "Or set its path: require('nodewise').setup { cmd = { '/path/to/nodewise', 'lsp' } }",
    })
  end
  local answer = vim.system({ command[1], '--version' }, { text = true, timeout = 5000 }):wait()
  local said = vim.trim(answer.stdout or '')
  if answer.code == 0 and vim.startswith(said, 'nodewise ') then
    vim.health.ok(('%s: %s'):format(command[1], said))
  else
    vim.health.error(('`%s --version` does not answer as nodewise does. Check the option `cmd`.'):format(command[1]))
  end
end

local function check_server()
  vim.health.start('Server')
  local clients = vim.lsp.get_clients({ name = requests.name })
  if #clients == 0 then
    local why = options.get().autostart and 'It starts when you open a YAML or JSON file.' or 'The option `autostart` is off.'
    return vim.health.info('The server is not running. ' .. why)
  end
  for _, one in ipairs(clients) do
    local folders = vim.tbl_map(function(folder)
      return folder.name
    end, one.workspace_folders or {})
    local where = #folders > 0 and table.concat(folders, ', ') or 'no folder, so names from other files are unknown'
    local count = vim.tbl_count(one.attached_buffers)
    vim.health.ok(('client %d, %s; %s'):format(one.id, count == 1 and '1 buffer' or count .. ' buffers', where))
  end
end

local function check_grammars()
  vim.health.start('Highlighting without the server')
  local missing = require('nodewise.grammars').missing()
  if #missing == 0 then
    return vim.health.ok('tree-sitter has parsers for YAML and for conditions')
  end
  vim.health.info(
    'tree-sitter has no parser for ' .. table.concat(missing, ', ') .. '. `:Nodewise grammars` installs the parsers for conditions; '
      .. 'nvim-treesitter installs the one for YAML. While the server runs, it highlights conditions.'
  )
end

function M.check()
  check_editor()
  check_program()
  check_server()
  check_grammars()
end

return M
