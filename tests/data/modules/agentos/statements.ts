// The builder in a constant, filled by statements.
import { AgentGraph, END, START, gmiNode, toolNode } from '@framers/agentos/orchestration';
import { z } from 'zod';

const text = z.object({ text: z.string() });
const builder = new AgentGraph({ input: text, scratch: z.object({}), artifacts: text });
builder.addNode('read', toolNode('read_file'));
builder.addNode('tell', gmiNode({ instructions: 'Tell what it says.' }));
builder.addEdge(START, 'read').addEdge('read', 'tell');
builder.addEdge('tell', END);

export const telling = builder.compile();
