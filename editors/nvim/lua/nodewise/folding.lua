--- Folds from the server. Neovim 0.11 and newer support them. For older versions, they are requested after each change.

local versions = require('nodewise.versions')

local M = {}

--- The value of `foldexpr` for each line of a buffer, such as `1` or `>2` where a fold begins.
---@type table<integer, table<integer, string>>
local levels = {}

---@param folds lsp.FoldingRange[]
---@return table<integer, string> levels by line, from 1
function M.levels(folds)
  local depth, begins = {}, {}
  for _, fold in ipairs(folds) do
    begins[fold.startLine + 1] = true
    for line = fold.startLine + 1, fold.endLine + 1 do
      depth[line] = (depth[line] or 0) + 1
    end
  end
  local by_line = {}
  for line, level in pairs(depth) do
    by_line[line] = (begins[line] and '>' or '') .. level
  end
  return by_line
end

--- The function for `foldexpr` in versions without folds from servers.
function M.expression()
  local by_line = levels[vim.api.nvim_get_current_buf()]
  return by_line and by_line[vim.v.lnum] or '0'
end

---@param client vim.lsp.Client
---@param bufnr integer
local function ask(client, bufnr)
  local parameters = { textDocument = vim.lsp.util.make_text_document_params(bufnr) }
  versions.request(client, 'textDocument/foldingRange', parameters, function(_, folds)
    levels[bufnr] = M.levels(folds or {})
    for _, window in ipairs(vim.fn.win_findbuf(bufnr)) do
      if vim.wo[window].foldmethod == 'expr' then
        vim.wo[window].foldmethod = 'expr'
      end
    end
  end, bufnr)
end

---@param bufnr integer
local function set_windows(bufnr)
  local expression = vim.lsp.foldexpr and 'v:lua.vim.lsp.foldexpr()'
    or "v:lua.require'nodewise.folding'.expression()"
  for _, window in ipairs(vim.fn.win_findbuf(bufnr)) do
    vim.wo[window][0].foldexpr = expression
    vim.wo[window][0].foldmethod = 'expr'
  end
end

---@param client vim.lsp.Client
---@param bufnr integer
function M.attach(client, bufnr)
  local group = vim.api.nvim_create_augroup('nodewise.folding.' .. bufnr, {})
  vim.api.nvim_create_autocmd('BufWinEnter', {
    group = group,
    buffer = bufnr,
    callback = function()
      set_windows(bufnr)
    end,
  })
  set_windows(bufnr)
  if vim.lsp.foldexpr then
    return
  end
  ask(client, bufnr)
  vim.api.nvim_create_autocmd({ 'InsertLeave', 'TextChanged' }, {
    group = group,
    buffer = bufnr,
    callback = function()
      ask(client, bufnr)
    end,
  })
end

return M
