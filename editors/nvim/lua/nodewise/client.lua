--- The client of the language server: its configuration, and its buffers.
---
--- One server serves all folders. A buffer with another root adds a folder instead of starting another process.

local binary = require('nodewise.binary')
local options = require('nodewise.options')
local requests = require('nodewise.requests')
local versions = require('nodewise.versions')

local M = {}

local group = vim.api.nvim_create_augroup('nodewise', {})

--- Capabilities in addition to those of Neovim.
local capabilities = {
  -- The server sends lenses with their commands. Neovim 0.12 asks for the missing ones one by one, and loses them if
  -- another answer with lenses arrives meanwhile.
  textDocument = { codeLens = { resolveSupport = { properties = {} } } },
  workspace = {
    codeLens = { refreshSupport = true },
    diagnostics = { refreshSupport = true },
    fileOperations = { willRename = true },
    textDocumentContent = { dynamicRegistration = true },
  },
  experimental = { nodewiseSimulated = true, nodewiseMarks = true, commands = { commands = { 'nodewise.showReferences' } } },
}

--- The root folder of a buffer's file.
---@param bufnr integer
---@return string?
function M.root(bufnr)
  for _, marker in ipairs(options.get().root_markers) do
    local root = vim.fs.root(bufnr, { marker })
    if root then
      return root
    end
  end
end

local modules = { 'typescript', 'typescriptreact', 'javascript', 'javascriptreact' }

--- Whether a buffer is a module of a program. The server of its own language answers most requests.
---@param bufnr integer
function M.is_module(bufnr)
  return vim.list_contains(modules, vim.bo[bufnr].filetype)
end

--- Whether a module may import functions that build graphs: the server has nothing to say about others.
---@param bufnr integer
function M.imports_builders(bufnr)
  for _, line in ipairs(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)) do
    for _, package in ipairs(require('nodewise.packages')) do
      if line:find(package, 1, true) then
        return true
      end
    end
  end
  return false
end

--- Answers a refresh request of the server by repeating the request for each buffer.
---@param ask fun(client: vim.lsp.Client, bufnr: integer)
local function asked_again(ask)
  return function(_, _, context)
    local client = assert(vim.lsp.get_client_by_id(context.client_id))
    for bufnr in pairs(client.attached_buffers) do
      ask(client, bufnr)
    end
    return vim.NIL
  end
end

---@return table<string, function>
local function handlers()
  local all = {
    ['nodewise/simulated'] = function(_, result, context)
      require('nodewise.marks').simulated(result, context.client_id)
    end,
    ['nodewise/runProgress'] = function(_, part, context)
      local client = vim.lsp.get_client_by_id(context.client_id)
      if client then
        require('nodewise.following').take(requests.without_nulls(part), client)
      end
    end,
    ['window/showMessageRequest'] = function(_, question)
      return require('nodewise.questions').ask(question)
    end,
    -- Neovim 0.10 has no handler. That of 0.12 requests the whole workspace, and does not update open buffers.
    ['workspace/diagnostic/refresh'] = asked_again(function(client, bufnr)
      require('nodewise.diagnostics').pull(client, bufnr)
    end),
  }
  if not vim.lsp.handlers['workspace/codeLens/refresh'] then
    all['workspace/codeLens/refresh'] = asked_again(function(_, bufnr)
      require('nodewise.lenses').refresh(bufnr)
    end)
  end
  return all
end

--- The commands of lenses and actions that the editor runs.
local commands = {
  ['nodewise.simulate'] = function(command, context)
    require('nodewise.runs').simulate(requests.without_nulls(command.arguments[1]), context.bufnr)
  end,
  ['nodewise.run'] = function(command, context)
    require('nodewise.runs').live(requests.without_nulls(command.arguments[1]), context.bufnr)
  end,
  ['nodewise.request'] = function(command, context)
    require('nodewise.runs').show_request(requests.without_nulls(command.arguments[1]), context.bufnr)
  end,
  ['nodewise.markGraph'] = function(command, context)
    require('nodewise.graph').marked(requests.without_nulls(command.arguments[1]), context.bufnr)
  end,
  ['nodewise.showReferences'] = function(command)
    require('nodewise.lenses').show_references(command.arguments[3], command.title)
  end,
}

---@param dispatchers vim.lsp.rpc.Dispatchers
local function start_server(dispatchers)
  return vim.lsp.rpc.start(assert(binary.command(), binary.missing()), dispatchers)
end

---@param client vim.lsp.Client
local function is_ours(client)
  return client.name == requests.name and not versions.is_stopped(client)
end

--- The configuration of the client, for `vim.lsp.config`.
---@return vim.lsp.Config
function M.config()
  local chosen = options.get()
  return {
    cmd = start_server,
    filetypes = chosen.filetypes,
    root_dir = function(bufnr, on_dir)
      -- The only TOML file that the server reads is its configuration.
      if vim.bo[bufnr].filetype == 'toml' and vim.fs.basename(vim.api.nvim_buf_get_name(bufnr)) ~= 'nodewise.toml' then
        return
      end
      if M.is_module(bufnr) and not M.imports_builders(bufnr) then
        return
      end
      if not binary.command() then
        return binary.tell_missing()
      end
      on_dir(M.root(bufnr))
    end,
    reuse_client = is_ours,
    capabilities = capabilities,
    handlers = handlers(),
    commands = commands,
    settings = { nodewise = chosen.settings },
  }
end

--- Starts the server for a buffer, or attaches the running one.
---@param bufnr integer
local function start(bufnr)
  if vim.bo[bufnr].buftype ~= '' or not vim.list_contains(options.get().filetypes, vim.bo[bufnr].filetype) then
    return
  end
  -- Settings from `vim.lsp.config` are used here too.
  local config = vim.lsp.config and vim.deepcopy(vim.lsp.config[requests.name]) or M.config()
  config.name = requests.name
  config.capabilities =
    vim.tbl_deep_extend('force', vim.lsp.protocol.make_client_capabilities(), config.capabilities)
  local reuse_client = config.reuse_client
  config.root_dir(bufnr, function(root)
    config.root_dir = root
    vim.lsp.start(config, { bufnr = bufnr, reuse_client = reuse_client })
  end)
end

--- Adds a buffer's folder to the server, unless the server already reads a folder around it.
---@param client vim.lsp.Client
---@param bufnr integer
local function join(client, bufnr)
  local root = M.root(bufnr)
  if not root then
    return
  end
  local folder = { uri = vim.uri_from_fname(root), name = root }
  for _, known in ipairs(client.workspace_folders or {}) do
    if known.uri == folder.uri or vim.startswith(folder.uri, known.uri .. '/') then
      return
    end
  end
  client.workspace_folders = vim.list_extend(client.workspace_folders or {}, { folder })
  local event = { added = { folder }, removed = {} }
  versions.notify(client, 'workspace/didChangeWorkspaceFolders', { event = event })
end

---@param client vim.lsp.Client
---@param bufnr integer
local function attached(client, bufnr)
  local chosen = options.get()
  join(client, bufnr)
  require('nodewise.marks').paint(bufnr)
  require('nodewise.diagnostics').attach(client, bufnr)
  if chosen.code_lens then
    require('nodewise.lenses').attach(bufnr)
  end
  if chosen.inlay_hints then
    vim.lsp.inlay_hint.enable(true, { bufnr = bufnr })
  end
  if chosen.folding and not M.is_module(bufnr) then
    require('nodewise.folding').attach(client, bufnr)
  end
  if chosen.completion and vim.lsp.completion then
    vim.lsp.completion.enable(true, client.id, bufnr, { autotrigger = true })
  end
end

--- Reports changes on disk to the server if Neovim does not watch files: files that Neovim wrote, and everything that
--- may have changed while another window had the focus.
local function watch_files()
  vim.api.nvim_create_autocmd('BufWritePost', {
    group = group,
    pattern = { 'nodewise.toml', '*.py' },
    callback = function(event)
      local client = requests.client()
      if client then
        local change = { uri = vim.uri_from_bufnr(event.buf), type = vim.lsp.protocol.FileChangeType.Changed }
        versions.notify(client, 'workspace/didChangeWatchedFiles', { changes = { change } })
      end
    end,
  })
  vim.api.nvim_create_autocmd('FocusGained', {
    group = group,
    callback = function()
      local client = requests.client()
      local path = { 'workspace', 'didChangeWatchedFiles', 'dynamicRegistration' }
      if client and not vim.tbl_get(client.capabilities, unpack(path)) then
        requests.execute('nodewise.refresh', nil)
      end
    end,
  })
end

---@param bufnr integer
local function start_soon(bufnr)
  -- `setup` may be called later in the same file.
  vim.schedule(function()
    if vim.api.nvim_buf_is_loaded(bufnr) and options.get().autostart then
      start(bufnr)
    end
  end)
end

--- Starts the server with the first file of its types.
function M.enable()
  vim.api.nvim_create_autocmd('LspAttach', {
    group = group,
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      if client and client.name == requests.name then
        attached(client, event.buf)
      end
    end,
  })
  watch_files()
  if not options.get().autostart then
    return
  end
  if vim.lsp.enable then
    return vim.lsp.enable(requests.name)
  end
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = options.get().filetypes,
    callback = function(event)
      start_soon(event.buf)
    end,
  })
  vim.iter(vim.api.nvim_list_bufs()):filter(vim.api.nvim_buf_is_loaded):each(start_soon)
end

--- Applies changed options, also to a running server.
function M.update()
  local chosen = options.get()
  binary.reset()
  if vim.lsp.enable then
    vim.lsp.config(requests.name, {
      filetypes = chosen.filetypes,
      settings = { nodewise = chosen.settings },
    })
    if not chosen.autostart and vim.lsp.is_enabled and vim.lsp.is_enabled(requests.name) then
      vim.lsp.enable(requests.name, false)
    end
  end
  local client = requests.client()
  if client then
    client.settings = { nodewise = chosen.settings }
    versions.notify(client, 'workspace/didChangeConfiguration', { settings = client.settings })
  end
end

--- Stops the server, and starts another one for the same buffers.
function M.restart()
  binary.reset()
  local clients = vim.lsp.get_clients({ name = requests.name })
  local buffers = {}
  for _, client in ipairs(clients) do
    vim.list_extend(buffers, vim.tbl_keys(client.attached_buffers))
    versions.stop(client)
  end
  if #buffers == 0 then
    buffers = vim.tbl_filter(vim.api.nvim_buf_is_loaded, vim.api.nvim_list_bufs())
  end
  local function has_ended()
    return vim.iter(clients):all(versions.is_stopped)
  end
  vim.wait(2000, has_ended, 20)
  vim.iter(clients):filter(is_ours):each(function(client)
    versions.stop(client, true)
  end)
  vim.iter(buffers):filter(vim.api.nvim_buf_is_loaded):each(start)
end

return M
