// A person decides; `onReject` takes a value.
import { approval, graph, node } from '@cycgraph/orchestrator';

const draft = node({ id: 'draft', agent: 'author', writes: 'text' });
const gate = approval({
  id: 'gate',
  prompt: 'Send this letter?',
  reviewKeys: [draft.writes],
  timeoutMs: 60 * 60 * 1000,
  onReject: draft,
});
const send = node({ id: 'send', type: 'tool', toolId: 'send_mail', tools: ['send_mail'], reads: ['text'] });

export const letters = graph({ name: 'Letters', nodes: [draft, gate, send], edges: [{ from: draft, to: gate }, { from: gate, to: send }] });
