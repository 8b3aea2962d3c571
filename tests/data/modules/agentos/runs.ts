// The module runs its graph: the reading stops there.
import { GraphRuntime, workflow } from '@framers/agentos/orchestration';
import { z } from 'zod';

const text = z.object({ text: z.string() });
const chain = ['first', 'second', 'third'].reduce(
  (builder, id) => builder.step(id, { tool: `${id}_tool` }),
  workflow('chain').input(text).returns(text),
);
const compiled = chain.compile();

const runtime = new GraphRuntime({ nodeExecutor: { execute: async () => ({ success: true }) } });
await runtime.invoke(compiled.toIR(), { text: 'go' });

export const never = workflow('never');
