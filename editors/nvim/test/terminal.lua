--- A Neovim in a separate terminal, as a person sees it, through tmux, which draws the screen.
---
--- Screen captures are part of the documentation. A screen is compared only with the version of Neovim of its capture,
--- because screens differ between versions. NODEWISE_CAPTURES=write writes them again.

---@class Terminal
---@field socket string
---@field folder string
---@field child Child the same Neovim, for data that is not on the screen
local Terminal = {}
Terminal.__index = Terminal

local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')
local captures = vim.fs.normalize(here .. '/../../../docs/captures')
local patience = vim.env.NODEWISE_CONTROL and 1500 or tonumber(vim.env.NODEWISE_PATIENCE or 20000)
local WIDTH, HEIGHT = 110, 36

local M = {}

---@param arguments string[]
---@return string
function Terminal:tmux(arguments)
  local command = vim.list_extend({ 'tmux', '-u', '-L', self.socket, '-f', '/dev/null' }, arguments)
  local result = vim.system(command, { text = true }):wait()
  assert(result.code == 0, 'tmux: ' .. (result.stderr or ''))
  return result.stdout
end

--- Opens a file in a Neovim with its own screen.
---@param folder string the project, and where Neovim runs
---@param file string
---@return Terminal
function M.start(folder, file)
  local home = folder .. '/.home'
  vim.fn.mkdir(home, 'p')
  local terminal = setmetatable({ socket = 'nodewise-' .. vim.uv.hrtime(), folder = folder }, Terminal)
  local environment = { HOME = home, LC_ALL = 'C.UTF-8' }
  for _, kind in ipairs({ 'CONFIG', 'DATA', 'STATE', 'CACHE' }) do
    environment['XDG_' .. kind .. '_HOME'] = home .. '/' .. kind:lower()
  end
  for _, name in ipairs({ 'NODEWISE_SERVER', 'VIMRUNTIME', 'NVIM_PARSERS' }) do
    environment[name] = vim.env[name]
  end
  local words = { 'exec', 'env' }
  for name, value in vim.spairs(environment) do
    table.insert(words, vim.fn.shellescape(name .. '=' .. value))
  end
  local address = home .. '/nvim.sock'
  local load = 'luafile ' .. here .. '/init.lua'
  for _, word in ipairs({ vim.v.progpath, '--clean', '-n', '--listen', address, '--cmd', load, file }) do
    table.insert(words, vim.fn.shellescape(word))
  end
  local size = { '-x', tostring(WIDTH), '-y', tostring(HEIGHT) }
  local session = vim.list_extend({ 'new-session', '-d', '-c', folder }, size)
  terminal:tmux(vim.list_extend(session, { table.concat(words, ' ') }))
  terminal.child = require('child').connect(address, folder)
  return terminal
end

--- Presses keys, each given as a name or a text. Do not use Escape: with the next key, it would be read as Alt.
---@param ... string
function Terminal:keys(...)
  for _, key in ipairs({ ... }) do
    self:tmux({ 'send-keys', key })
  end
end

--- The screen, without spaces at the ends of its lines.
---@return string[]
function Terminal:screen()
  return vim.tbl_map(function(line)
    return (line:gsub('%s+$', ''))
  end, vim.split(self:tmux({ 'capture-pane', '-p' }), '\n'))
end

--- Waits until the screen shows all of some texts.
---@param ... string
function Terminal:shows(...)
  local wanted, missing = { ... }, nil
  local in_time = vim.wait(patience, function()
    local screen = table.concat(self:screen(), '\n')
    missing = vim.iter(wanted):find(function(text)
      return not screen:find(text, 1, true)
    end)
    return missing == nil
  end, 50)
  if not in_time then
    error(('the screen does not show `%s`:\n%s'):format(missing, table.concat(self:screen(), '\n')), 0)
  end
end

--- Waits until the screen stops changing.
---@return string[]
function Terminal:at_rest()
  local before, same = {}, 0
  vim.wait(patience, function()
    local now = self:screen()
    same = vim.deep_equal(before, now) and same + 1 or 0
    before = now
    return same == 3
  end, 150)
  return before
end

--- Waits until the screen no longer shows a text.
---@param text string
function Terminal:hides(text)
  local in_time = vim.wait(patience, function()
    return not table.concat(self:screen(), '\n'):find(text, 1, true)
  end, 50)
  assert(in_time, 'the screen still shows ' .. text)
end

--- Compares the screen with its capture, or writes it.
---@param name string
---@param what string
---@param moves? boolean whether it keeps changing: then it is only written
function Terminal:capture(name, what, moves)
  local version = vim.version()
  local made_with = ('Neovim %d.%d.%d'):format(version.major, version.minor, version.patch)
  local head = ('%s, in %s.'):format(what, made_with)
  ---@param lines string[]
  local function text_of(lines)
    local screen = table.concat(lines, '\n'):gsub('\n+$', '')
    return head .. '\n\n' .. screen .. '\n'
  end
  local path = ('%s/%s.txt'):format(captures, name)
  local file = io.open(path)
  local known = file and file:read('*a')
  if file then
    file:close()
  end
  if vim.env.NODEWISE_CAPTURES == 'write' then
    require('child').write(path, text_of(self:at_rest()))
  elseif not moves and known and vim.startswith(known, head .. '\n') then
    -- On a busy machine, a screen can pause before everything is shown.
    local last, text = vim.uv.hrtime() + patience * 1e6, nil
    repeat
      text = text_of(self:at_rest())
    until text == known or vim.uv.hrtime() > last
    if text ~= known then
      error(('%s shows something else; NODEWISE_CAPTURES=write writes it anew\n%s'):format(path, text), 0)
    end
  end
end

function Terminal:stop()
  pcall(vim.fn.chanclose, self.child.channel)
  pcall(self.tmux, self, { 'kill-server' })
  vim.fn.delete(self.folder, 'rf')
end

return M
