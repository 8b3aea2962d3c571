--- Documents that the server provides, `nodewise:///…`: rule pages.

local binary = require('nodewise.binary')
local requests = require('nodewise.requests')

local M = {}

---@type string[]?
local rules

--- Makes it possible to open such documents like files.
function M.define()
  vim.api.nvim_create_autocmd('BufReadCmd', {
    group = vim.api.nvim_create_augroup('nodewise.pages', {}),
    pattern = 'nodewise:///*',
    callback = function(event)
      vim.bo[event.buf].buftype = 'nofile'
      vim.bo[event.buf].swapfile = false
      requests.ask('workspace/textDocumentContent', { uri = event.match }, function(result)
        if vim.api.nvim_buf_is_valid(event.buf) then
          require('nodewise.windows').fill(event.buf, vim.split(result.text, '\n'))
          vim.bo[event.buf].filetype = 'markdown'
        end
      end)
    end,
  })
end

--- The rule of the first nodewise diagnostic in the cursor's line.
---@return string?
local function rule_at_cursor()
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  for _, diagnostic in ipairs(vim.diagnostic.get(0, { lnum = line })) do
    if diagnostic.source == 'nodewise' and diagnostic.code then
      return tostring(diagnostic.code)
    end
  end
end

--- Opens the page of a rule. Without a name, the rule of a diagnostic in the cursor's line.
---@param rule? string
function M.explain(rule)
  rule = rule or rule_at_cursor()
  if not rule then
    return vim.notify('nodewise: no problem in this line. Use `:Nodewise explain {rule}`', vim.log.levels.WARN)
  end
  requests.execute('nodewise.explain', { rule = rule }, function()
    vim.cmd.split({ args = { vim.fn.fnameescape(('nodewise:///rules/%s.md'):format(rule)) } })
  end)
end

--- The ids of all rules, from the program.
---@return string[]
function M.rules()
  if rules then
    return rules
  end
  local program = binary.program()
  local listed = program and vim.system({ program, 'explain' }, { text = true, timeout = 5000 }):wait()
  if not listed or listed.code ~= 0 then
    return {}
  end
  rules = {}
  for name in listed.stdout:gmatch('([%w-]+)[^\n]*\n') do
    table.insert(rules, name)
  end
  return rules
end

return M
