--- Code lenses: shows them in every version of Neovim, and finds what can be run at the cursor.

local requests = require('nodewise.requests')

local M = {}

--- The argument of `nodewise.simulate`.
---@class nodewise.Runnable
---@field uri? string
---@field graph? string
---@field node? string
---@field only? boolean
---@field scenario? integer
---@field script? string|table
---@field announce? boolean
---@field fork? table

---@param bufnr integer
function M.refresh(bufnr)
  if vim.lsp.codelens.enable then
    vim.lsp.codelens.enable(true, { bufnr = bufnr })
  else
    vim.lsp.codelens.refresh({ bufnr = bufnr })
  end
end

--- Shows the lenses of a buffer, and keeps them up to date.
---@param bufnr integer
function M.attach(bufnr)
  if vim.lsp.codelens.enable then
    -- Run this after the rest of the attachment, which is also scheduled. Otherwise Neovim sends two requests, and
    -- loses the titles of the first answer.
    return vim.schedule(function()
      vim.schedule(function()
        if vim.api.nvim_buf_is_loaded(bufnr) then
          M.refresh(bufnr)
        end
      end)
    end)
  end
  M.refresh(bufnr)
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'TextChanged', 'BufWritePost' }, {
    group = vim.api.nvim_create_augroup('nodewise.lenses.' .. bufnr, {}),
    buffer = bufnr,
    callback = function()
      vim.lsp.codelens.refresh({ bufnr = bufnr })
    end,
  })
end

--- Lists the places where a name is used.
---@param locations lsp.Location[]
---@param title string
function M.show_references(locations, title)
  local encoding = assert(requests.client()).offset_encoding
  local items = vim.lsp.util.locations_to_items(locations, encoding)
  vim.fn.setqflist({}, ' ', { title = title, items = items })
  vim.cmd('botright copen')
end

---@param range lsp.Range
---@param line integer
local function holds(range, line)
  return range.start.line <= line and line <= range['end'].line
end

--- The symbols around a line, innermost first.
---@param symbols lsp.DocumentSymbol[]
---@param line integer
---@param around? lsp.DocumentSymbol[]
---@return lsp.DocumentSymbol[]
local function symbols_around(symbols, line, around)
  around = around or {}
  for _, symbol in ipairs(symbols) do
    if holds(symbol.range, line) then
      table.insert(around, 1, symbol)
      return symbols_around(symbol.children or {}, line, around)
    end
  end
  return around
end

--- A lens is at the name of its symbol, or at the first line of the symbol if the name is on a later one.
---@param lens lsp.CodeLens
---@param symbol lsp.DocumentSymbol
local function is_of(lens, symbol)
  local start, selected = lens.range.start, symbol.selectionRange.start
  local is_above = selected.line > symbol.range.start.line and start.line == symbol.range.start.line
  return is_above or vim.deep_equal(start, selected)
end

--- Lenses in the order of their relevance for a line: those of the symbols around it from the inside out, then those
--- above it.
---@param lenses lsp.CodeLens[]
---@param symbols lsp.DocumentSymbol[]
---@param line integer
---@return lsp.CodeLens[]
local function by_concern(lenses, symbols, line)
  local ordered = {}
  for _, symbol in ipairs(symbols_around(symbols, line)) do
    for _, lens in ipairs(lenses) do
      if is_of(lens, symbol) then
        table.insert(ordered, lens)
      end
    end
  end
  for index = #lenses, 1, -1 do
    if lenses[index].range.start.line <= line then
      table.insert(ordered, lenses[index])
    end
  end
  return ordered
end

--- Finds a lens for the cursor's line whose run fits.
---@param bufnr integer
---@param line integer from 0
---@param fits fun(run: nodewise.Runnable): boolean
---@param done fun(run?: nodewise.Runnable)
function M.runnable(bufnr, line, fits, done)
  local document = { textDocument = vim.lsp.util.make_text_document_params(bufnr) }
  requests.ask('textDocument/codeLens', document, function(lenses)
    requests.ask('textDocument/documentSymbol', document, function(symbols)
      for _, lens in ipairs(by_concern(lenses or {}, symbols or {}, line)) do
        local command = lens.command
        local run = command and command.command == 'nodewise.simulate' and command.arguments[1]
        if run and fits(run) then
          return done(run)
        end
      end
      done(nil)
    end, bufnr)
  end, bufnr)
end

return M
