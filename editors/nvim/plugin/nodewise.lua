--- Loaded when Neovim starts: the command, the pages of the server, and the client.

if vim.g.loaded_nodewise then
  return
end
vim.g.loaded_nodewise = true

if vim.fn.has('nvim-0.10') == 0 then
  vim.notify('nodewise needs Neovim 0.10 or newer', vim.log.levels.ERROR)
  return
end

-- Without a plugin manager, nobody makes the tags of `:help nodewise`. A folder that cannot be written stays as it is.
local doc = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h') .. '/doc'
if vim.fn.filereadable(doc .. '/tags') == 0 and vim.fn.filewritable(doc) == 2 then
  pcall(vim.cmd.helptags, vim.fn.fnameescape(doc))
end

require('nodewise.commands').define()
require('nodewise.pages').define()
require('nodewise.debugging').define()

-- A plugin manager may load the plugin late, and call `setup` directly after that.
if vim.v.vim_did_enter == 1 then
  vim.schedule(require('nodewise.client').enable)
else
  require('nodewise.client').enable()
end
