--- Live runs: permissions before they start, answers of models, decisions of people now or later.
---
--- Models are a server inside of this process. Permissions are stored in a separate state folder for each tested
--- Neovim.

local check = require('check')
local files = require('child')
local models = require('models')

local LETTERS = [[
id: letters
name: Letters
description: A letter is written, looked at, and answered.
nodes:
  - {id: write, type: agent, agent_id: writer, write_keys: [letter], failure_policy: {max_retries: 1}}
  - {id: look, type: approval, read_keys: ['*'], approval_config: {prompt_message: 'Send it?'}}
  - {id: answer, type: agent, agent_id: writer, read_keys: [letter], write_keys: [reply]}
edges:
  - {source: write, target: look}
  - {source: look, target: answer}
start_node: write
end_nodes: [answer]
---
id: writer
name: Writer
model: small
provider: near
system_prompt: Write.
]]
local PROVIDER = '[live.providers.near]\nkind = "openai"\nbase_url = "%s"\n'

--- A case with a model server, which stops at the end of the case.
---@param texts (string|false)[] the answers of the models
---@param run fun(child: Child|Terminal, served: Models)
---@return fun(child: Child|Terminal)
local function with_models(texts, run)
  return function(child)
    local served = models.start(vim.deepcopy(texts))
    files.write(child.folder .. '/nodewise.toml', PROVIDER:format(served.url))
    files.write(child.folder .. '/letters.yaml', LETTERS)
    local passed, failure = pcall(run, child, served)
    served:stop()
    if not passed then
      error(failure, 0)
    end
  end
end

--- Answers questions with these choices, one for each question, by a part of the choice. Later questions are closed.
--- Returns the questions, and the text in the corner of the screen for each of them.
---@param child Child
---@param ... string
local function chooses(child, ...)
  child:lua(
    [[
    _G.questions, _G.sights = {}, {}
    local choices = { ... }
    vim.ui.select = function(items, options, done)
      table.insert(questions, options.prompt)
      table.insert(sights, vim.iter(vim.api.nvim_list_wins()):map(function(window)
        local is_above = vim.api.nvim_win_get_config(window).relative == 'editor'
        local bufnr = vim.api.nvim_win_get_buf(window)
        return is_above and table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), '\n') or nil
      end):join('\n'))
      local wanted = choices[#questions]
      done(vim.iter(items):find(function(item)
        return wanted and options.format_item(item):find(wanted, 1, true)
      end))
    end
  ]],
    ...
  )
end

--- Waits until a notification contains a text.
---@param child Child
---@param text string
---@return string all notifications
local function wait_until_notified(child, text)
  return child:wait('the notification: ' .. text, function()
    local messages = child:call('nvim_exec2', 'messages', { output = true }).output
    local all = table.concat(child:lua('return notified'), '\n') .. '\n' .. messages
    return all:find(text, 1, true) and all
  end)
end

---@param child Child
local function open(child)
  child:edit('letters.yaml')
  child:wait_for_folders()
end

---@type Case[]
return {
  {
    name = 'a live run asks before anything starts, and nothing does where that is refused',
    files = {},
    run = with_models({ 'Dear all.' }, function(child, served)
      open(child)
      chooses(child, 'Cancel')
      child:keys(':Nodewise live<CR>')
      wait_until_notified(child, 'nodewise: you have not allowed yet what this run starts and calls')
      -- Pickers show one line of a question, so the whole text is shown next to them.
      local head = 'A live run in ' .. child.folder
      check.equal({ head .. ': ' }, child:lua('return questions'))
      local text = '%s\ncalls\n  models of `near`: %s\nAllow this here, from now on?'
      check.equal({ text:format(head, served.url) }, child:lua('return sights'))
      -- Closing a question is not a permission.
      child:lua('_G.notified = {}')
      child:keys(':Nodewise live<CR>')
      wait_until_notified(child, 'nodewise: you have not allowed yet what this run starts and calls')
      check.equal(2, #child:lua('return questions'))
      check.equal({}, served.asked)
      check.equal(nil, child:shown('nodewise-timeline'))
      check.equal(nil, vim.uv.fs_stat(child.folder .. '/.nodewise'))
      check.equal(nil, vim.uv.fs_stat(child.folder .. '/.home/state/nodewise'))
    end),
  },
  {
    name = 'a command with an engine calls that engine, and completes its name',
    files = {},
    run = with_models({}, function(child, served)
      local config = PROVIDER:format(served.url) .. '[live.engines.far]\nurl = "http://127.0.0.1:9"\nadmin = "http://127.0.0.1:9"\n'
      files.write(child.folder .. '/nodewise.toml', config)
      open(child)
      for _, command in ipairs({ 'live', 'engine' }) do
        check.equal({ 'far' }, child:lua("return require('nodewise.commands').complete('', ...)", 'Nodewise ' .. command .. ' '))
        chooses(child, 'Allow')
        child:keys((':Nodewise %s far<CR>'):format(command))
        wait_until_notified(child, 'the engine `far` does not answer at http://127.0.0.1:9')
        child:lua('_G.notified = {}')
        child:keys(':messages clear<CR>')
      end
      check.equal({}, served.asked)
      check.equal(nil, vim.uv.fs_stat(child.folder .. '/.nodewise'))
    end),
  },
  {
    name = 'a live run is answered by models and a person, and shown as dry runs are',
    files = {},
    run = with_models({ 'Dear all.', 'Thank you.', 'Dear both.', 'Welcome.' }, function(child, served)
      open(child)
      chooses(child, 'Allow', 'Approve', 'Approve')
      child:keys(':Nodewise live<CR>')
      local lines = child:timeline('completed')
      check.holds(lines, 'look  approval')
      check.holds(lines, 'Thank you.')
      check.equal(2, #child:lua('return questions'))
      local question = child:lua([[return questions[2] .. '\n' .. sights[2] ]])
      check.holds(question, '`look` asks: ')
      check.holds(question, 'Send it?')
      check.holds(question, 'Dear all.')
      check.equal({ 'small', true }, { served.asked[1].model, served.asked[1].stream })
      check.equal(2, #served.asked)
      assert(vim.uv.fs_stat(child.folder .. '/.nodewise/runs.db'), 'the run is kept in the project')
      assert(vim.uv.fs_stat(child.folder .. '/.home/state/nodewise/trust.json'), 'what is allowed is kept by the user')
      -- Step by step, forward and back.
      child:wait_for_state('· write')
      child:find('letter = "Dear all."')
      child:wait_for_state('+ letter: "Dear all."')
      child:keys(']]]]')
      child:wait_for_state('· answer')
      child:keys('[[')
      child:wait_for_state('· look')
      child:keys('[s')
      child:wait_for_state('· write')
      -- Again, without the question that is already answered.
      child:keys('r')
      child:timeline('Welcome.')
      check.holds(child:timeline('completed'), 'Dear both.')
      check.holds(child:lua([[return questions[3] .. '\n' .. sights[3] ]]), 'Dear both.')
      child:keys('q')
      child:wait('the marks', function()
        return vim.deep_equal({ 'write', 'look', 'answer' }, child:painted().NodewiseVisited)
      end)
    end),
  },
  {
    name = 'the view follows a live run from its beginning, with what a model has said so far',
    files = {},
    run = with_models({ 'Dear all and everybody.', 'Thank you.' }, function(child, served)
      open(child)
      chooses(child, 'Allow', 'Approve')
      served.is_holding = true
      child:keys(':Nodewise live<CR>')
      child:wait_for_state('write is answering')
      local state = child:shown('nodewise-state')
      check.holds(state, 'Dear')
      check.equal(nil, table.concat(state, '\n'):find('everybody', 1, true))
      check.equal(nil, table.concat(child:timeline('write'), '\n'):find('completed', 1, true))
      served:release()
      check.holds(child:timeline('completed'), 'Thank you.')
      child:wait_for_state('· write')
      -- The values of the step are in the source.
      child:find('letter = "Dear all')
      child:wait_lua('the value at the end of its line', [[
        local namespace = vim.api.nvim_get_namespaces()['nodewise.step']
        return vim.iter(vim.api.nvim_list_bufs()):any(function(bufnr)
          return vim.iter(vim.api.nvim_buf_get_extmarks(bufnr, namespace, 0, -1, { details = true })):any(function(mark)
            local text = mark[4].virt_text and mark[4].virt_text[1][1] or ''
            return text:find('letter = "Dear all', 1, true) ~= nil
          end)
        end)
      ]])
    end),
  },
  {
    name = 'stored runs are listed, opened, repeated and compared',
    files = {},
    run = with_models({ 'Dear all.', 'Thank you.', 'Dear both.', 'Thank you.' }, function(child, served)
      open(child)
      chooses(child, 'Allow', 'Approve', 'Approve')
      child:keys(':Nodewise live<CR>')
      child:timeline('completed')
      child:keys('q:Nodewise runs<CR>')
      child:wait('the list', function()
        return child:shown('nodewise-runs')
      end)
      check.holds(child:shown('nodewise-runs'), '✓ ')
      check.holds(child:shown('nodewise-runs'), 'live · graph `Letters` · completed in 3 steps')
      child:keys('r')
      child:timeline('Dear both.')
      child:timeline('completed')
      check.equal(4, #served.asked)
      child:keys('q:Nodewise runs completed live<CR>')
      child:wait('both runs', function()
        local lines = child:shown('nodewise-runs')
        return lines and #lines == 3
      end)
      child:keys('cjc')
      child:wait('the comparison', function()
        return child:shown('nodewise-run')
      end)
      check.equal({ true, true }, child:lua([[
        return vim.iter(vim.api.nvim_tabpage_list_wins(0)):map(function(window) return vim.wo[window].diff end):totable()
      ]]))
      local text = child:shown('nodewise-run')
      check.holds(text, '  answers: answered differently at `write`')
      check.holds(text, '  letter: Dear all.')
      child:keys('q')
      child:wait('the list again', function()
        return child:shown('nodewise-runs')
      end)
      child:lua(
        [[
        local folder = ...
        vim.ui.input = function(_, done) done(folder .. '/kept.scenario.yaml') end
      ]],
        child.folder
      )
      child:keys('s')
      -- The file exists before it has its text.
      child:wait('the scenario', function()
        local path = child.folder .. '/kept.scenario.yaml'
        return vim.uv.fs_stat(path) and files.read(path):find('\nfile: letters.yaml\n', 1, true)
      end)
    end),
  },
  {
    name = 'what is decided later lets the run wait, also for another server',
    files = {},
    run = with_models({ 'Dear all.', 'Thank you.' }, function(child, served)
      open(child)
      chooses(child, 'Allow', 'Later')
      child:keys(':Nodewise live<CR>')
      check.holds(child:timeline('waiting for a person'), 'look  approval')
      wait_until_notified(child, 'nodewise: `look` is waiting for a decision. To continue, use `:Nodewise resume ')
      check.equal(1, #served.asked)
      child:keys('q:Nodewise restart<CR>')
      child:wait_lua('another client', [[
        local client = vim.lsp.get_clients({ name = 'nodewise', bufnr = 0 })[1]
        return client ~= nil and client.id > 1
      ]])
      child:wait_for_folders()
      chooses(child, 'Approve')
      child:keys(':Nodewise resume<CR>')
      check.holds(child:timeline('completed'), 'Dear all.')
      check.equal(1, #child:lua('return questions'))
      check.equal(2, #served.asked)
      child:keys(':Nodewise resume<CR>')
      wait_until_notified(child, 'nodewise: there is no live run to resume')
    end),
  },
  {
    name = 'of several runs that wait, in two projects, one is chosen, or named',
    files = {},
    run = with_models({ 'Dear all.', 'Dear both.' }, function(child, served)
      files.write(child.folder .. '/other/nodewise.toml', PROVIDER:format(served.url))
      files.write(child.folder .. '/other/letters.yaml', LETTERS)
      open(child)
      chooses(child, 'Allow', 'Later', 'Allow', 'Later', '· other ·', 'Later')
      child:keys(':Nodewise live<CR>')
      child:timeline('waiting for a person after')
      child:keys('q')
      child:edit('other/letters.yaml')
      child:wait_for_folders()
      child:keys(':Nodewise live<CR>')
      child:timeline('Dear both.')
      child:timeline('waiting for a person after')
      local all = wait_until_notified(child, 'use `:Nodewise resume ')
      child:keys('q:Nodewise resume<CR>')
      child:wait_lua('both runs are offered', [[return questions[5] == 'Resume:']])
      child:timeline('Dear both.')
      -- A run that has not yet come to its end would keep the next one from being resumed.
      child:timeline('waiting for a person after')
      child:keys('q:Nodewise resume ' .. all:match('use `:Nodewise resume ([^`]+)') .. '<CR>')
      child:timeline('Dear all.')
      check.equal(7, #child:lua('return questions'))
      check.equal(2, #served.asked)
    end),
  },
  {
    name = 'a live run is stopped and resumed',
    files = {},
    run = with_models({ false, 'Dear all.', 'Thank you.' }, function(child, served)
      open(child)
      chooses(child, 'Allow', 'Approve')
      child:keys(':Nodewise live<CR>')
      child:wait('the model is asked', function()
        return #served.asked == 1
      end)
      check.holds(child:timeline('asks'), 'write')
      child:keys(':Nodewise stop<CR>')
      wait_until_notified(child, 'was stopped')
      child:wait_lua('the view says that the run was stopped', [[
        return vim.iter(vim.api.nvim_tabpage_list_wins(0)):any(function(window)
          return vim.bo[vim.api.nvim_win_get_buf(window)].filetype == 'nodewise-timeline' and vim.wo[window].winbar == ' stopped'
        end)
      ]])
      child:keys(':Nodewise stop<CR>')
      wait_until_notified(child, 'nodewise: nothing is running')
      child:keys(':Nodewise resume<CR>')
      check.holds(child:timeline('completed'), 'Thank you.')
      check.equal(3, #served.asked)
    end),
  },
  {
    name = 'a live run begins again from a step, and a run that failed is resumed',
    files = {},
    run = with_models({ 'Dear all.', 'Thank you.', 'Thanks a lot.' }, function(child, served)
      open(child)
      chooses(child, 'Allow', 'Approve')
      child:keys(':Nodewise live<CR>')
      child:timeline('completed')
      child:find('Thank you.')
      child:keys('R')
      child:timeline('Thanks a lot.')
      check.holds(child:timeline('completed'), 'Dear all.')
      -- Nobody is asked again, neither the person nor the first model.
      check.equal(2, #child:lua('return questions'))
      check.equal(3, #served.asked)
      child:keys('q')
      -- The models have no answer left.
      child:keys(':Nodewise live<CR>')
      child:timeline('failed after')
      served:add('Dear both.')
      served:add('Welcome.')
      chooses(child, 'Approve')
      child:keys(':Nodewise resume<CR>')
      check.holds(child:timeline('completed'), 'Welcome.')
    end),
  },
  {
    name = 'the lens of a node runs it alone, for real',
    files = {},
    run = with_models({ 'Dear all.' }, function(child, served)
      open(child)
      local row = child:find('id: write')
      child:wait_for_lens(row, 'Run node (live)')
      chooses(child, 'Run node (live)', 'Allow')
      child:keys(':lua vim.lsp.codelens.run()<CR>')
      local lines = child:timeline('completed')
      check.holds(lines[#lines - 1] .. lines[#lines], '1 visit')
      check.equal(2, #child:lua('return questions'))
      check.equal(1, #served.asked)
      child:keys('q')
      child:wait('the marks', function()
        return vim.deep_equal({ 'write' }, child:painted().NodewiseVisited)
      end)
    end),
  },
  {
    name = 'a pinned node is not asked again, until it is unpinned',
    files = {},
    run = with_models({ 'Dear all.', 'Thank you.', 'Thanks.', 'Dear new.', 'Welcome.' }, function(child, served)
      open(child)
      chooses(child, 'Allow', 'Approve', 'Approve', 'Approve')
      child:find('id: write')
      child:keys(':Nodewise pin<CR>')
      wait_until_notified(child, 'no live run of this project has an output of `write`')
      child:keys(':Nodewise live<CR>')
      -- A view that is closed before the run ends is opened again at its end.
      check.holds(child:timeline('completed after'), 'Thank you.')
      child:keys('q')
      local row = child:find('id: write')
      child:keys(':Nodewise pin<CR>')
      local all = wait_until_notified(child, 'nodewise: the output of `write` is pinned, from the run ')
      local lens = ('Unpin output (of %s)'):format(all:match('pinned, from the run ([%w-]+)'))
      child:wait_for_lens(row, lens)
      child:keys(':Nodewise live<CR>')
      local lines = child:timeline('completed after')
      check.holds(lines, 'Thanks.')
      check.holds(lines, 'Dear all.')
      check.holds(lines, '(pinned, from ')
      check.equal(3, #served.asked)
      child:keys('q')
      child:find('id: write')
      child:keys(':Nodewise unpin<CR>')
      child:wait_for_lens(row, lens, true)
      child:lua('_G.notified = {}')
      child:keys(':Nodewise unpin<CR>')
      wait_until_notified(child, 'nodewise: the output of `write` is not pinned')
      child:keys(':Nodewise live<CR>')
      check.holds(child:timeline('Welcome.'), 'Dear new.')
      check.equal(5, #served.asked)
    end),
  },
  {
    name = 'a model server that is not there is reported where the run failed',
    files = {},
    run = with_models({}, function(child, served)
      served:stop()
      open(child)
      chooses(child, 'Allow')
      child:keys(':Nodewise live<CR>')
      -- The view has the error before the run ends, and a view that is closed then is opened again.
      check.holds(child:timeline('failed after'), 'the provider `near` cannot be reached')
      child:keys('q')
      child:wait('the diagnostic', function()
        return table.concat(child:diagnostics(), '\n'):find('5 .*cannot be reached')
      end)
    end),
  },
  {
    name = 'a missing provider is reported with what to write',
    files = {},
    run = with_models({}, function(child)
      files.write(child.folder .. '/nodewise.toml', '')
      open(child)
      chooses(child)
      child:keys(':Nodewise live<CR>')
      local all = wait_until_notified(child, 'the provider `near` of the model `small`')
      check.holds(all, '[live.providers.near]')
      check.equal({}, child:lua('return questions'))
    end),
  },
  {
    name = 'a live run without the program says what to do',
    files = { 'cycgraph' },
    options = { cmd = { '/nowhere/nodewise', 'lsp' } },
    is_alone = true,
    run = function(child)
      child:call('nvim_command', ('edit %s/cycgraph/claims.yaml'):format(child.folder))
      for _, command in ipairs({ 'live', 'resume' }) do
        child:lua('_G.notified = {}')
        child:keys((':Nodewise %s<CR>'):format(command))
        wait_until_notified(child, 'cannot run `/nowhere/nodewise`. Check the option `cmd`')
      end
    end,
  },
  {
    name = 'a question longer than the screen counts what is not in sight, and one of a line stands alone',
    files = {},
    is_alone = true,
    run = function(child)
      chooses(child, 'Later', 'Approve')
      child:lua([[
        _G.answers = {}
        local actions = { { title = 'Approve' }, { title = 'Later' } }
        coroutine.wrap(function()
          for _, message in ipairs({ ('line\n'):rep(59) .. 'last', 'Go on?', 'One?\nTwo?' }) do
            local answer = require('nodewise.questions').ask({ type = 3, message = message, actions = actions })
            table.insert(answers, answer == vim.NIL and 'none' or answer.title)
          end
        end)()
      ]])
      child:wait_lua('all answers', 'return #answers == 3')
      check.equal({ 'Later', 'Approve', 'none' }, child:lua('return answers'))
      check.equal({ ('line\n'):rep(41) .. '… 19 more lines', '', 'One?\nTwo?' }, child:lua('return sights'))
      check.equal({ ('line\n'):rep(59) .. 'last: ', 'Go on?: ', 'One?: ' }, child:lua('return questions'))
      check.equal(1, #child:call('nvim_list_wins'))
    end,
  },
  {
    name = 'the screen asks what a run may start and what a person decides, and takes numbers',
    files = {},
    screen = 'notes.txt',
    run = with_models({ 'Dear all.', 'Thank you.' }, function(terminal, served)
      terminal:keys(':edit letters.yaml', 'Enter')
      terminal:shows('2 references')
      terminal.child:wait_for_folders()
      -- A long question does not fit on this screen.
      terminal:keys(':set nomore', 'Enter', ':Nodewise live', 'Enter')
      terminal:shows('│A live run in', served.url, 'Allow this here, from now on?', '1: Allow', '2: Cancel')
      check.equal({}, served.asked)
      terminal:keys('1', 'Enter')
      terminal:shows('Send it?', '1: Approve', '2: Reject', '3: Later')
      check.equal(1, #served.asked)
      terminal:keys('1', 'Enter')
      terminal:shows('state at the step', 'completed in 3 steps')
      check.equal(2, #served.asked)
    end),
  },
}
