--- Diagnostics of files that are open, also when it is another file that changed.
---
--- Neovim asks again about the buffer that was edited. What a file says depends on others, so the rest is asked here: what
--- windows show soon after an edit, everything else when it is entered.

local versions = require('nodewise.versions')

local M = {}

--- So long nothing may be typed before other windows are brought up to date.
local PAUSE = 200

local timer = assert(vim.uv.new_timer())

local METHOD = 'textDocument/diagnostic'

--- Takes back what was asked before: its answer may come after that to the next question, and be shown as the newer one.
---@param client vim.lsp.Client
---@param bufnr integer
local function cancel_pending(client, bufnr)
  for id, request in pairs(client.requests) do
    if request.type == 'pending' and request.method == METHOD and request.bufnr == bufnr then
      versions.cancel(client, id)
    end
  end
end

--- Asks for a buffer's diagnostics.
---@param client vim.lsp.Client
---@param bufnr integer
function M.pull(client, bufnr)
  local provider = client.server_capabilities.diagnosticProvider
  if not provider or not vim.api.nvim_buf_is_loaded(bufnr) then
    return
  end
  cancel_pending(client, bufnr)
  local parameters = {
    textDocument = vim.lsp.util.make_text_document_params(bufnr),
    identifier = provider.identifier,
  }
  versions.request(client, METHOD, parameters, nil, bufnr)
end

---@param client vim.lsp.Client
---@param edited integer
local function pull_others(client, edited)
  local asked = { [edited] = true }
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    local bufnr = vim.api.nvim_win_get_buf(window)
    if client.attached_buffers[bufnr] and not asked[bufnr] then
      asked[bufnr] = true
      M.pull(client, bufnr)
    end
  end
end

---@param client vim.lsp.Client
---@param bufnr integer
function M.attach(client, bufnr)
  local group = vim.api.nvim_create_augroup('nodewise.diagnostics.' .. bufnr, {})
  vim.api.nvim_create_autocmd('BufEnter', {
    group = group,
    buffer = bufnr,
    callback = function()
      if not versions.is_stopped(client) then
        M.pull(client, bufnr)
      end
    end,
  })
  vim.api.nvim_create_autocmd('LspNotify', {
    group = group,
    buffer = bufnr,
    callback = function(event)
      if event.data.client_id ~= client.id or event.data.method ~= 'textDocument/didChange' then
        return
      end
      timer:start(PAUSE, 0, function()
        vim.schedule(function()
          if not versions.is_stopped(client) then
            pull_others(client, bufnr)
          end
        end)
      end)
    end,
  })
end

return M
