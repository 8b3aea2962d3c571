--- tree-sitter parsers for the conditions inside of YAML and JSON, compiled from the plugin's repository.
---
--- They colour conditions without a server. The parser for YAML itself is not included. For example, nvim-treesitter
--- has it.

local M = {}

---@class nodewise.Grammar
---@field parser string
---@field folder string

---@type nodewise.Grammar[]
local grammars = {
  { parser = 'limance', folder = 'tree-sitter-limance' },
  { parser = 'filtrex', folder = 'tree-sitter-filtrex' },
  { parser = 'agentos_routing', folder = 'tree-sitter-agentos-routing' },
}

--- The folder of the sources, next to the folder of the editors.
---@return string
local function sources()
  local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')
  return vim.fs.normalize(here .. '/../../../../grammars')
end

--- The folder for files that the user installs.
---@return string
local function site()
  return vim.fn.stdpath('data') .. '/site'
end

---@param from string
---@param to string
local function copy(from, to)
  vim.fn.mkdir(vim.fs.dirname(to), 'p')
  assert(vim.uv.fs_copyfile(from, to))
end

---@param grammar nodewise.Grammar
local function compile(grammar)
  local source = sources() .. '/' .. grammar.folder .. '/src'
  local library = ('%s/parser/%s.so'):format(site(), grammar.parser)
  vim.fn.mkdir(vim.fs.dirname(library), 'p')
  local command = { vim.env.CC or 'cc', '-O2', '-shared', '-fPIC', '-I', source, source .. '/parser.c', '-o', library }
  if vim.uv.fs_stat(source .. '/scanner.c') then
    table.insert(command, source .. '/scanner.c')
  end
  local started, result = pcall(function()
    return vim.system(command, { text = true }):wait()
  end)
  if not started or result.code ~= 0 then
    error(started and result.stderr or ('cannot run `%s`: install a C compiler, or set CC'):format(command[1]), 0)
  end
end

--- Compiles the parsers and installs them with their queries.
function M.install()
  if not vim.uv.fs_stat(sources()) then
    return vim.notify('nodewise: cannot find the grammars next to the plugin: ' .. sources(), vim.log.levels.ERROR)
  end
  local installed, failure = pcall(function()
    for _, grammar in ipairs(grammars) do
      compile(grammar)
      local highlights = ('%s/%s/queries/highlights.scm'):format(sources(), grammar.folder)
      copy(highlights, ('%s/queries/%s/highlights.scm'):format(site(), grammar.parser))
    end
    for _, host in ipairs({ 'yaml', 'json' }) do
      local path = ('queries/%s/injections.scm'):format(host)
      copy(sources() .. '/' .. path, site() .. '/after/' .. path)
    end
  end)
  -- Neovim caches which folders of its path exist.
  vim.o.runtimepath = vim.o.runtimepath
  if installed then
    vim.notify('nodewise: installed the parsers for conditions in ' .. site(), vim.log.levels.INFO)
  else
    vim.notify('nodewise: ' .. tostring(failure), vim.log.levels.ERROR)
  end
end

--- The parsers that are missing.
---@return string[]
function M.missing()
  return vim
    .iter({ 'yaml', 'limance', 'filtrex', 'agentos_routing' })
    :filter(function(parser)
      return #vim.api.nvim_get_runtime_file(('parser/%s.so'):format(parser), false) == 0
    end)
    :totable()
end

return M
