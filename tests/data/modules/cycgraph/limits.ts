// Schemas of Zod with limits that are the same in all its releases.
import { graph, router } from '@cycgraph/orchestrator';
import { z } from 'zod';

export const limited = graph({
  name: 'Limited',
  nodes: [router({ id: 'only' })],
  inputs: {
    sector: { schema: z.string().min(2).max(40), description: 'A sector' },
    year: z.number().int().min(2000).max(2100).default(2026),
    count: z.number().int(),
    share: z.number().gte(0).lte(1).optional(),
    names: z.array(z.string().trim().min(1)).max(3),
  },
});
