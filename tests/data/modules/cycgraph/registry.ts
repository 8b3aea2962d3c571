// A registry of nodes in an object, with computed keys.
import { graph, node, router } from '@cycgraph/orchestrator';

const ID = { ask: 'ask', pick: 'pick', end: 'end' } as const;
const N = {
  [ID.ask]: node({ id: ID.ask, agent: 'asker', writes: 'answer' }),
  [ID.pick]: router({ id: ID.pick, reads: ['answer'] }),
  end: node({ id: ID.end, agent: 'closer', reads: [`answer`] }),
};
const { ask, pick } = N;

export const registry = graph({
  name: 'Registry',
  nodes: Object.values(N),
  edges: [
    { from: ask, to: pick },
    { from: pick, to: N.end, when: 'memory.answer == "yes"' },
    { from: pick, to: N[ID.ask] },
  ],
  startNode: N.ask.id,
});
