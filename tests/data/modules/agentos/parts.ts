// A graph inside a graph, and a node of speech.
import { AgentGraph, END, START, subgraphNode, toolNode, voiceNode, workflow } from '@framers/agentos/orchestration';
import { z } from 'zod';

const text = z.object({ text: z.string() });
const none = z.object({});

const inner = workflow('inner').input(text).returns(text).step('one', { tool: 'one' }).compile();

export const outer = new AgentGraph({ input: text, scratch: none, artifacts: text })
  .addNode('listen', voiceNode('listen', { mode: 'conversation', stt: 'deepgram', maxTurns: 3 }).on('completed', 'work').build())
  .addNode('work', subgraphNode(inner.toIR(), { inputMapping: { text: 'text' }, outputMapping: { text: 'text' } }))
  .addNode('end', toolNode('hang_up'))
  .addEdge(START, 'listen')
  .addEdge('listen', 'work')
  .addEdge('work', 'end')
  .addEdge('end', END)
  .compile();
