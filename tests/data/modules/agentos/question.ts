// A short question.
import { mission } from '@framers/agentos/orchestration';
import { z } from 'zod';

export const answer = mission('answer')
  .input(z.object({ question: z.string() }))
  .goal('What is the capital of {{country}}?')
  .returns(z.object({ answer: z.string() }))
  .planner({ strategy: 'plan_and_execute', maxSteps: 2 })
  .compile();
