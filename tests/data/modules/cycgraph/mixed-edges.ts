// Short and long edges side by side; what the short form drops.
import { graph, node } from '@cycgraph/orchestrator';

const a = node({ id: 'a', agent: 'one', writes: ['x'] });
const b = node({ id: 'b', agent: 'two', reads: [a.output] });
const c = node({ id: 'c', type: 'router' });

export const mixed = graph({
  name: 'Mixed edges',
  nodes: [a, b, c],
  edges: [
    { from: a, to: b, when: '' },
    { from: 'b', to: c, when: "memory.x > 1 and goal == 'go'" },
    { id: 'back', source: 'c', target: 'a', condition: { type: 'conditional', condition: 'memory.again' } },
    { source: 'c', target: 'b', metadata: { why: 'once more' } },
  ],
  startNode: a,
  endNodes: [c],
});
