--- A model server inside of the tests' process: chat completions, streamed word by word.
---
--- In: the answers of models, one for each call. Out: its address, and the calls. Invariant: each answer is used once.

---@class Models
---@field url string the base address of the interface
---@field asked table[] the bodies of the calls, in order
---@field private texts (string|false)[] the remaining answers; false is a model that never answers
---@field is_holding? boolean whether answers stop after their first word until they are released
---@field private held? fun()
---@field private listener uv.uv_tcp_t
local Models = {}
Models.__index = Models

local M = {}

--- A text as the events of a stream.
---@param text string
---@return string
local function streamed(text)
  local parts = {}
  for word in text:gmatch('%S+%s*') do
    table.insert(parts, { choices = { { index = 0, delta = { content = word } } } })
  end
  local last = { index = 0, delta = { content = '' }, finish_reason = 'stop' }
  table.insert(parts, { choices = { last }, usage = { prompt_tokens = 7, completion_tokens = 5 } })
  return 'data: ' .. table.concat(vim.tbl_map(vim.json.encode, parts), '\n\ndata: ') .. '\n\ndata: [DONE]\n\n'
end

function Models:reply(socket, body)
  table.insert(self.asked, body)
  local text = table.remove(self.texts, 1)
  if text == false then
    return
  end
  local status = text and '200 OK' or '400 Bad Request'
  local said = text and streamed(text) or 'nothing is left to say'
  local head = 'HTTP/1.1 %s\r\nContent-Type: text/event-stream\r\nContent-Length: %d\r\nConnection: close\r\n\r\n'
  local first = text and text:match('^%S+%s*')
  if not self.is_holding or not first then
    socket:write(head:format(status, #said) .. said)
    return socket:shutdown()
  end
  local _, cut = said:find('\n\n', 1, true)
  socket:write(head:format(status, #said) .. said:sub(1, cut))
  self.held = function()
    socket:write(said:sub(cut + 1))
    socket:shutdown()
  end
end

--- Lets the held answer continue. Later answers are not held.
function Models:release()
  self.is_holding = false
  if self.held then
    self.held()
    self.held = nil
  end
end

--- Answers the call of a connection after it is complete.
---@param socket uv.uv_tcp_t
function Models:serve(socket)
  local heard = ''
  socket:read_start(function(_, data)
    if not data then
      return socket:close()
    end
    heard = heard .. data
    local head, body = heard:match('^(.-\r\n)\r\n(.*)$')
    local length = head and tonumber(head:lower():match('content%-length:%s*(%d+)'))
    if length and #body == length then
      self:reply(socket, vim.json.decode(body))
    end
  end)
end

--- Adds an answer.
---@param text string
function Models:add(text)
  table.insert(self.texts, text)
end

--- From now on, no one answers at the address.
function Models:stop()
  if not self.listener:is_closing() then
    self.listener:close()
  end
end

--- Starts a server on a free port.
---@param texts (string|false)[]
---@return Models
function M.start(texts)
  local models = setmetatable({ asked = {}, texts = texts, listener = assert(vim.uv.new_tcp()) }, Models)
  assert(models.listener:bind('127.0.0.1', 0))
  models.url = ('http://127.0.0.1:%d/v1'):format(models.listener:getsockname().port)
  assert(models.listener:listen(16, function()
    local socket = assert(vim.uv.new_tcp())
    models.listener:accept(socket)
    models:serve(socket)
  end))
  return models
end

return M
