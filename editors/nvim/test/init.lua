--- The initial configuration of each tested Neovim: this plugin, the tested server, and a record of messages.

local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')
vim.opt.runtimepath:prepend(vim.fs.dirname(here))
-- The parsers of Neovim, if Neovim was moved to another folder after its build.
if vim.env.NVIM_PARSERS then
  vim.opt.runtimepath:prepend(vim.env.NVIM_PARSERS)
end

-- `--clean` excludes the folder of the user's own files.
local site = vim.fn.stdpath('data') .. '/site'
vim.opt.runtimepath:append({ site, site .. '/after' })

vim.o.swapfile = false
vim.o.shadafile = 'NONE'
vim.g.nodewise = vim.tbl_extend(
  'force',
  { cmd = { vim.env.NODEWISE_SERVER, 'lsp' } },
  vim.json.decode(vim.env.NODEWISE_OPTIONS or '{}')
)

--- All notifications, in order.
---@type string[]
_G.notified = {}
local notify = vim.notify
---@diagnostic disable-next-line: duplicate-set-field
vim.notify = function(text, ...)
  table.insert(_G.notified, text)
  -- With a screen, also show them.
  if #vim.api.nvim_list_uis() > 0 then
    notify(text, ...)
  end
end
