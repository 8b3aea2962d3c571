// Imports under other names, values without a type of their own, `satisfies`.
import { graph as defineGraph, node as step, type GraphSpec } from '@cycgraph/orchestrator';

const one = step({ id: 'one', agent: 'first', writes: ['left', 'right'] });
const two = step({ id: 'two', agent: 'second', reads: [...one.writes], writes: 'sum' });

const spec = {
  name: 'Renamed',
  nodes: [one, two],
  edges: [{ from: one, to: two }],
} satisfies GraphSpec;

export const renamed = defineGraph(spec);
