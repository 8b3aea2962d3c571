// Every kind of step.
import { workflow } from '@framers/agentos/orchestration';
import { z } from 'zod';

const anything = z.object({ data: z.record(z.string(), z.unknown()) });

export const steps = workflow('steps')
  .input(anything)
  .returns(anything)
  .step('tool', { tool: 'run', retryPolicy: { maxAttempts: 2, backoff: 'fixed', backoffMs: 100 } })
  .step('model', { gmi: { instructions: 'Think.' }, memory: { consistency: 'live' } })
  .step('person', { human: { prompt: 'Go on?' }, timeout: 1000 })
  .then('extension', { extension: { extensionId: 'mail', method: 'send' }, effectClass: 'write' })
  .then('nothing', {})
  .then('function', ((flow: { step: (id: string, step: object) => unknown }) => flow.step('inner', { tool: 'x' })) as never)
  .compile();
