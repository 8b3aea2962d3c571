--- Diagnostics of open files, also after another file changed.
---
--- Neovim requests the diagnostics of an edited buffer. They can depend on other files, so this module requests the
--- rest: visible buffers soon after an edit, other buffers when they are entered.

local versions = require('nodewise.versions')

local M = {}

--- The pause after typing, before other windows are updated.
local PAUSE = 200

local timer = assert(vim.uv.new_timer())

local METHOD = 'textDocument/diagnostic'

--- Cancels the previous request. Otherwise its answer could arrive last and be shown as the newer one.
---@param client vim.lsp.Client
---@param bufnr integer
local function cancel_pending(client, bufnr)
  for id, request in pairs(client.requests) do
    if request.type == 'pending' and request.method == METHOD and request.bufnr == bufnr then
      versions.cancel(client, id)
    end
  end
end

--- Requests a buffer's diagnostics.
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
