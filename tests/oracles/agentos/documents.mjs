// Graphs, asked from the released static check; a lone node is put between start and end. What is found is reported as the
// rule and the names in it: `R2 node`, `R3 edge source`, `R4 edge target`.
import { GraphValidator } from '@framers/agentos/orchestration';
import YAML from 'yaml';

const RULES = [
  ['R1', /^Graph contains a cycle/],
  ['R2', /^Unreachable nodes detected: (?<list>.*)$/s],
  ['R3', /^Edge (?<edge>.*) references unknown source node: (?<end>.*)$/s],
  ['R4', /^Edge (?<edge>.*) references unknown target node: (?<end>.*)$/s],
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
    return { errors: errors.flatMap(found), warnings: warnings.flatMap(found) };
  } catch (error) {
    return { crash: error.name, errors: [], warnings: [] };
  }
}

/** JSON has no word for these. */
const named = (name) => (['NaN', 'Infinity', '-Infinity'].includes(name) ? 'null' : name);

/** What a message says, once for each thing that it is about. */
function found(message) {
  for (const [rule, pattern] of RULES) {
    const names = pattern.exec(message);
    if (!names) continue;
    const { list, edge, end } = names.groups ?? {};
    if (list !== undefined) return list.split(', ').map((name) => `${rule} ${named(name)}`);
    return edge === undefined ? [rule] : [`${rule} ${named(edge)} ${named(end)}`];
  }
  throw new Error(`no rule says: ${message}`);
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
