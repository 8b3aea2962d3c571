--- Loaded when Neovim starts: the command, the pages of the server, and the client.

if vim.g.loaded_nodewise then
  return
end
vim.g.loaded_nodewise = true

if vim.fn.has('nvim-0.10') == 0 then
  vim.notify('nodewise needs Neovim 0.10 or newer', vim.log.levels.ERROR)
  return
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
