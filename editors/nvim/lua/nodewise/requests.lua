--- Requests to the server, for all parts of the plugin.
---
--- Errors are shown to the user. The caller only gets answers.

local binary = require('nodewise.binary')
local versions = require('nodewise.versions')

local M = {}

M.name = 'nodewise'

--- Removes members that are null, because versions of Neovim decode them differently. In a list, null items stay.
---@param value any
---@return any
function M.without_nulls(value)
  if type(value) ~= 'table' then
    return value
  end
  for key, member in pairs(value) do
    if member == vim.NIL and type(key) == 'string' then
      value[key] = nil
    else
      M.without_nulls(member)
    end
  end
  return value
end

--- The client of a buffer. Without a buffer, or if it has none, any running client.
---@param bufnr? integer
---@return vim.lsp.Client?
function M.client(bufnr)
  local filter = { name = M.name, bufnr = bufnr }
  return vim.lsp.get_clients(filter)[1] or vim.lsp.get_clients({ name = M.name })[1]
end

--- Sends a request for a buffer, and shows errors.
---@param method string
---@param parameters table
---@param done fun(result: any, client: vim.lsp.Client)
---@param bufnr? integer
---@param failed? fun() called after the error is shown
function M.ask(method, parameters, done, bufnr, failed)
  local client = M.client(bufnr)
  if not client then
    local text = binary.command() and 'nodewise: the server is not running. Open a YAML or JSON file first' or binary.missing()
    return vim.notify(text, vim.log.levels.WARN)
  end
  versions.request(client, method, parameters, function(err, result)
    if err then
      vim.notify('nodewise: ' .. err.message, vim.log.levels.ERROR)
      if failed then
        failed()
      end
    else
      if result == vim.NIL then
        result = nil
      end
      done(M.without_nulls(result), client)
    end
  end, bufnr)
end

--- Executes a command on the server.
---@param command string
---@param argument? table
---@param done? fun(result: any, client: vim.lsp.Client)
---@param bufnr? integer
---@param failed? fun() called after the error is shown
function M.execute(command, argument, done, bufnr, failed)
  local parameters = { command = command, arguments = argument and { argument } or nil }
  M.ask('workspace/executeCommand', parameters, done or function() end, bufnr, failed)
end

--- Executes a command on the server, and waits for the answer; nil if there is none in time.
---@param command string
---@param patience integer in milliseconds
---@return any
function M.wait(command, patience)
  local client = M.client()
  if not client then
    return nil
  end
  local answered, answer = false, nil
  versions.request(client, 'workspace/executeCommand', { command = command }, function(_, result)
    answered, answer = true, result
  end)
  vim.wait(patience, function()
    return answered
  end, 10)
  return M.without_nulls(answer)
end

return M
