// Every kind of node and edge.
import { AgentGraph, END, START, gmiNode, guardrailNode, humanNode, judgeNode, routerNode, toolNode } from '@framers/agentos/orchestration';
import { z } from 'zod';

export const desk = new AgentGraph(
  {
    input: z.object({ topic: z.string(), depth: z.number().int().default(1) }),
    scratch: z.object({ notes: z.array(z.string()).optional(), score: z.number().nullable() }),
    artifacts: z.object({ report: z.string(), kind: z.enum(['long', 'short']) }),
  },
  { reducers: { 'scratch.notes': 'concat' }, checkpointPolicy: 'every_node', memoryConsistency: 'live' },
)
  .addNode('plan', gmiNode({ instructions: 'Plan the report.', maxInternalIterations: 3, temperature: 0.2 }, { checkpoint: 'after' }))
  .addNode('search', toolNode('web_search', { args: { limit: 3 }, timeout: 5000 }, { effectClass: 'external' }))
  .addNode('safe', guardrailNode(['pii'], { onViolation: 'reroute', rerouteTarget: 'plan' }))
  .addNode('route', routerNode("scratch.score > 3 ? 'ask' : 'write'"))
  .addNode('ask', humanNode({ prompt: 'Is this good?', timeout: 60_000 }))
  .addNode('write', gmiNode({ instructions: 'Write.', executionMode: 'single_turn', maxTokens: 800 }))
  .addNode('judge', judgeNode({ rubric: 'Clear and true.', threshold: 7, schema: z.object({ score: z.number() }) }))
  .addEdge(START, 'plan')
  .addEdge('plan', 'search')
  .addEdge('search', 'safe')
  .addEdge('safe', 'route')
  .addConditionalEdge('route', (state) => (state.scratch.score > 3 ? 'ask' : 'write'))
  .addEdge('ask', 'write')
  .addEdge('route', 'ask')
  .addPersonalityEdge('write', { trait: 'openness', threshold: 0.5, above: 'judge', below: 'ask' })
  .addDiscoveryEdge('judge', { query: 'publishers', kind: 'tool', fallbackTarget: 'write' })
  .addEdge('judge', END)
  .compile({ validate: false });
