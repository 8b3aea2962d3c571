--- Differences between Neovim 0.10 and newer versions. No other module depends on the version.

local M = {}

local has_methods = vim.fn.has('nvim-0.11') == 1

---@param client vim.lsp.Client
---@param method string
---@param parameters table
---@param done? fun(err: lsp.ResponseError?, result: any)
---@param bufnr? integer
function M.request(client, method, parameters, done, bufnr)
  if has_methods then
    client:request(method, parameters, done, bufnr)
  else
    client.request(method, parameters, done, bufnr)
  end
end

---@param client vim.lsp.Client
---@param method string
---@param parameters table
---@param timeout_ms integer
---@return { err: lsp.ResponseError?, result: any }?
function M.request_sync(client, method, parameters, timeout_ms)
  if has_methods then
    return (client:request_sync(method, parameters, timeout_ms))
  end
  return (client.request_sync(method, parameters, timeout_ms))
end

---@param client vim.lsp.Client
---@param method string
---@param parameters table
function M.notify(client, method, parameters)
  if has_methods then
    client:notify(method, parameters)
  else
    client.notify(method, parameters)
  end
end

---@param client vim.lsp.Client
---@param id integer
function M.cancel(client, id)
  if has_methods then
    client:cancel_request(id)
  else
    client.cancel_request(id)
  end
end

---@param client vim.lsp.Client
---@param is_forced? boolean
function M.stop(client, is_forced)
  if has_methods then
    client:stop(is_forced)
  else
    client.stop(is_forced)
  end
end

---@param client vim.lsp.Client
---@return boolean
function M.is_stopped(client)
  if has_methods then
    return client:is_stopped()
  end
  return client.is_stopped()
end

--- The byte at which a character of the protocol begins in a line. The end of the line if the line is shorter.
---@param line string
---@param character integer
---@param encoding string
---@return integer
function M.byte(line, character, encoding)
  if encoding == 'utf-8' then
    return math.min(character, #line)
  elseif has_methods then
    return vim.str_byteindex(line, encoding, character, false)
  end
  local is_inside, byte = pcall(vim.str_byteindex, line, character, encoding == 'utf-16')
  return is_inside and byte or #line
end

return M
