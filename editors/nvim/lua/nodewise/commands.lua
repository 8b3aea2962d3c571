--- The command `:Nodewise`, its subcommands and their completion.

local M = {}

---@class nodewise.Subcommand
---@field run fun(argument?: string, second?: string)
---@field complete? fun(): string[]
---@field files? boolean whether the argument is a file

---@type table<string, nodewise.Subcommand>
local subcommands = {
  simulate = {
    run = function(script)
      require('nodewise.runs').graph(script)
    end,
    complete = function()
      return require('nodewise.runs').scripts()
    end,
    files = true,
  },
  run = {
    run = function()
      require('nodewise.runs').node()
    end,
  },
  live = {
    run = function(engine)
      local runs = require('nodewise.runs')
      runs.graph(nil, function(run, bufnr)
        run.on = engine
        runs.live(run, bufnr)
      end)
    end,
    complete = function()
      return require('nodewise.runs').engines()
    end,
  },
  request = {
    run = function()
      require('nodewise.runs').request()
    end,
  },
  pin = {
    run = function()
      require('nodewise.runs').pin()
    end,
  },
  unpin = {
    run = function()
      require('nodewise.runs').unpin()
    end,
  },
  resume = {
    run = function(name)
      require('nodewise.runs').resume(name)
    end,
  },
  runs = {
    run = function(word, second)
      require('nodewise.history').list(second and word .. ' ' .. second or word)
    end,
  },
  compare = {
    run = function(first, second)
      require('nodewise.history').compare(first, second)
    end,
  },
  engine = {
    run = function(engine)
      if engine then
        require('nodewise.runs').runs_on(engine)
      else
        vim.notify('nodewise: missing engine: use `:Nodewise engine {engine}`', vim.log.levels.ERROR)
      end
    end,
    complete = function()
      return require('nodewise.runs').engines()
    end,
  },
  stop = {
    run = function()
      require('nodewise.runs').stop()
    end,
  },
  graph = {
    run = function()
      require('nodewise.graph').open()
    end,
  },
  changes = {
    run = function(since)
      require('nodewise.graph').changes(since)
    end,
  },
  key = {
    run = function()
      require('nodewise.graph').key()
    end,
  },
  test = {
    run = function(path)
      require('nodewise.scenarios').run(path)
    end,
    files = true,
  },
  clear = {
    run = function()
      require('nodewise.requests').execute('nodewise.clearRun', vim.empty_dict())
    end,
  },
  grammars = {
    run = function()
      require('nodewise.grammars').install()
    end,
  },
  restart = {
    run = function()
      require('nodewise.client').restart()
    end,
  },
  status = {
    run = function()
      require('nodewise.status').show()
    end,
  },
  explain = {
    run = function(rule)
      require('nodewise.pages').explain(rule)
    end,
    complete = function()
      return require('nodewise.pages').rules()
    end,
  },
  move = {
    run = function(to)
      if to then
        require('nodewise.files').rename(vim.api.nvim_buf_get_name(0), to)
      else
        vim.notify('nodewise: missing target: use `:Nodewise move {file}`', vim.log.levels.ERROR)
      end
    end,
    files = true,
  },
}

---@return string[]
local function names()
  local all = vim.tbl_keys(subcommands)
  table.sort(all)
  return all
end

--- The completions at the end of a command line.
---@param lead string the typed part of the word
---@param line string
---@return string[]
function M.complete(lead, line)
  local before = line:sub(1, #line - #lead)
  local name = before:match('^%s*%S+%s+(%S+)%s')
  if not name then
    return vim.tbl_filter(function(known)
      return vim.startswith(known, lead)
    end, names())
  end
  local known = subcommands[name]
  local fitting = vim.tbl_filter(function(value)
    return vim.startswith(value, lead)
  end, known and known.complete and known.complete() or {})
  if known and known.files then
    for _, file in ipairs(vim.fn.getcompletion(lead, 'file')) do
      if not vim.list_contains(fitting, file) then
        table.insert(fitting, file)
      end
    end
  end
  return fitting
end

---@param call table the argument from `nvim_create_user_command`
local function run(call)
  local name, argument = call.fargs[1], call.fargs[2]
  local known = subcommands[name]
  if not known then
    local text = ('nodewise: unknown command `%s`. Commands: %s'):format(name, table.concat(names(), ', '))
    return vim.notify(text, vim.log.levels.ERROR)
  end
  known.run(argument and known.files and vim.fn.expand(argument) or argument, call.fargs[3])
end

function M.define()
  require('nodewise.colours').define()
  vim.api.nvim_create_user_command('Nodewise', run, {
    nargs = '+',
    complete = M.complete,
    desc = 'Simulate, run, draw and test agent workflows',
  })
end

return M
