// A graph inside a graph, with a declared interface.
import { graph, node, subgraph } from '@cycgraph/orchestrator';

const lookup = node({ id: 'lookup', agent: 'finder', reads: ['name'], writes: 'address' });

export const child = graph({
  name: 'Address',
  nodes: [lookup],
  inputs: { name: { schema: { type: 'string' }, description: 'Who is looked up.' } },
  outputs: { address: { type: 'string' } },
});

const inner = subgraph(child, { id: 'inner', inputs: { customer: 'name' }, outputs: { address: 'home' }, maxIterations: 9, reads: ['customer'], writes: 'home' });
const print = node({ id: 'print', agent: 'printer', reads: ['home'], writes: 'label' });

export const labels = graph({ name: 'Labels', nodes: [inner, print], edges: [{ from: inner, to: print }] });
