// Steps, a branch, and steps side by side.
import { workflow } from '@framers/agentos/orchestration';
import { z } from 'zod';

export const onboarding = workflow('onboarding')
  .input(z.object({ email: z.string().email(), plan: z.enum(['free', 'paid']) }))
  .returns(z.object({ id: z.string().optional(), note: z.union([z.string(), z.number()]) }))
  .step('check', { tool: 'check_mail', timeout: 2000 })
  .branch((state) => state.input.plan, {
    paid: { tool: 'open_paid', effectClass: 'write' },
    free: { tool: 'open_free' },
  })
  .parallel([{ tool: 'welcome' }, { gmi: { instructions: 'Write a note.', maxTokens: 200 } }], {
    strategy: 'all',
    merge: { 'scratch.done': 'concat' },
  })
  .then('finish', { gmi: { instructions: 'Say what was done.' }, outputAs: 'note' })
  .compile();
