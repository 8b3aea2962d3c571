// Common settings are spread into nodes, lists are spread into lists.
import { graph, node } from '@cycgraph/orchestrator';

const patient = { failurePolicy: { maxRetries: 5, backoffStrategy: 'linear' }, budget: { maxTokens: 4_000 } } as const;
const base = { ...patient, reads: ['topic'] };

const first = node({ ...base, id: 'first', agent: 'one', writes: 'a' });
const second = node({ id: 'second', agent: 'two', writes: 'b', ...base, ...{ reads: ['a', ...base.reads] } });
const early = [first];
const nodes = [...early, second];

export const spread = graph({ name: 'Spread', nodes, edges: [...[{ from: first, to: second }]] });
