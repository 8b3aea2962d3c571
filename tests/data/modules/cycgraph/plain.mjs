// Plain JavaScript with a graph in an object, and one in a list.
import { graph, node } from '@cycgraph/orchestrator';

const work = node({ id: 'work', agent: 'worker', writes: 'done' });
const one = graph({ name: 'One', nodes: [work] });

export const graphs = { one, two: graph({ name: 'Two', nodes: [{ ...work, id: 'other' }], edges: [] }) };
