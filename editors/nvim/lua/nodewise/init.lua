--- What people call: everything else is behind the command `:Nodewise`.

local M = {}

--- Sets options. It need not be called: the plugin starts by itself, and the options have defaults.
---@param chosen? nodewise.Options
function M.setup(chosen)
  require('nodewise.options').set(chosen or {})
  require('nodewise.client').update()
end

--- The next step of the run that is shown, from any window.
function M.next_step()
  require('nodewise.simulation').step(1)
end

--- The step before, from any window.
function M.previous_step()
  require('nodewise.simulation').step(-1)
end

--- Moves a file or a folder, and lets the declarations follow that name functions in it.
---@param from string
---@param to string
function M.rename_file(from, to)
  require('nodewise.files').rename(from, to)
end

return M
