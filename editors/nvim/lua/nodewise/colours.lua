--- The highlight groups. `:help nodewise-colours` lists them.

local M = {}

local links = {
  NodewiseVisited = 'DiagnosticUnderlineOk',
  NodewiseFollowed = 'DiagnosticUnderlineOk',
  NodewisePassedOver = 'Comment',
  NodewiseCount = 'LspCodeLens',
  NodewiseCovered = 'DiagnosticOk',
  NodewiseMissed = 'DiagnosticError',
  NodewiseStep = 'CursorLine',
  NodewiseStepSign = 'DiagnosticInfo',
  NodewiseHead = 'Title',
  NodewiseReads = 'Comment',
  NodewiseWrites = 'String',
  NodewiseAsks = 'Function',
  NodewiseEdge = 'Statement',
  NodewiseFails = 'DiagnosticError',
  NodewiseAdded = 'Added',
  NodewiseChanged = 'Changed',
  NodewiseRemoved = 'Removed',
}

function M.define()
  for group, other in pairs(links) do
    vim.api.nvim_set_hl(0, group, { link = other, default = true })
  end
end

return M
