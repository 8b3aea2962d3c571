---@brief
---
--- nodewise, the language server for agent workflows of Liman, cycgraph and AgentOS. Neovim 0.11 and newer read this file;
--- what `vim.lsp.config('nodewise', …)` says counts more. `:help nodewise` has the rest.

---@type vim.lsp.Config
return require('nodewise.client').config()
