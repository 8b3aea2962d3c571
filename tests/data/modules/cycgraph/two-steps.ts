// The short form of everything: values as references, `from` and `to`, an inferred start and end.
import { agent, graph, node } from '@cycgraph/orchestrator';

const clerk = agent({ model: 'claude-sonnet-4-6', instructions: 'Read the claim and list its facts.' });
const writer = agent({ model: 'gpt-5-mini', instructions: 'Answer the claim.' });

const read = node({ id: 'read', agent: clerk, writes: 'facts' });
const answer = node({ id: 'answer', agent: writer, reads: [read.writes], writes: 'letter' });

export const claims = graph({
  name: 'Claims',
  nodes: [read, answer],
  edges: [{ from: read, to: answer }],
});
