--- Decorations of the last runs in declarations: the visited path, edges, and coverage next to the lines.
---
--- The server sends the decorations of each file, and updates them if the file changes. Files that it does not name do
--- not change.

local options = require('nodewise.options')
local versions = require('nodewise.versions')

local M = {}

local namespace = vim.api.nvim_create_namespace('nodewise.runs')

---@class nodewise.Painted
---@field file table the server's decorations of the file
---@field encoding string

--- The decorations, by the file's URI.
---@type table<string, nodewise.Painted>
local files = {}

---@param bufnr integer
---@param range lsp.Range
---@param encoding string
---@param mark vim.api.keyset.set_extmark
local function put(bufnr, range, encoding, mark)
  local start = range.start
  local line = vim.api.nvim_buf_get_lines(bufnr, start.line, start.line + 1, false)[1]
  if not line then
    return
  end
  if mark.hl_group then
    local is_one_line = range['end'].line == start.line
    mark.end_row = start.line
    mark.end_col = is_one_line and versions.byte(line, range['end'].character, encoding) or #line
  end
  vim.api.nvim_buf_set_extmark(bufnr, namespace, start.line, versions.byte(line, start.character, encoding), mark)
end

---@param bufnr integer
---@param file table
---@param encoding string
local function paint_path(bufnr, file, encoding)
  for _, node in ipairs(file.nodes) do
    if node.visits > 0 then
      put(bufnr, node.range, encoding, { hl_group = 'NodewiseVisited' })
    end
    if node.visits > 1 then
      put(bufnr, node.range, encoding, { virt_text = { { ('×%d'):format(node.visits), 'NodewiseCount' } } })
    end
  end
  for _, edge in ipairs(file.edges) do
    if edge.followed > 0 then
      put(bufnr, edge.range, encoding, { hl_group = 'NodewiseFollowed' })
    elseif edge.passedOver > 0 then
      put(bufnr, edge.range, encoding, { hl_group = 'NodewisePassedOver' })
    end
  end
end

---@param bufnr integer
---@param file table
local function paint_coverage(bufnr, file)
  local count = vim.api.nvim_buf_line_count(bufnr)
  for _, line in ipairs(file.lines) do
    if line.line < count then
      vim.api.nvim_buf_set_extmark(bufnr, namespace, line.line, 0, {
        sign_text = line.hits > 0 and '▎' or '✗',
        sign_hl_group = line.hits > 0 and 'NodewiseCovered' or 'NodewiseMissed',
        priority = 5,
      })
    end
  end
end

--- Repaints a buffer.
---@param bufnr integer
function M.paint(bufnr)
  vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
  local known = files[vim.uri_from_bufnr(bufnr)]
  if not known then
    return
  end
  paint_path(bufnr, known.file, known.encoding)
  if options.get().coverage then
    paint_coverage(bufnr, known.file)
  end
end

--- `nodewise/simulated`
---@param result table
---@param client_id integer
function M.simulated(result, client_id)
  local client = vim.lsp.get_client_by_id(client_id)
  for _, file in ipairs(client and result.files or {}) do
    files[file.uri] = { file = file, encoding = assert(client).offset_encoding }
  end
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) and vim.bo[bufnr].buftype == '' then
      M.paint(bufnr)
    end
  end
end

return M
