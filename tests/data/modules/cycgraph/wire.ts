// `createGraph` takes the wire shape in both spellings.
import { createGraph } from '@cycgraph/orchestrator';

export const wire = createGraph({
  id: '6f1d5c0e-8f55-4f0b-9f0e-5a8c58b1c001',
  name: 'Wire',
  description: 'Both spellings.',
  nodes: [
    { id: 'plan', type: 'agent', agent_id: 'planner', read_keys: ['topic'], writeKeys: ['plan'] },
    {
      id: 'check',
      type: 'verifier',
      verifierConfig: { type: 'expression', expression: 'length(memory.plan) > 3', throw_on_fail: true },
      failurePolicy: { maxRetries: 1 },
    },
  ],
  edges: [{ id: 'e1', source: 'plan', target: 'check', condition: { type: 'conditional', condition: 'memory.plan' } }],
  start_node: 'plan',
  endNodes: ['check'],
  strictTaint: true,
});
