--- A run for the simulation view: lines, their events, and the places of the events in files.
---
--- Indices of events come from the server and start at 0. Lines are Neovim's and start at 1.

---@class nodewise.Timeline
---@field id? string of the trace that the server keeps
---@field run? string the id of the live run
---@field is_running? boolean whether the run has not ended yet
---@field last? integer the event of the last line
---@field summary string
---@field lines string[]
---@field events table<integer, integer> the event of each line
---@field steps integer[] the lines at which another event begins
---@field visits integer[] the lines at which a visit begins
---@field trace table
---@field nodes table<integer, string> the node of each visit
local Timeline = {}
Timeline.__index = Timeline

local M = {}

---@param parts table
---@return nodewise.Timeline
local function new(parts)
  local empty = { lines = {}, events = {}, steps = {}, visits = {}, nodes = {} }
  return setmetatable(vim.tbl_extend('error', parts, empty), Timeline)
end

--- Reads the answer of `nodewise.simulate`.
---@param answer table
---@return nodewise.Timeline
function M.read(answer)
  local timeline = new({ id = answer.id, run = answer.run, summary = answer.summary, trace = answer.trace })
  timeline:note(timeline.trace.events)
  timeline:add(vim.split((answer.text:gsub('\n$', '')), '\n'), answer.lines or {})
  return timeline
end

--- The timeline of a live run that begins.
---@param part table the first `nodewise/runProgress`
---@return nodewise.Timeline
function M.begin(part)
  local trace = vim.tbl_extend('force', part.beginning, { events = {}, locations = {} })
  return new({ run = part.run, summary = 'running', trace = trace, is_running = true })
end

---@param events table[]
function Timeline:note(events)
  for _, event in ipairs(events) do
    if event.event == 'visit-started' then
      self.nodes[event.visit] = event.node
    end
  end
end

--- Adds lines, each with its event.
---@param lines string[]
---@param events (integer|vim.NIL)[]
function Timeline:add(lines, events)
  local count = #self.lines
  vim.list_extend(self.lines, lines)
  for index, event in ipairs(events) do
    local line = count + index
    if event ~= vim.NIL then
      self.events[line] = event
      if event ~= self.last then
        table.insert(self.steps, line)
        if self.trace.events[event + 1].event == 'visit-started' then
          table.insert(self.visits, line)
        end
      end
      self.last = event
    end
  end
end

--- Adds what happened next in a live run.
---@param part table a `nodewise/runProgress`
---@return string[] lines the new ones
function Timeline:extend(part)
  vim.list_extend(self.trace.events, part.events)
  vim.list_extend(self.trace.locations, part.locations)
  self:note(part.events)
  local lines, events = {}, {}
  for _, line in ipairs(part.lines) do
    -- A failure can have line breaks.
    table.insert(lines, (line.text:gsub('\n', ' ')))
    table.insert(events, line.event == nil and vim.NIL or line.event)
  end
  self:add(lines, events)
  return lines
end

--- The line that is `direction` entries of `lines` away from `line`, or the last entry in that direction.
---@param lines integer[]
---@param line integer
---@param direction integer how many, backwards if negative
---@return integer? line
function M.next_line(lines, line, direction)
  local at = direction > 0 and 0 or #lines + 1
  for index, other in ipairs(lines) do
    if direction > 0 and other <= line then
      at = index
    elseif direction < 0 and other >= line then
      at = index
      break
    end
  end
  return lines[math.max(1, math.min(#lines, at + direction))]
end

--- The place of a line's event.
---@param line integer
---@return lsp.Location?
function Timeline:location(line)
  local event = self.events[line]
  local number = event and self.trace.events[event + 1].location
  return number and self.trace.locations[number + 1]
end

--- The answer or decision of a line's event, in the format for another answer. Nil for other events.
---@param line integer
---@return integer? event, table? answer
function Timeline:answer(line)
  local position = self.events[line]
  local event = position and self.trace.events[position + 1]
  if not event then
    return
  elseif event.event == 'answered' then
    return position, { reply = event.answer.reply, failure = event.answer.failure }
  elseif event.event == 'resumed' then
    return position, event.decision
  elseif event.event == 'paused' then
    return position, { word = 'approve' }
  end
end

--- The first line of an event.
---@param event integer
---@return integer?
function Timeline:line(event)
  for _, line in ipairs(self.steps) do
    if self.events[line] >= event then
      return line
    end
  end
end

--- The node of a visit.
---@param visit? integer
---@return string?
function Timeline:node(visit)
  return visit and self.nodes[visit]
end

return M
