// Graphs, asked from the released static check; a lone node is put between start and end.
import { GraphValidator } from '@framers/agentos/orchestration';
import YAML from 'yaml';

const RULES = [
  ['R1', /^Graph contains a cycle/],
  ['R2', /^Unreachable nodes detected/],
  ['R3', /^Edge .* references unknown source/s],
  ['R4', /^Edge .* references unknown target/s],
  ['R5', /^No edges from START/],
  ['R6', /^No edges to END/],
];

export function answerDocument({ text, value }) {
  let document = value;
  if (text !== undefined) {
    try {
      document = YAML.parse(text, { version: '1.2', uniqueKeys: true });
    } catch {
      return { kind: 'unknown', crash: 'syntax', errors: [], warnings: [] };
    }
  }
  const kind = classify(document);
  const graph = kind === 'node' ? aroundNode(document) : document;
  const { warnings: _, ...cyclesAllowed } = check(graph, false);
  return { kind, ...check(graph, true), cycles_allowed: cyclesAllowed.errors };
}

function check(graph, requireAcyclic) {
  try {
    const { errors, warnings } = GraphValidator.validate(graph, { requireAcyclic });
    return { errors: errors.map(ruleOf), warnings: warnings.map(ruleOf) };
  } catch (error) {
    return { crash: error.name, errors: [], warnings: [] };
  }
}

function ruleOf(message) {
  const found = RULES.find(([, pattern]) => pattern.test(message));
  if (!found) throw new Error(`no rule says: ${message}`);
  return found[0];
}

function classify(document) {
  if (document === null || typeof document !== 'object' || Array.isArray(document)) return 'unknown';
  if (Array.isArray(document.nodes) && Array.isArray(document.edges)) return 'graph';
  if (document.executorConfig && typeof document.id === 'string') return 'node';
  return 'unknown';
}

/** The smallest graph around a lone node; the upstream package checks graphs only. */
function aroundNode(node) {
  return {
    id: 'lone',
    name: 'lone',
    nodes: [node],
    edges: [
      { id: 'in', source: '__START__', target: node.id, type: 'static' },
      { id: 'out', source: node.id, target: '__END__', type: 'static' },
    ],
    stateSchema: { input: {}, scratch: {}, artifacts: {} },
    reducers: {},
    checkpointPolicy: 'none',
    memoryConsistency: 'snapshot',
  };
}
