// A registry of keys names the state.
import { graph, memoryKeys, node } from '@cycgraph/orchestrator';

const mem = memoryKeys({
  email: { seeded: true, schema: { type: 'string' }, description: 'The mail.' },
  intent: {},
  reply: {},
});

const sort = node({ id: 'sort', agent: 'sorter', reads: [mem.email], writes: mem.intent });
const reply = node({ id: 'reply', agent: 'writer', reads: [mem.email, mem.intent], writes: [mem.reply] });

export const mails = graph({
  name: 'Mails',
  nodes: [sort, reply],
  edges: [{ from: sort, to: reply, when: `memory.${mem.intent} != "spam"` }],
  inputs: mem.inputs,
});
