// A style decides the plan.
import { mission } from '@framers/agentos/orchestration';
import { z } from 'zod';

export const poem = mission('poem')
  .input(z.object({ theme: z.string() }))
  .goal('Something about {{theme}}')
  .returns(z.object({ poem: z.string() }))
  .planner({ strategy: 'plan_and_execute', maxSteps: 4, style: 'creative' })
  .compile();
