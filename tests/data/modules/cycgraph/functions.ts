// Values out of functions of literals, and a graph that is not exported.
import { graph, node } from '@cycgraph/orchestrator';

const step = (id: string, next: string[] = []) => node({ id, agent: `${id}-agent`, reads: next, writes: `${id}_text` });
function edge(from: string, to: string, when?: string) {
  return { from, to, ...(when && { when }) };
}

const hidden = graph({
  name: 'Hidden',
  nodes: [step('one'), step('two', ['one_text'])],
  edges: [edge('one', 'two', 'memory.one_text')],
});

export const count = hidden.nodes.length;
