// Items that stand in the module.
import { graph, mapReduce, node } from '@cycgraph/orchestrator';

const REGIONS = ['north', 'south', 'west'] as const;
const worker = node({ id: 'region', agent: 'reporter', writes: 'report' });
const all = mapReduce(worker, { id: 'all', items: [...REGIONS], reads: [] });

export const report = graph({ name: 'Report', nodes: [all, worker], edges: [], startNode: all, endNodes: [all] });
