// The interface of a graph in zod and in JSON Schema.
import { graph, node } from '@cycgraph/orchestrator';
import { z } from 'zod';

const greet = node({ id: 'greet', agent: 'greeter', reads: ['name', 'age'], writes: 'greeting' });

export const greeting = graph({
  name: 'Greeting',
  nodes: [greet],
  inputs: {
    name: z.string(),
    age: { schema: { type: 'integer' }, required: false },
    mood: { type: 'string', enum: ['good', 'bad'] },
  },
  outputs: { greeting: { schema: { type: 'string' }, description: 'What is said.' } },
});
