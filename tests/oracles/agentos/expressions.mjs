// Routing expressions, asked through a router node of the released executor.
import { NodeExecutor } from '@framers/agentos/orchestration';

const executor = new NodeExecutor({});

const EMPTY_STATE = {
  input: {},
  scratch: {},
  artifacts: {},
  memory: { traces: [], pendingWrites: [], totalTracesRead: 0, readLatencyMs: 0 },
  diagnostics: {
    totalTokensUsed: 0, totalDurationMs: 0, nodeTimings: {}, discoveryResults: {},
    guardrailResults: {}, checkpointsSaved: 0, memoryReads: 0, memoryWrites: 0,
  },
};

export async function answerExpression({ expression, state = {} }) {
  const router = {
    id: 'router', type: 'router', executionMode: 'single_turn', effectClass: 'pure', checkpoint: 'none',
    executorConfig: { type: 'router', condition: { type: 'expression', expr: expression } },
  };
  try {
    const { routeTarget } = await executor.execute(router, { ...EMPTY_STATE, ...state });
    return { result: routeTarget };
  } catch (error) {
    return { crash: error.name };
  }
}
