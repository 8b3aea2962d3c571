// Blocks of settings without a builder of their own.
import { graph, node } from '@cycgraph/orchestrator';

const peers = ['sales', 'support'];
const nodes = peers.map((id) => node({
  id,
  agent: `${id}-agent`,
  reads: ['*'],
  writes: ['*'],
  swarmConfig: { peerNodes: peers.filter((peer) => peer !== id), maxHandoffs: 4, handoffMode: 'agent_choice' },
}));
const polish = node({
  id: 'polish',
  agent: 'polisher',
  writes: 'text',
  defaultWriteKey: 'text',
  annealingConfig: { scorePath: '$.quality', threshold: 0.9, maxIterations: 3, initialTemperature: 0.8, finalTemperature: 0.1 },
  memoryQuery: { text: 'style', maxFacts: 4 },
  budget: { maxTokens: 9000, maxCostUsd: 0.25 },
  failurePolicy: { maxRetries: 2, circuitBreaker: { enabled: true, failureThreshold: 3 } },
  metadata: { ownedBy: 'desk', numberOfCalls: 3 },
  requiresCompensation: true,
});

export const desk = graph({
  name: 'Desk',
  nodes: [...nodes, polish],
  edges: [{ from: 'sales', to: 'support' }, { from: 'support', to: polish }],
  strictKeys: false,
});
