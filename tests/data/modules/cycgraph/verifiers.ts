// The three verifiers, and edges by their results.
import { agent, graph, node, verifier } from '@cycgraph/orchestrator';

const judge = agent({ id: 'strict', model: 'gpt-5', instructions: 'Judge.' });
const draft = node({ id: 'draft', agent: 'author', writes: 'text' });
const tone = verifier.llmJudge(judge, { id: 'tone', target: 'text', threshold: 0.7, criteria: 'friendly', resultKey: 'tone' });
const size = verifier.expression('length(memory.text) < 400', { id: 'size', throwOnFail: true, description: 'short' });
const shape = verifier.jsonPath('text', { id: 'shape', path: '$.title', assertion: { op: 'exists' } });

export const verified = graph({
  name: 'Verified',
  nodes: [draft, tone, size, shape],
  edges: [
    { from: draft, to: tone },
    { from: tone, to: size, when: `memory.${tone.passed}` },
    { from: tone, to: draft, when: `not memory.${tone.passed}` },
    { from: size, to: shape },
  ],
  startNode: draft,
});
