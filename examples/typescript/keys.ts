import { memoryKeys } from '@cycgraph/orchestrator';

/** The memory that the nodes share. */
export const mem = memoryKeys({
  topic: { seeded: true, description: 'What the text is about.' },
  notes: {},
  draft: {},
});
