// The smallest graph, with the builder's own file.
import { AgentGraph } from '@framers/agentos/orchestration/builders/AgentGraph';
import { END, START, toolNode } from '@framers/agentos/orchestration';
import { z } from 'zod';

const empty = z.object({});

export default new AgentGraph({ input: empty, scratch: empty, artifacts: empty })
  .addNode('look', toolNode('look'))
  .addEdge(START, 'look')
  .addEdge('look', END)
  .compile();
