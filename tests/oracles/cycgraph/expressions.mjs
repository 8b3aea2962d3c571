// Filtrex as an edge, the static check and an expression verifier use it.
import { compileExpression } from 'filtrex';
import { evaluateCondition } from '@cycgraph/orchestrator';
import { inside } from './inside.mjs';
import { show } from '../lines.mjs';

const { FILTREX_COMPILE_OPTIONS, normalizeConditionExpression } = await inside('./utils/condition-expression.js');

export function answerExpression({ expression, memory = {}, goal = 'goal', tainted = [], strict_taint = false }) {
  const taint_registry = Object.fromEntries(
    tainted.map((key) => [key, { source: 'derived', created_at: '2026-01-01T00:00:00.000Z' }]),
  );
  const state = { goal, constraints: [], status: 'running', iteration_count: 0, memory, taint_registry };
  const edge = evaluateCondition({ type: 'conditional', condition: expression }, state, { strict_taint });
  let decide;
  try {
    decide = compileExpression(normalizeConditionExpression(expression), FILTREX_COMPILE_OPTIONS);
  } catch {
    return { compiles: false, edge };
  }
  const value = decide({ ...state, tainted: tainted.length > 0, tainted_keys: tainted });
  const outcome = value instanceof Error ? { error: value.constructor.name } : { value: show(value) };
  return { compiles: true, edge, verifier: Boolean(decide({ memory, goal })), ...outcome };
}
