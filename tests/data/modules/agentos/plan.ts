// A mission with a plan of its own.
import { humanNode, mission } from '@framers/agentos/orchestration';
import { z } from 'zod';

const steps = [
  { id: 'collect', action: 'tool_call', description: 'Collect pages.', phase: 'gather', toolName: 'crawl' },
  { id: 'think', action: 'reasoning', description: 'Draw conclusions.', phase: 'process', maxInternalIterations: 3 },
  { id: 'ask', action: 'human_input', description: 'Is this right?', phase: 'validate' },
  { id: 'guard', action: 'validation', description: 'No names.', phase: 'validate' },
  { id: 'tell', action: 'reasoning', description: 'Write it down.', phase: 'deliver' },
] as const;

export const planned = mission('planned')
  .input(z.object({ site: z.string() }))
  .goal('Look at {{site}}')
  .returns(z.object({ text: z.string() }))
  .planner({ strategy: 'plan_and_execute', maxSteps: 5, plan: { steps: [...steps] } })
  .policy({ guardrails: ['names'] })
  .anchor('sign', humanNode({ prompt: 'Sign?' }), { required: true, phase: 'deliver' })
  .compile();
