// What no reader can know: the environment, the time, a loop with a condition.
import { agent, graph, node } from '@cycgraph/orchestrator';

const MODEL = process.env.NODEWISE_NO_SUCH_MODEL ?? 'claude-sonnet-4-6';
const helper = agent({ id: 'helper', model: MODEL, instructions: `Today is ${new Date(0).getUTCFullYear()}.` });
const names: string[] = [];
for (const name of ['first', 'second']) names.push(name);

const nodes = names.map((id) => node({ id, agent: helper, writes: `${id}_text` }));

export const loop = graph({
  name: `Loop ${Math.max(1, 2)}`,
  nodes: [...nodes, node({ id: 'last', agent: helper, reads: ['first_text'] })],
  edges: [{ from: 'first', to: 'second' }, { from: 'second', to: 'last' }],
});
