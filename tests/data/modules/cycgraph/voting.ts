// Voters from a list, with weights and a judge.
import { agent, graph, voting } from '@cycgraph/orchestrator';

const roles = ['law', 'price', 'press'];
const voters = roles.map((role) => agent({ id: `voter-${role}`, model: 'gpt-5', instructions: `Judge the ${role}.` }));
const judge = agent({ id: 'judge', model: 'o3-mini', instructions: 'Break ties.' });

export const vote = voting(voters, {
  id: 'vote',
  strategy: 'weighted_vote',
  voteKey: 'decision',
  quorum: 2,
  judge,
  weights: { 'voter-law': 2, 'voter-price': 1, 'voter-press': 0.5 },
  taskTimeoutMs: 30_000,
  reads: ['offer'],
});

export const board = graph({ name: 'Board', nodes: [vote], startNode: vote, endNodes: [vote] });
