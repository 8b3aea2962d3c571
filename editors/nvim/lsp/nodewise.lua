---@brief
---
--- nodewise, the language server for agent workflows of Liman, cycgraph and AgentOS. Neovim 0.11 and newer read this
--- file. `vim.lsp.config('nodewise', …)` overrides it. See `:help nodewise` for the rest.

---@type vim.lsp.Config
return require('nodewise.client').config()
