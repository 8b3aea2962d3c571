--- Debugging with nvim-dap: the adapter, and configurations for YAML and JSON. Nothing happens if nvim-dap is missing.

local binary = require('nodewise.binary')

local M = {}

local configurations = {
  {
    type = 'nodewise',
    request = 'launch',
    name = 'nodewise: debug this file',
    program = '${file}',
  },
  {
    type = 'nodewise',
    request = 'launch',
    name = 'nodewise: debug this file from its beginning',
    program = '${file}',
    stopOnEntry = true,
  },
  {
    type = 'nodewise',
    request = 'attach',
    name = 'nodewise: last stored run',
    run = 'last',
  },
}

--- Registers the adapter. Adapters and configurations of the user stay.
---@return boolean registered
function M.register()
  if #vim.api.nvim_get_runtime_file('lua/dap.lua', false) == 0 and #vim.api.nvim_get_runtime_file('lua/dap/init.lua', false) == 0 then
    return false
  end
  local dap = require('dap')
  dap.adapters.nodewise = dap.adapters.nodewise
    or function(use)
      local program = binary.program()
      if program == nil then
        binary.tell_missing()
        return
      end
      use({ type = 'executable', command = program, args = { 'dap' } })
    end
  for _, filetype in ipairs({ 'yaml', 'json' }) do
    local known = dap.configurations[filetype] or {}
    for _, configuration in ipairs(configurations) do
      local is_known = vim.iter(known):any(function(one)
        return one.name == configuration.name
      end)
      if not is_known then
        table.insert(known, configuration)
      end
    end
    dap.configurations[filetype] = known
  end
  return true
end

--- Registers the adapter when the first file of a supported type is opened.
function M.define()
  vim.api.nvim_create_autocmd('FileType', {
    group = vim.api.nvim_create_augroup('nodewise.debugging', {}),
    pattern = { 'yaml', 'json' },
    once = true,
    callback = function()
      M.register()
    end,
  })
end

return M
