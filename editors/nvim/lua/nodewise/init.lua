--- The functions for users. Everything else is in the command `:Nodewise`.

local M = {}

--- Sets options. You do not have to call it: the plugin starts automatically, and the options have defaults.
---@param chosen? nodewise.Options
function M.setup(chosen)
  require('nodewise.options').set(chosen or {})
  require('nodewise.client').update()
end

--- Shows the next step of the run, from any window.
function M.next_step()
  require('nodewise.simulation').step(1)
end

--- Shows the previous step, from any window.
function M.previous_step()
  require('nodewise.simulation').step(-1)
end

--- Moves a file or a folder, and updates the declarations that name functions in it.
---@param from string
---@param to string
function M.rename_file(from, to)
  require('nodewise.files').rename(from, to)
end

return M
