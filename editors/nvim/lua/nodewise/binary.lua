--- The path of the server's program, and the message if it is missing.

local options = require('nodewise.options')

local M = {}

--- Folders of installers that may not be on the PATH of a graphical Neovim. Folders of projects are never searched,
--- because they may contain a foreign program.
local usual = { '~/.cargo/bin/nodewise', '~/.local/bin/nodewise' }

local has_told = false

---@return string? program
local function found()
  if vim.fn.executable('nodewise') == 1 then
    return vim.fn.exepath('nodewise')
  end
  for _, path in ipairs(usual) do
    local program = vim.fs.normalize(path)
    if vim.fn.executable(program) == 1 then
      return program
    end
  end
end

--- The command that starts the server. Nil if the program is missing.
---@return string[]? command
function M.command()
  local chosen = options.get().cmd
  if chosen then
    return vim.fn.executable(chosen[1] or '') == 1 and chosen or nil
  end
  local program = found()
  return program and { program, 'lsp' }
end

--- The problem, and what to do.
---@return string
function M.missing()
  local chosen = options.get().cmd
  if chosen then
    return ('nodewise: cannot run `%s`. Check the option `cmd`.'):format(chosen[1] or '')
  end
  return 'nodewise: cannot find the program `nodewise` on PATH or in ~/.cargo/bin. Install it, or set its path: '
    .. "require('nodewise').setup { cmd = { '/path/to/nodewise', 'lsp' } }. See :checkhealth nodewise."
end

--- Reports once that the program is missing.
function M.tell_missing()
  if not has_told then
    has_told = true
    vim.notify(M.missing(), vim.log.levels.WARN)
  end
end

--- Allows the report again.
function M.reset()
  has_told = false
end

--- The program's path, for requests outside of the protocol.
---@return string?
function M.program()
  local command = M.command()
  return command and command[1]
end

return M
