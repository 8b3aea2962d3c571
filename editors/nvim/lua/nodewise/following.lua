--- Follows a live run: the view opens when the run begins, and shows each new part until the run ends.
---
--- The server sends parts of the run that the plugin started last. Parts of another run are not shown.

local M = {}

---@class nodewise.Followed
---@field name string
---@field run nodewise.Runnable
---@field answers table<integer, { text: string, note?: string }> incomplete answers, by the number of the question
---@field nodes table<integer, string> the node that asked each question, by its number

---@type nodewise.Followed?
local followed
local count = 0

--- Follows the next live run.
---@param run nodewise.Runnable what to repeat
---@return string name the member `follow` of the request
function M.begin(run)
  count = count + 1
  followed = { name = ('nvim-%d'):format(count), run = run, answers = {}, nodes = {} }
  return followed.name
end

--- Stops following. Called when the run has failed or was stopped.
function M.stop()
  followed = nil
  require('nodewise.simulation').stop_following()
end

---@param part table
local function note(part)
  local run = assert(followed)
  for _, event in ipairs(part.events) do
    if event.event == 'asked' then
      run.nodes[event.ask] = event.node
    elseif event.event == 'answered' then
      run.answers[event.ask] = nil
    end
  end
  for _, said in ipairs(part.answers) do
    local answer = run.answers[said.ask]
    if said.again or not answer then
      answer = { text = '', note = said.again and said.again.reason or nil }
      run.answers[said.ask] = answer
    end
    answer.text = answer.text .. (said.text or '')
  end
end

--- The incomplete answers of models, as lines to show.
---@return string[]
local function saying()
  local lines = {}
  for ask, answer in vim.spairs(assert(followed).answers) do
    table.insert(lines, ('%s is answering'):format(followed.nodes[ask] or 'a model'))
    if answer.note then
      table.insert(lines, '  asked again: ' .. answer.note:gsub('\n', ' '))
    end
    for _, line in ipairs(vim.split(answer.text, '\n')) do
      table.insert(lines, '  ' .. line)
    end
  end
  return lines
end

---@param spent table
---@return string
local function summary(spent)
  local parts = { 'running' }
  local tokens = (spent.input_tokens or 0) + (spent.output_tokens or 0)
  if tokens > 0 then
    table.insert(parts, ('%d tokens'):format(tokens))
  end
  if (spent.cost_usd or 0) > 0 then
    table.insert(parts, ('%.5f USD'):format(spent.cost_usd))
  end
  return table.concat(parts, ' · ')
end

--- Shows a part of the followed run.
---@param part table a `nodewise/runProgress`
---@param client vim.lsp.Client
function M.take(part, client)
  if not followed or part.follow ~= followed.name then
    return
  end
  local view = require('nodewise.simulation')
  if part.beginning then
    view.follow(part, followed.run, client.offset_encoding)
  elseif not view.follows(part.run) then
    -- The user closed the view. The run continues, and is shown again when it ends.
    return
  end
  note(part)
  view.extend(part, summary(part.spent), saying())
end

return M
