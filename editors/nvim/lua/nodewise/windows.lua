--- Windows for content without a file, and windows for files.

local M = {}

--- A buffer for lines that cannot be edited.
---@param name string
---@param filetype string
---@return integer bufnr
function M.scratch(name, filetype)
  local old = vim.fn.bufnr('^' .. vim.fn.escape(name, '[]*?{}\\') .. '$')
  if old ~= -1 then
    vim.api.nvim_buf_delete(old, { force = true })
  end
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(bufnr, name)
  vim.bo[bufnr].bufhidden = 'wipe'
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].filetype = filetype
  return bufnr
end

---@param bufnr integer
---@param lines string[]
function M.fill(bufnr, lines)
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].modified = false
end

--- Adds lines after the first `count` ones. An empty buffer has one line, which is replaced.
---@param bufnr integer
---@param count integer
---@param lines string[]
function M.append(bufnr, count, lines)
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, count, -1, false, lines)
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].modified = false
end

--- Colours parts of a line. Each part is a group, its first byte, and the byte after it (-1 for the end of the line).
---@param bufnr integer
---@param namespace integer
---@param row integer
---@param parts [string, integer, integer][]
function M.colour(bufnr, namespace, row, parts)
  local line = vim.api.nvim_buf_get_lines(bufnr, row, row + 1, false)[1] or ''
  for _, part in ipairs(parts) do
    local last = part[3] == -1 and #line or math.min(part[3], #line)
    local mark = { end_col = last, hl_group = part[1] }
    vim.api.nvim_buf_set_extmark(bufnr, namespace, row, math.min(part[2], #line), mark)
  end
end

--- Opens a window without sign and number columns.
---@param bufnr integer
---@param config vim.api.keyset.win_config
---@param enter boolean
---@return integer window
function M.open(bufnr, config, enter)
  local window = vim.api.nvim_open_win(bufnr, enter, config)
  local chosen = {
    number = false,
    relativenumber = false,
    signcolumn = 'no',
    foldcolumn = '0',
    foldenable = false,
    wrap = false,
    spell = false,
    cursorline = true,
  }
  for name, value in pairs(chosen) do
    vim.api.nvim_set_option_value(name, value, { win = window, scope = 'local' })
  end
  return window
end

---@param window integer?
---@return boolean
function M.is_open(window)
  return window ~= nil and vim.api.nvim_win_is_valid(window)
end

--- Closes a window. Neovim keeps the last one, which then shows another buffer.
---@param window? integer
---@param bufnr? integer the other buffer; an empty one by default
function M.close(window, bufnr)
  if not M.is_open(window) then
    return
  end
  ---@cast window integer
  local is_closed, failure = pcall(vim.api.nvim_win_close, window, true)
  if is_closed then
    return
  end
  if not tostring(failure):find('E444', 1, true) then
    error(failure, 0)
  end
  local is_there = bufnr and vim.api.nvim_buf_is_valid(bufnr)
  vim.api.nvim_win_set_buf(window, is_there and bufnr or vim.api.nvim_create_buf(true, false))
end

--- A window of this tab page that shows a file. The given one, if it still does.
---@param preferred? integer
---@return integer?
function M.of_files(preferred)
  local all = vim.api.nvim_tabpage_list_wins(0)
  if preferred and vim.list_contains(all, preferred) then
    table.insert(all, 1, preferred)
  end
  for _, window in ipairs(all) do
    local is_floating = vim.api.nvim_win_get_config(window).relative ~= ''
    if not is_floating and vim.bo[vim.api.nvim_win_get_buf(window)].buftype == '' then
      return window
    end
  end
end

--- Shows a place of a file in a window, which is opened if there is none. The cursor stays where it is.
---@param location lsp.Location
---@param encoding string
---@param preferred? integer
---@return integer window
function M.show(location, encoding, preferred)
  local window = M.of_files(preferred)
  local bufnr = vim.uri_to_bufnr(location.uri)
  if not window then
    window = vim.api.nvim_open_win(bufnr, false, { split = 'above', win = -1 })
  end
  if vim.api.nvim_win_get_buf(window) ~= bufnr then
    vim.bo[bufnr].buflisted = true
    vim.api.nvim_win_set_buf(window, bufnr)
  end
  local start = location.range.start
  local line = vim.api.nvim_buf_get_lines(bufnr, start.line, start.line + 1, false)[1]
  if line then
    local byte = require('nodewise.versions').byte(line, start.character, encoding)
    vim.api.nvim_win_set_cursor(window, { start.line + 1, byte })
    vim.api.nvim_win_call(window, function()
      vim.cmd('normal! zv')
    end)
  end
  return window
end

--- Goes to a place in a file.
---@param location lsp.Location
---@param encoding string
---@param preferred? integer
function M.go(location, encoding, preferred)
  local window = M.of_files(preferred)
  if window then
    vim.api.nvim_win_call(window, function()
      vim.cmd("normal! m'")
    end)
  end
  vim.api.nvim_set_current_win(M.show(location, encoding, preferred))
end

return M
