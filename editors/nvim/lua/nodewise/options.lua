--- The options of the user: the table of `setup`, or `vim.g.nodewise`.
---
--- An unknown option, or one of the wrong type, is reported and ignored. Then the default applies.

local M = {}

---@class nodewise.ViewOptions
---@field position? 'below'|'right' where the timeline opens
---@field size? number its part of the screen, from 0.1 to 0.9
---@field follow? boolean whether the source follows the step

---@class nodewise.Options
---@field cmd? string[] the command of the server; by default, the plugin searches for `nodewise`
---@field settings? table the server's settings, without the outer section `nodewise`
---@field autostart? boolean whether the server starts for the first declaration that is opened
---@field filetypes? string[]
---@field root_markers? string[] files that identify a root folder, in the order of priority
---@field code_lens? boolean
---@field inlay_hints? boolean the server's settings select them
---@field folding? boolean whether folds come from the server
---@field completion? boolean whether completion opens while you type, in Neovim 0.11 and newer
---@field coverage? boolean whether runs show signs for the lines that they reached or missed
---@field view? nodewise.ViewOptions

---@type nodewise.Options
local defaults = {
  settings = {},
  autostart = true,
  filetypes = { 'yaml', 'json', 'jsonc', 'toml', 'typescript', 'typescriptreact', 'javascript', 'javascriptreact' },
  root_markers = { 'nodewise.toml', '.git' },
  code_lens = true,
  inlay_hints = true,
  folding = false,
  completion = false,
  coverage = true,
  view = { position = 'below', size = 0.4, follow = true },
}

--- Options without a default, by their type.
local optional = { cmd = 'table' }

---@type nodewise.Options?
local current

---@param name string
---@param known any
---@param value any
---@return string? fault
local function fault(name, known, value)
  local wanted = optional[name] or type(known)
  if known == nil and not optional[name] then
    return ('unknown option `%s`'):format(name)
  elseif type(value) ~= wanted then
    return ('option `%s` must be a %s, not %s'):format(name, wanted, vim.inspect(value))
  end
end

---@param chosen table
---@param known table
---@param prefix string
---@return table
local function checked(chosen, known, prefix)
  local kept = {}
  for key, value in vim.spairs(chosen) do
    local name = prefix .. tostring(key)
    local wrong = fault(name, known[key], value)
    if wrong then
      vim.notify('nodewise: ' .. wrong, vim.log.levels.WARN)
    elseif name == 'view' then
      kept[key] = checked(value, known[key], 'view.')
    else
      kept[key] = value
    end
  end
  return kept
end

---@param base nodewise.Options
---@param chosen nodewise.Options
---@return nodewise.Options
local function merged(base, chosen)
  local kept = checked(chosen, defaults, '')
  local all = vim.tbl_extend('force', base, kept)
  all.view = vim.tbl_extend('force', base.view, kept.view or {})
  return all
end

---@return nodewise.Options
function M.get()
  current = current or merged(defaults, type(vim.g.nodewise) == 'table' and vim.g.nodewise or {})
  return current
end

---@param chosen nodewise.Options
function M.set(chosen)
  current = merged(M.get(), chosen)
end

return M
