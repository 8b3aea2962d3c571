--- Moves files and updates references: function paths in declarations follow Python files.

local requests = require('nodewise.requests')

local M = {}

--- Moves a file or a folder, after the server's edits for the move.
---@param from string
---@param to string
function M.rename(from, to)
  from = vim.fs.normalize(vim.fn.fnamemodify(from, ':p'))
  to = vim.fs.normalize(vim.fn.fnamemodify(to, ':p'))
  if not vim.uv.fs_stat(from) or vim.uv.fs_stat(to) then
    local wrong = vim.uv.fs_stat(to) and to .. ' already exists' or from .. ' does not exist'
    return vim.notify('nodewise: ' .. wrong, vim.log.levels.ERROR)
  end
  local move = { oldUri = vim.uri_from_fname(from), newUri = vim.uri_from_fname(to) }
  requests.ask('workspace/willRenameFiles', { files = { move } }, function(edit, server)
    if edit then
      vim.lsp.util.apply_workspace_edit(edit, server.offset_encoding)
    end
    vim.lsp.util.rename(from, to)
    -- A client that does not watch files has to report the move.
    requests.execute('nodewise.refresh')
  end)
end

return M
