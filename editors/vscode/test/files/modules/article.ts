import { graph, node } from '@cycgraph/orchestrator';

const research = node({ id: 'research', agent: 'ada', reads: ['topic'], writes: 'notes' });
const write = node({ id: 'write', agent: 'ada', reads: [research.writes, 'outline'], writes: 'draft' });

export const article = graph({
  name: 'article',
  inputs: { topic: { schema: { type: 'string' } } },
  nodes: [research, write],
  edges: [{ from: research, to: write, when: "memory.notes != ''" }],
});

export const words: number = 'many';
