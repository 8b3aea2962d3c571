// An agent of another program.
import { a2a, graph, node } from '@cycgraph/orchestrator';

const quote = a2a('insurer', { id: 'quote', skill: 'quote', inputs: { car: 'car' }, outputs: { price: 'offer' }, maxWaitMs: 9_000, reads: ['car'], writes: 'offer' });
const decide = node({ id: 'decide', agent: 'buyer', reads: Object.values(quote.outputs), writes: 'decision' });

export const insurance = graph({ name: 'Insurance', nodes: [quote, decide], edges: [{ from: quote, to: decide }] });
