--- Runs the tests: `nvim --clean -n -l test/run.lua [PART OF A NAME]`.
---
--- NODEWISE_SERVER is the server's program. NODEWISE_YAML_PARSER is the folder of tree-sitter's parser for YAML (the
--- npm package @tree-sitter-grammars/tree-sitter-yaml), and NODEWISE_NVIM_DAP is a checkout of nvim-dap. Without them, the
--- tests that need them are skipped. With NODEWISE_CONTROL, the server is absent, and each test that needs it has to fail.
--- The last line is the result. The exit code alone is not enough.

local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')
package.path = here .. '/?.lua;' .. package.path

local is_control = vim.env.NODEWISE_CONTROL ~= nil
if is_control then
  vim.env.NODEWISE_SERVER = '/bin/false'
end

---@class Case
---@field name string
---@field run fun(child: Child|Terminal)
---@field files string[] the examples in the project
---@field options? table of the plugin
---@field is_alone? boolean whether it needs no server
---@field needs? string a variable of the environment, without it, the test is skipped
---@field screen? string the file that it opens in a terminal

---@param case Case
---@return string? failure
local function run(case)
  local children = require('child')
  local folder = children.project(case.files)
  local start = case.screen and require('terminal').start or children.start
  local started, child = pcall(start, folder, case.screen or case.options)
  if not started then
    return tostring(child)
  end
  local passed, failure = xpcall(case.run, function(message)
    return type(message) == 'string' and message or vim.inspect(message)
  end, child)
  child:stop()
  return not passed and failure or nil
end

---@return Case[]
local function cases()
  local all = {}
  local wanted = _G.arg[1] or ''
  for _, file in ipairs({ 'editing', 'runs', 'live', 'views', 'debugging', 'setup', 'grammars', 'terminal' }) do
    for _, case in ipairs(require('cases.' .. file)) do
      if case.needs and not vim.env[case.needs] then
        io.write(('left out, for want of %s: %s\n'):format(case.needs, case.name))
      elseif case.name:find(wanted, 1, true) and not (is_control and case.is_alone) then
        table.insert(all, case)
      end
    end
  end
  return all
end

local passed, failed = 0, 0
for _, case in ipairs(cases()) do
  local started = vim.uv.hrtime()
  local failure = run(case)
  local milliseconds = (vim.uv.hrtime() - started) / 1e6
  if failure then
    failed = failed + 1
    io.write(is_control and ('fails as it must: %s\n'):format(case.name) or ('FAILED %s: %s\n'):format(case.name, failure))
  else
    passed = passed + 1
    io.write(('ok %s (%d ms)\n'):format(case.name, milliseconds))
  end
  io.flush()
end
if is_control then
  io.write(('%d failed without a server, %d passed\n'):format(failed, passed))
  os.exit(passed == 0 and failed > 0 and 0 or 1)
end
io.write(('%d passed, %d failed\n'):format(passed, failed))
os.exit(failed == 0 and passed > 0 and 0 or 1)
