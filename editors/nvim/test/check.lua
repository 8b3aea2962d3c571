--- Comparisons that report both sides when they fail.

local M = {}

---@param expected any
---@param found any
---@param what? string
function M.equal(expected, found, what)
  if not vim.deep_equal(expected, found) then
    local text = ('%sexpected %s\nfound    %s'):format(
      what and what .. ': ' or '',
      vim.inspect(expected),
      vim.inspect(found)
    )
    error(text, 0)
  end
end

--- Checks that a text contains another one.
---@param text string|string[]
---@param part string
function M.holds(text, part)
  local whole = type(text) == 'table' and table.concat(text, '\n') or text --[[@as string]]
  if not whole:find(part, 1, true) then
    error(('nothing of `%s` in\n%s'):format(part, whole), 0)
  end
end

return M
