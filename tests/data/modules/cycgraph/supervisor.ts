// A supervisor with the nodes that it manages.
import { agent, graph, node, supervisor } from '@cycgraph/orchestrator';

const MODEL = 'claude-opus-4-1';
const lead = agent({ id: 'lead', name: 'Lead', model: MODEL, instructions: 'Decide who works next.' });
const hand = (name: string) => agent({ id: name, model: MODEL, instructions: `You are the ${name}.` });

const search = node({ id: 'search', agent: hand('searcher'), writes: 'hits' });
const write = node({ id: 'write', agent: hand('writer'), reads: ['hits'], writes: 'text' });
const boss = supervisor(lead, { id: 'boss', manages: [search, write], maxIterations: 6, reads: ['goal'] });

export const team = graph({
  name: 'Team',
  nodes: [boss, search, write],
  edges: [
    { from: boss, to: search },
    { from: boss, to: write },
    { from: search, to: boss },
    { from: write, to: boss },
  ],
  startNode: boss,
  endNodes: [],
});
