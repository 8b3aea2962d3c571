// What a run remembers.
import { agent, graph, node, reflection, runTool } from '@cycgraph/orchestrator';

const extractor = agent({ id: 'extractor', model: 'claude-haiku-4-5', instructions: 'List facts.' });
const load = runTool('load_case', { id: 'load', tools: ['load_case'], reads: ['case_id'] });
const solve = node({ id: 'solve', agent: 'solver', reads: [load.result], writes: 'solution' });
const learn = reflection(['solution', load.result], {
  id: 'learn',
  extractor: { type: 'llm', agentId: extractor, maxFacts: 5 },
  tags: ['cases', 'lessons'],
  entityKeys: ['case_id'],
  resultKey: 'lessons',
});

export const learning = graph({ name: 'Learning', nodes: [load, solve, learn], edges: [{ from: load, to: solve }, { from: solve, to: learn }] });
