// Documents: the schema's refusals, then the static check of each graph.
import { GraphSchema, parseBundle, validateGraph } from '@cycgraph/orchestrator';
import YAML from 'yaml';
import { inside } from './inside.mjs';
import { findingOf } from './rules.mjs';

const { BundledAgentSchema } = await inside('./authoring/bundle-schema.js');

export function answerDocument({ text, value }) {
  let document = value;
  if (text !== undefined) {
    try {
      document = YAML.parse(text, { version: '1.2', uniqueKeys: true });
    } catch {
      return { kind: 'unknown', stage: 'syntax', schema: [], errors: [], warnings: [] };
    }
  }
  const kind = classify(document);
  switch (kind) {
    case 'bundle':
      return { kind, ...checkBundle(document) };
    case 'agent':
      return { kind, ...checkAgent(document) };
    case 'node':
      return { kind, ...withoutWrapping(checkGraph(aroundNode(document))) };
    default:
      return { kind, ...checkGraph(document) };
  }
}

function classify(document) {
  if (document === null || typeof document !== 'object' || Array.isArray(document)) return 'unknown';
  if ('manifest' in document && 'graph' in document) return 'bundle';
  if ('nodes' in document || 'start_node' in document) return 'graph';
  if (typeof document.id === 'string' && typeof document.type === 'string') return 'node';
  if ('provider' in document && 'system_prompt' in document) return 'agent';
  return 'unknown';
}

/** The smallest graph around a lone node; the upstream package checks graphs only. */
function aroundNode(node) {
  return { id: 'lone', name: 'lone', description: '', nodes: [node], edges: [], start_node: node.id, end_nodes: [node.id] };
}

/** Paths of issues begin at the node that was asked for. */
function withoutWrapping(answer) {
  return { ...answer, schema: answer.schema.map((issue) => ({ ...issue, path: issue.path.slice(2) })) };
}

function checkGraph(value) {
  const parsed = GraphSchema.safeParse(value);
  return parsed.success ? verdict([parsed.data]) : refused('schema', issuesOf(parsed.error));
}

/** An agent that stands alone, as a bundle would hold it. */
function checkAgent(value) {
  const parsed = BundledAgentSchema.safeParse(value);
  return parsed.success ? verdict([]) : refused('schema', issuesOf(parsed.error));
}

function checkBundle(value) {
  let bundle;
  try {
    bundle = parseBundle(value);
  } catch (error) {
    const isIntegrity = error.name === 'BundleIntegrityError';
    return refused(isIntegrity ? 'integrity' : 'schema', issuesOf(error), error.violations?.length ?? 0);
  }
  return verdict([bundle.graph, ...bundle.graphs]);
}

function refused(stage, schema, violations = 0) {
  return { stage, schema, errors: [], warnings: [], ...(violations > 0 ? { violations } : {}) };
}

function verdict(graphs) {
  const results = graphs.map(validateGraph);
  const rules = (part) => results.flatMap((result) => result[part].map(findingOf));
  return { stage: 'validator', schema: [], errors: rules('errors'), warnings: rules('warnings') };
}

/** Path and kind of each issue; those inside the branches of a union are marked. */
function issuesOf(error) {
  const found = [];
  const add = (issues, base, isBranch) => {
    for (const issue of issues ?? []) {
      const path = [...base, ...issue.path.map(String)];
      found.push({ path, code: issue.code, ...(isBranch ? { branch: true } : {}) });
      if (issue.code === 'invalid_union') for (const branch of issue.errors ?? []) add(branch, path, true);
    }
  };
  add(error.issues, [], false);
  return found;
}
