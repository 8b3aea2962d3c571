// A goal that is planned by its words.
import { mission, toolNode } from '@framers/agentos/orchestration';
import { z } from 'zod';

export const research = mission('research')
  .input(z.object({ topic: z.string() }))
  .goal('Research {{topic}} and cite sources')
  .returns(z.object({ summary: z.string() }))
  .planner({ strategy: 'plan_and_execute', maxSteps: 6, maxIterationsPerNode: 2, parallelTools: true })
  .policy({ guardrails: ['sources'], memory: { consistency: 'live' } })
  .anchor('facts', toolNode('check_facts'), { required: true, phase: 'validate', after: 'process-info' })
  .compile();
