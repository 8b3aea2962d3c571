--- The state of the server, in a few lines.

local requests = require('nodewise.requests')

local M = {}

--- The lines.
---@param status table the answer of `nodewise.status`
---@return string[]
function M.lines(status)
  local lines = { ('nodewise %s, %d open documents'):format(status.version, status.documents) }
  if status.document then
    table.insert(lines, 'this file: ' .. status.document.text)
  end
  for _, project in ipairs(status.projects) do
    local reading = project.isComplete and '' or ', loading'
    table.insert(lines, ('%s: %d files%s'):format(project.root or 'files without a folder', project.files, reading))
  end
  return lines
end

function M.show()
  local about = vim.bo.buftype == '' and { uri = vim.uri_from_bufnr(0) } or nil
  requests.execute('nodewise.status', about, function(answer)
    vim.notify(table.concat(M.lines(answer), '\n'), vim.log.levels.INFO)
  end)
end

return M
