// A map with its worker and what joins the results.
import { agent, graph, mapReduce, node, synthesizer } from '@cycgraph/orchestrator';

const summariser = agent({ model: 'claude-haiku-4-5', instructions: 'Summarise one page.' });
const worker = node({ id: 'page', agent: summariser, reads: ['_map_item'], writes: 'summary' });
const join = synthesizer({ id: 'join', agent: 'joiner', reads: ['pages_results'] });
const pages = mapReduce(worker, {
  id: 'pages',
  items: '$.documents',
  into: join,
  concurrency: 3,
  maxItems: 40,
  onError: 'fail_fast',
  taskTimeoutMs: 20_000,
  reads: ['documents'],
});

export const digest = graph({
  name: 'Digest',
  nodes: [pages, worker, join],
  edges: [{ from: pages, to: join }, { from: join, to: worker, when: 'false' }],
  startNode: pages,
  endNodes: [join],
});
