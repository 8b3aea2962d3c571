--- The screen as a person sees it.

--- Scrolls so that ten lines are above the cursor's line. Then the lines keep their places, even if lenses have become
--- visible on the way.
local CALM = '10kzt10j'

---@type Case[]
return {
  {
    name = 'the screen shows problems, lenses, a hover and a menu',
    files = { 'cycgraph-broken' },
    screen = 'cycgraph-broken/claims.yaml',
    run = function(terminal)
      terminal:shows('Simulate from here | Run node | 2 references', 'W')
      terminal.child:wait_for_folders()
      terminal.child:wait_for_diagnostics()
      terminal:keys('/covred', 'Enter', CALM)
      terminal:keys(':lua vim.diagnostic.open_float()', 'Enter')
      terminal:shows('no node has the id `covred`', 'help: write `covered`')
      terminal:capture('nvim-problem', 'A problem and what to write instead')
      terminal:keys('?target_key', 'Enter', CALM, 'K')
      terminal:shows('The memory key to judge')
      terminal:capture('nvim-hover', 'What a key means')
      terminal:keys('/covred', 'Enter', CALM, 'cw', 'C-x', 'C-o')
      terminal:shows('covered Struct', 'policy  Struct')
      -- Whether signs are visible while typing depends on timing.
      terminal:capture('nvim-completion', 'Nodes that an edge may lead to', true)
    end,
  },
  {
    name = 'the screen shows the simulation view, step by step',
    files = { 'agentos' },
    screen = 'agentos/refunds.yaml',
    run = function(terminal)
      terminal:shows('Simulate graph')
      terminal.child:wait_for_folders()
      terminal:keys(':Nodewise simulate agentos/refunds.script.yaml', 'Enter')
      terminal:shows('state at the step', 'screen  guardrail', 'completed')
      terminal:keys(']s', ']s', ']s')
      terminal:shows('artifacts.screen', '+ artifacts')
      terminal:capture('nvim-simulation', 'A dry run, at one of its steps')
      terminal:keys(']]', ']]')
      terminal:shows('· lane')
      terminal:keys('q')
      terminal:hides('state at the step')
      terminal:shows('Simulate graph · completed')
      terminal:capture('nvim-coverage', 'What a run came by, beside the lines')
    end,
  },
  {
    name = 'the screen shows the graph',
    files = { 'cycgraph' },
    screen = 'cycgraph/claims.yaml',
    run = function(terminal)
      terminal:shows('Simulate graph')
      terminal.child:wait_for_folders()
      terminal:keys('/id: covered', 'Enter', CALM, ':Nodewise graph', 'Enter')
      terminal:shows('decline  when not memory.covered')
      terminal:capture('nvim-graph', 'A graph as text')
    end,
  },
}
