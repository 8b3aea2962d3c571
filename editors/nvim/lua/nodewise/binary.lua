--- Where the server's program is, and the message when there is none.

local options = require('nodewise.options')

local M = {}

--- Where installers put programs that a graphical Neovim may not have on its PATH. Nothing inside of projects is looked
--- at: what somebody else's folder holds is not run.
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

--- The command that starts the server; nothing where its program is missing.
---@return string[]? command
function M.command()
  local chosen = options.get().cmd
  if chosen then
    return vim.fn.executable(chosen[1] or '') == 1 and chosen or nil
  end
  local program = found()
  return program and { program, 'lsp' }
end

--- What is wrong, and what to do.
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

--- Tells it again the next time that it is missing.
function M.reset()
  has_told = false
end

--- The program's name, for what is asked outside of the protocol.
---@return string?
function M.program()
  local command = M.command()
  return command and command[1]
end

return M
