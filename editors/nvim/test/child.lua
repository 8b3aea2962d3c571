--- A separate Neovim for each test, controlled with real keys.

---@class Child
---@field channel integer
---@field folder string the folder of its project
local Child = {}
Child.__index = Child

local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')
local patience = vim.env.NODEWISE_CONTROL and 700 or tonumber(vim.env.NODEWISE_PATIENCE or 20000)

local M = {}

--- A separate folder with copies of files and folders of the repository's examples.
---@param names string[]
---@return string
function M.project(names)
  local folder = vim.uv.fs_realpath(vim.fs.dirname(vim.fn.tempname())) .. '/' .. vim.uv.hrtime()
  vim.fn.mkdir(folder, 'p')
  for _, name in ipairs(names) do
    local source = vim.fs.normalize(here .. '/../../../examples/' .. name)
    vim.system({ 'cp', '-r', source, folder .. '/' .. vim.fs.basename(name) }):wait()
  end
  return folder
end

---@param path string
---@param text string
function M.write(path, text)
  vim.fn.mkdir(vim.fs.dirname(path), 'p')
  local file = assert(io.open(path, 'w'))
  file:write(text)
  file:close()
end

---@param path string
---@return string
function M.read(path)
  local file = assert(io.open(path))
  local text = file:read('*a')
  file:close()
  return text
end

--- Starts a Neovim in a folder.
---@param folder string
---@param options? table the plugin's
---@return Child
function M.start(folder, options)
  local home = folder .. '/.home'
  vim.fn.mkdir(home, 'p')
  local command = { vim.v.progpath, '--clean', '-n', '--headless', '--embed', '--cmd', 'luafile ' .. here .. '/init.lua' }
  local environment = { HOME = home, NODEWISE_OPTIONS = vim.json.encode(options or vim.empty_dict()) }
  for _, kind in ipairs({ 'CONFIG', 'DATA', 'STATE', 'CACHE' }) do
    environment['XDG_' .. kind .. '_HOME'] = home .. '/' .. kind:lower()
  end
  local channel = vim.fn.jobstart(command, { rpc = true, cwd = folder, env = environment })
  assert(channel > 0, 'Neovim does not start')
  local child = setmetatable({ channel = channel, folder = folder }, Child)
  child:call('nvim_set_option_value', 'columns', 120, {})
  child:call('nvim_set_option_value', 'lines', 50, {})
  return child
end

--- Connects to a Neovim after it has started.
---@param address string
---@param folder string
---@return Child
function M.connect(address, folder)
  local channel
  local in_time = vim.wait(patience, function()
    local listens, connected = pcall(vim.fn.sockconnect, 'pipe', address, { rpc = true })
    channel = listens and connected
    return listens
  end, 20)
  assert(in_time, 'Neovim does not listen')
  local child = setmetatable({ channel = channel, folder = folder }, Child)
  -- Neovim listens before it has loaded its plugins.
  child:wait_lua('Neovim has started', 'return vim.v.vim_did_enter == 1')
  return child
end

---@param method string
function Child:call(method, ...)
  return vim.rpcrequest(self.channel, method, ...)
end

--- Runs Lua in the Neovim.
---@param code string
function Child:lua(code, ...)
  local result = self:call('nvim_exec_lua', code, { ... })
  if result == vim.NIL then
    return nil
  end
  return result
end

--- Presses keys.
---@param keys string
function Child:keys(keys)
  self:call('nvim_input', keys)
end

--- Waits until `holds` returns a value, and returns it.
---@generic T
---@param what string
---@param holds fun(): T?
---@return T
function Child:wait(what, holds)
  local result
  local in_time = vim.wait(patience, function()
    result = holds()
    return result
  end, 10)
  if not in_time then
    local seen = {
      notified = self:lua('return notified'),
      messages = self:call('nvim_exec2', 'messages', { output = true }).output,
      mode = self:call('nvim_get_mode'),
      line = self:call('nvim_get_current_line'),
      buffer = vim.list_slice(self:lines(), 1, 40),
      diagnostics = self:diagnostics(),
    }
    error(('%s: not in %d ms\n%s'):format(what, patience, vim.inspect(seen)), 0)
  end
  return result
end

--- Waits until Lua in the Neovim returns a true value.
---@param what string
---@param code string
function Child:wait_lua(what, code, ...)
  local arguments = { ... }
  return self:wait(what, function()
    return self:lua(code, unpack(arguments))
  end)
end

--- Opens a file of the project, and waits for the server.
---@param name string
function Child:edit(name)
  self:call('nvim_command', 'edit ' .. self.folder .. '/' .. name)
  self:wait_lua('the server is attached', [[return #vim.lsp.get_clients({ name = 'nodewise', bufnr = 0 }) == 1]])
end

--- Waits until the server has read the folders.
function Child:wait_for_folders()
  self:lua([[
    _G.whole = nil
    require('nodewise.requests').execute('nodewise.status', nil, function(answer)
      _G.whole = #answer.projects > 0 and vim.iter(answer.projects):all(function(one) return one.isComplete end)
    end)
  ]])
  self:wait('the folders are read', function()
    local whole = self:lua('return whole')
    if whole == false then
      self:wait_for_folders()
      return true
    end
    return whole
  end)
end

--- Waits until everything that the server reported for the current buffer is shown.
function Child:wait_for_diagnostics()
  self:lua([[
    _G.said = nil
    local document = { textDocument = vim.lsp.util.make_text_document_params(0), identifier = 'nodewise' }
    require('nodewise.requests').ask('textDocument/diagnostic', document, function(report)
      _G.said = #report.items
    end)
  ]])
  self:wait_lua('the diagnostics', 'return said ~= nil and said == #vim.diagnostic.get(0)')
end

--- The lines of the current buffer, or of another.
---@param bufnr? integer
---@return string[]
function Child:lines(bufnr)
  return self:call('nvim_buf_get_lines', bufnr or 0, 0, -1, false)
end

---@return string
function Child:name()
  return self:call('nvim_buf_get_name', 0)
end

--- Moves the cursor to a text in the buffer, with an offset in bytes.
---@param text string
---@param offset? integer
function Child:find(text, offset)
  for row, line in ipairs(self:lines()) do
    local at = line:find(text, 1, true)
    if at then
      self:call('nvim_win_set_cursor', 0, { row, at - 1 + (offset or 0) })
      return row
    end
  end
  error(('no line holds `%s`'):format(text), 0)
end

--- The lines of a visible buffer with a file type.
---@param filetype string
---@return string[]?
function Child:shown(filetype)
  return self:lua(
    [[
    for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
      local bufnr = vim.api.nvim_win_get_buf(window)
      if vim.bo[bufnr].filetype == ... then
        return vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)
      end
    end
  ]],
    filetype
  )
end

--- The nodewise messages in the current buffer, each with its line.
---@return string[]
function Child:diagnostics()
  return self:lua([[
    return vim.iter(vim.diagnostic.get(0)):map(function(one)
      return ('%d %s %s'):format(one.lnum + 1, one.code or '', vim.split(one.message, '\n')[1])
    end):totable()
  ]])
end

--- Waits until a lens of a line of the current buffer is shown with a title, or no longer is.
---@param row integer
---@param title string
---@param is_gone? boolean
function Child:wait_for_lens(row, title, is_gone)
  self:wait_lua(
    ('the lens %s%s'):format(title, is_gone and ' is gone' or ''),
    [[
    local row, title, is_gone = ...
    local found = vim.lsp.codelens.enable and vim.lsp.codelens.get({ bufnr = 0 }) or vim.lsp.codelens.get(0)
    return is_gone ~= vim.iter(found):any(function(one)
      local lens = one.lens or one
      return lens.range.start.line + 1 == row and lens.command and lens.command.title == title
    end)
  ]],
    row,
    title,
    is_gone == true
  )
end

--- Waits until the timeline of a run is shown, and contains a text.
---@param text? string
---@return string[]
function Child:timeline(text)
  return self:wait('the timeline' .. (text and ' with ' .. text or ''), function()
    local lines = self:shown('nodewise-timeline')
    return lines and #lines > 1 and table.concat(lines, '\n'):find(text or '', 1, true) and lines
  end)
end

--- Waits until the state at the step contains a text.
---@param text string
function Child:wait_for_state(text)
  self:wait('the state holds ' .. text, function()
    local lines = self:shown('nodewise-state')
    return lines and table.concat(lines, '\n'):find(text, 1, true)
  end)
end

--- The decorations of runs in the current buffer, by their highlight group. For signs, the lines.
---@return table<string, string[]>
function Child:painted()
  return self:lua([[
    local namespace = vim.api.nvim_get_namespaces()['nodewise.runs']
    local by_group = {}
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true })) do
      local row, column, details = mark[2], mark[3], mark[4]
      local group = details.hl_group or details.sign_hl_group or 'virtual'
      local text = details.hl_group
        and vim.api.nvim_buf_get_text(0, row, column, details.end_row, details.end_col, {})[1]
        or tostring(row + 1)
      by_group[group] = by_group[group] or {}
      table.insert(by_group[group], text)
    end
    return by_group
  ]])
end

function Child:stop()
  pcall(vim.rpcrequest, self.channel, 'nvim_command', 'qall!')
  vim.fn.jobstop(self.channel)
  vim.fn.jobwait({ self.channel }, 2000)
  vim.fn.delete(self.folder, 'rf')
end

return M
