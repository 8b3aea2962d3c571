// What follows from variables of the environment if none is set, and what does not depend on them.
import process, { env } from 'node:process';
import { agent, graph, node } from '@cycgraph/orchestrator';

const MODEL = process.env['NODEWISE_NO_SUCH_MODEL'] ?? 'claude-sonnet-4-6';
const { NODEWISE_NO_SUCH_ROLE: role = 'writer', NODEWISE_NO_SUCH_KEY = 'notes' } = env;
const IS_LOCAL = !/^claude/i.test(MODEL);
const retries = Number(process.env.NODEWISE_NO_SUCH_NUMBER || 3);

const options = ({ reads = ['topic'], writes = 'draft' } = {}) => ({ reads, writes });
const [first = 'plan', second = 'write'] = ['outline'];

const author = agent({
  id: 'author',
  model: MODEL,
  provider: IS_LOCAL ? 'ollama' : 'anthropic',
  instructions: `You are a ${role}.`,
});
const outline = node({ id: first, agent: author, ...options({ writes: IS_LOCAL ? 'plan' : 'plan' }) });
const write = node({ id: second, agent: author, ...options(), failurePolicy: { maxRetries: retries } });

export const article = graph({
  name: 'Article',
  nodes: [outline, write],
  edges: [{ from: outline, to: write, when: `memory.${NODEWISE_NO_SUCH_KEY}` }],
  inputs: { topic: { schema: { type: 'string' } } },
});
