--- What the server asks people: whether a live run may start what it needs, what they decide in it.
---
--- Such a question has many lines, and pickers in the place of `vim.ui.select` show one of them. In: the question; out: the
--- choice. Invariant: the text is in sight while the choice is open, and lines that the screen has no room for are counted.

local windows = require('nodewise.windows')

local M = {}

--- The lines that the choices and the command line need below the text.
local BELOW = 8
--- Above what pickers open, and below messages, which show the rest of a text that is too long.
local ABOVE = 190

--- Shows lines at the top of the screen, above everything that is open.
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
    -- The line that counts them takes room, too.
    room = kept == #lines and room - 1 or room
    kept = kept - 1
  end
  if kept < #lines then
    local rest = ('… %d more lines'):format(#lines - kept)
    windows.fill(bufnr, vim.list_extend(vim.list_slice(lines, 1, kept), { rest }))
  end
  vim.api.nvim_win_set_height(window, vim.api.nvim_win_text_height(window, {}).all)
  -- Neovim's own choice draws nothing but itself.
  vim.cmd.redraw()
  return window, kept == #lines
end

--- Answers `window/showMessageRequest`.
---@param question lsp.ShowMessageRequestParams
---@return lsp.MessageActionItem|vim.NIL
function M.ask(question)
  local lines = vim.split(question.message, '\n')
  local window, is_whole
  -- From the window of the command line no other one can be opened.
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
    -- Not before the yield, where somebody chooses at once.
    vim.schedule(function()
      windows.close(window)
      coroutine.resume(asked, chosen or vim.NIL)
    end)
  end)
  return coroutine.yield()
end

return M
