// Routing expressions, asked through a router node of the released executor.
import { NodeExecutor } from '@framers/agentos/orchestration';

const executor = new NodeExecutor({});

// An expression sees these parts of the state; those that a question leaves out are empty.
const EMPTY_STATE = { input: {}, scratch: {}, artifacts: {}, memory: {}, diagnostics: {} };

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
