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
    vim.health.info('Before 0.11, the plugin starts the server itself; `vim.lsp.config` does not exist yet.')
  end
end

local function check_program()
  vim.health.start('The program')
  local command = binary.command()
  if not command then
    return vim.health.error(binary.missing(), {
      'Install nodewise, or put the folder that holds it on PATH.',
      "Or name it: require('nodewise').setup { cmd = { '/path/to/nodewise', 'lsp' } }",
    })
  end
  local answer = vim.system({ command[1], '--version' }, { text = true, timeout = 5000 }):wait()
  local said = vim.trim(answer.stdout or '')
  if answer.code == 0 and vim.startswith(said, 'nodewise ') then
    vim.health.ok(('%s: %s'):format(command[1], said))
  else
    vim.health.error(('%s does not answer `--version` as nodewise does'):format(command[1]))
  end
end

local function check_server()
  vim.health.start('The server')
  local clients = vim.lsp.get_clients({ name = requests.name })
  if #clients == 0 then
    local why = options.get().autostart and 'It starts with the first YAML or JSON file.' or '`autostart` is off.'
    return vim.health.info('No server runs. ' .. why)
  end
  for _, one in ipairs(clients) do
    local folders = vim.tbl_map(function(folder)
      return folder.name
    end, one.workspace_folders or {})
    local where = #folders > 0 and table.concat(folders, ', ') or 'no folder: names of other files are not known'
    vim.health.ok(('client %d, %d buffers; %s'):format(one.id, vim.tbl_count(one.attached_buffers), where))
  end
end

local function check_grammars()
  vim.health.start('Colours without the server')
  local missing = require('nodewise.grammars').missing()
  if #missing == 0 then
    return vim.health.ok('tree-sitter has parsers for YAML and for the conditions in it')
  end
  vim.health.info(
    'tree-sitter has no parser for ' .. table.concat(missing, ', ') .. '. `:Nodewise grammars` compiles those of conditions; '
      .. 'that of YAML comes with nvim-treesitter. While the server runs, it colours conditions by itself.'
  )
end

function M.check()
  check_editor()
  check_program()
  check_server()
  check_grammars()
end

return M
