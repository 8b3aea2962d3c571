// Everything inside one call, as plain objects.
import { graph } from '@cycgraph/orchestrator';

export default graph({
  name: 'Inline',
  description: 'Plain objects, no values.',
  nodes: [
    { id: 'fetch', type: 'tool', toolId: 'load_order', tools: ['load_order'], reads: ['order_id'] },
    { id: 'judge', agent: 'judge-1', reads: ['fetch_result'], writes: ['verdict', 'reason'] },
    { id: 'refuse', type: 'router' },
  ],
  edges: [
    { from: 'fetch', to: 'judge' },
    { from: 'judge', to: 'refuse', when: 'memory.verdict == "no"' },
  ],
  startNode: 'fetch',
  endNodes: ['refuse'],
});
