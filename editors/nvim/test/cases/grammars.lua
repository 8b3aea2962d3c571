--- Colours of conditions without a server.

local check = require('check')
local files = require('child')

--- A condition of each system in a plain, a quoted and a block scalar, and the parser for it.
local documents = {
  limance = [[
kind: LLMNode
name: desk
nodes:
  - target: a
    when: status == 'plain'
  - target: b
    when: "status == 'quoted'"
  - target: c
    when: |
      status == 'block'
]],
  filtrex = [[
id: g
nodes: []
edges:
  - id: a
    condition: {type: conditional, condition: memory.status == 'plain'}
  - id: b
    condition:
      type: conditional
      condition: "memory.status == 'quoted'"
  - id: c
    condition:
      type: conditional
      condition: >-
        memory.status == 'block'
]],
  agentos_routing = [[
id: g
edges:
  - id: a
    condition: {type: expression, expr: scratch.status == 'plain'}
  - id: b
    condition:
      type: expression
      expr: "scratch.status == 'quoted'"
  - id: c
    condition:
      type: expression
      expr: |
        scratch.status == 'block'
]],
}

--- Compiles the parser of YAML, which is not included, into a folder of Neovim's path.
---@param child Child
local function install_yaml(child)
  local source = vim.env.NODEWISE_YAML_PARSER .. '/src'
  local site = child:lua([[return vim.fn.stdpath('data') .. '/site']])
  vim.fn.mkdir(site .. '/parser', 'p')
  local command = { 'cc', '-O1', '-shared', '-fPIC', '-I', source, source .. '/parser.c', source .. '/scanner.c' }
  vim.list_extend(command, { '-o', site .. '/parser/yaml.so' })
  local result = vim.system(command, { text = true }):wait()
  assert(result.code == 0, result.stderr)
end

--- The languages that colour a text in the buffer.
---@param child Child
---@param text string
---@return string[]
local function languages_at(child, text)
  local row = child:find(text)
  local column = child:lines()[row]:find(text, 1, true) - 1
  return child:lua(
    [[
    local row, column = ...
    vim.treesitter.get_parser(0, 'yaml'):parse(true)
    return vim.iter(vim.treesitter.get_captures_at_pos(0, row, column)):map(function(one) return one.lang end):totable()
  ]],
    row - 1,
    column
  )
end

---@type Case[]
return {
  {
    name = 'conditions are coloured in plain, quoted and block scalars',
    files = {},
    needs = 'NODEWISE_YAML_PARSER',
    is_alone = true,
    run = function(child)
      install_yaml(child)
      child:keys(':Nodewise grammars<CR>')
      child:wait('the parsers', function()
        return table.concat(child:lua('return notified'), '\n'):find('installed the parsers for conditions in', 1, true)
      end)
      for parser, text in vim.spairs(documents) do
        local path = ('%s/%s.yaml'):format(child.folder, parser)
        files.write(path, text)
        child:call('nvim_command', 'edit ' .. path)
        child:lua([[vim.treesitter.start(0, 'yaml')]])
        for _, form in ipairs({ 'plain', 'quoted', 'block' }) do
          check.holds(languages_at(child, ("'%s'"):format(form)), parser)
        end
        check.equal({}, vim.tbl_filter(function(language)
          return language == parser
        end, languages_at(child, 'id:' == text:sub(1, 3) and 'id:' or 'name:')))
      end
    end,
  },
}
