// A graph that no builder made.
import type { CompiledExecutionGraph } from '@framers/agentos/orchestration';

const object = { type: 'object', properties: {} } as const;

export const literal = {
  id: 'literal',
  name: 'literal',
  nodes: [
    {
      id: 'ask',
      type: 'gmi',
      executorConfig: { type: 'gmi', instructions: 'Ask.' },
      executionMode: 'single_turn',
      effectClass: 'read',
      checkpoint: 'none',
    },
  ],
  edges: [
    { id: 'in', source: '__START__', target: 'ask', type: 'static' },
    { id: 'out', source: 'ask', target: '__END__', type: 'static' },
  ],
  stateSchema: { input: object, scratch: object, artifacts: object },
  reducers: {},
  checkpointPolicy: 'none',
  memoryConsistency: 'snapshot',
} satisfies CompiledExecutionGraph;
