--- Runs scenarios: a message with the counts, and failed expectations in the quickfix list.

local requests = require('nodewise.requests')

local M = {}

---@param location lsp.Location
---@param text string
---@return table item
local function item(location, text)
  return {
    filename = vim.uri_to_fname(location.uri),
    lnum = location.range.start.line + 1,
    col = location.range.start.character + 1,
    text = text,
    type = 'E',
  }
end

--- Failed expectations, as items of the quickfix list.
---@param answer table of `nodewise.test`
---@return table[]
function M.items(answer)
  local items = {}
  for _, scenario in ipairs(answer.scenarios) do
    if scenario.error then
      table.insert(items, item(scenario.location, scenario.scenario .. ' ' .. scenario.error))
    end
    for _, mismatch in ipairs(scenario.mismatches) do
      table.insert(items, item(mismatch.location or scenario.location, scenario.scenario .. ' ' .. mismatch.message))
    end
  end
  return items
end

--- Runs the scenarios of a file, or of all files.
---@param path? string
function M.run(path)
  local subject = vim.empty_dict()
  if path then
    subject = { uri = vim.uri_from_fname(vim.fs.normalize(vim.fn.fnamemodify(path, ':p'))) }
  end
  requests.execute('nodewise.test', subject, function(answer)
    local items = M.items(answer)
    local counted = ('%d passed, %d failed'):format(answer.passed, answer.failed + answer.broken)
    vim.fn.setqflist({}, ' ', { title = 'nodewise test: ' .. counted, items = items })
    if #items > 0 then
      vim.cmd('botright copen')
      vim.cmd('wincmd p')
    end
    local level = #items > 0 and vim.log.levels.WARN or vim.log.levels.INFO
    vim.notify('nodewise: ' .. (#answer.scenarios > 0 and counted or 'no scenarios found'), level)
  end)
end

return M
