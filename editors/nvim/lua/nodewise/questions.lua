--- Questions of the server to the user: permissions for live runs, and decisions in them.
---
--- Such a question has many lines, but replacements of `vim.ui.select` often show only one. In: the question. Out: the
--- choice. Invariant: the text is visible while the choice is open. If there is no room for some lines, their number is
--- shown.

local windows = require('nodewise.windows')

local M = {}

--- The lines below the text, for the choices and the command line.
local BELOW = 8
--- The `zindex` of the text: above the windows of pickers, and below messages, which show the rest of a long text.
local ABOVE = 190

--- Shows lines at the top of the screen, above all other windows.
---@param lines string[]
---@return integer window
---@return boolean is_whole whether there is room for all of them
local function show(lines)
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.bo[bufnr].bufhidden = 'wipe'
  windows.fill(bufnr, lines)
  local room = math.max(1, vim.o.lines - BELOW)
  local window = vim.api.nvim_open_win(bufnr, false, {
    relative = 'editor',
    row = 0,
    col = 0,
    width = math.max(1, vim.o.columns - 2),
    height = room,
    style = 'minimal',
    border = 'single',
    focusable = false,
    zindex = ABOVE,
  })
  vim.wo[window].wrap = true
  local kept = #lines
  while kept > 1 and vim.api.nvim_win_text_height(window, { end_row = kept - 1 }).all > room do
    -- The line with the number of hidden lines needs room too.
    room = kept == #lines and room - 1 or room
    kept = kept - 1
  end
  if kept < #lines then
    local rest = ('… %d more lines'):format(#lines - kept)
    windows.fill(bufnr, vim.list_extend(vim.list_slice(lines, 1, kept), { rest }))
  end
  vim.api.nvim_win_set_height(window, vim.api.nvim_win_text_height(window, {}).all)
  -- Neovim's own choice does not redraw the screen.
  vim.cmd.redraw()
  return window, kept == #lines
end

--- Answers `window/showMessageRequest`.
---@param question lsp.ShowMessageRequestParams
---@return lsp.MessageActionItem|vim.NIL
function M.ask(question)
  local lines = vim.split(question.message, '\n')
  local window, is_whole
  -- The command-line window does not allow other windows.
  if #lines > 1 and vim.fn.getcmdwintype() == '' then
    window, is_whole = show(lines)
  end
  local options = {
    kind = 'lsp_message',
    prompt = (is_whole and lines[1] or question.message) .. ': ',
    format_item = function(action)
      return action.title
    end,
  }
  local asked = assert(coroutine.running())
  vim.ui.select(question.actions or {}, options, function(chosen)
    -- After the yield, because the choice may be made immediately.
    vim.schedule(function()
      windows.close(window)
      coroutine.resume(asked, chosen or vim.NIL)
    end)
  end)
  return coroutine.yield()
end

return M
