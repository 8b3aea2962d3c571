// Constants, an enum and agents come from another module; the package is a namespace.
import * as cycgraph from '@cycgraph/orchestrator';
import { KEYS, LIMIT, Step, finder, writer as author } from './shared-keys.js';

const search = cycgraph.node({
  id: Step.Search,
  agent: finder,
  reads: [KEYS.question],
  writes: KEYS.sources,
  failurePolicy: { maxRetries: LIMIT },
});
const answer = cycgraph.node({ id: Step.Answer, agent: author, reads: [KEYS.question, search.writes], writes: KEYS['answer'] });

export const research = cycgraph.graph({
  name: 'Research',
  nodes: [search, answer],
  edges: [{ from: Step.Search, to: Step.Answer }],
});
