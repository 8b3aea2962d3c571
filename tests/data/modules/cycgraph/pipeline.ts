// Nodes and edges come out of a list.
import { graph, node } from '@cycgraph/orchestrator';

const STAGES = [
  { id: 'collect', agent: 'collector', quick: true },
  { id: 'clean', agent: 'cleaner', quick: false },
  { id: 'count', agent: 'counter', quick: true },
  { id: 'print', agent: 'printer', quick: false },
] as const;

const nodes = STAGES.map((stage, index) => node({
  id: stage.id,
  agent: stage.agent,
  reads: index === 0 ? [] : [`${STAGES[index - 1].id}_text`],
  writes: `${stage.id}_text`,
  ...(stage.quick ? { failurePolicy: { maxRetries: 0 } } : {}),
}));
const edges = STAGES.slice(1).map((stage, index) => ({ from: STAGES[index].id, to: stage.id }));

export const pipeline = graph({ name: `Pipeline of ${STAGES.length}`, nodes, edges });
export const quick = STAGES.filter((stage) => stage.quick).map((stage) => stage.id);
