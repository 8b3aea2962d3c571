// Runs: a graph with scripted models, tools and people, in the format of the recorded scenarios.
import { APICallError } from 'ai';
import {
  createProviderRegistry, createWorkflowState, defineTool, GraphRunner, GraphSchema, InMemoryAgentRegistry, InMemoryEventLogWriter,
  setModelPricing,
} from '@cycgraph/orchestrator';
import { z } from 'zod';
import { withStillClock } from './clock.mjs';
import { inside } from './inside.mjs';

const { clearPricingOverrides } = await inside('./cost/pricing.js');

/** Names of the runner's events that say how a run as a whole goes. */
const LIFECYCLE = [
  'workflow:start', 'workflow:complete', 'workflow:failed', 'workflow:waiting', 'workflow:timeout', 'workflow:cancelled',
  'workflow:rollback', 'workflow:paused', 'security:policy', 'budget:threshold_reached',
];
const STEPS = ['node:start', 'node:complete', 'node:failed', 'node:retry', 'action:applied', 'tool:call_start', 'tool:call_finish'];

// A model that answers after its run is over rejects where nobody listens.
process.on('unhandledRejection', () => {});

export const answerRun = ({ scenario }) => runScenario(scenario, []);

/** The report of a run; what its models are sent goes to `asked`, its event log to `logged`; `clocked` runs it on a clock. */
export async function runScenario(scenario, asked, { logged = [], clocked = withStillClock } = {}) {
  clearPricingOverrides();
  let graph, children;
  try {
    graph = GraphSchema.parse(scenario.graph);
    children = new Map((scenario.graphs ?? []).map((child) => [child.id, GraphSchema.parse(child)]));
  } catch {
    return { refused: true };
  }
  return clocked(() => run(scenario, graph, children, { asked, logged }));
}

async function run(scenario, graph, children, { asked, logged }) {
  const log = { asked, calls: [], tools: [], facts: [], queries: [], remote: [] };
  const options = wiring(scenario, children, log);
  let state = createWorkflowState(beginning(scenario, graph));
  const seen = { executed: [], retries: [], failures: [], lifecycle: [], stream: [] };
  const human = [...(scenario.human ?? [])];
  let error;
  for (let leg = 0; ; leg++) {
    const runner = new GraphRunner(graph, state, options);
    listen(runner, seen);
    if (leg > 0) runner.applyHumanResponse(human.shift());
    try {
      await runner.run();
    } catch (thrown) {
      error = { name: thrown.name, message: thrown.message, ...(thrown.cause ? { cause: thrown.cause.name } : {}) };
    }
    state = runner.getState();
    if (state.status !== 'waiting' || human.length === 0) break;
  }
  const events = await options.eventLog.loadEvents(state.run_id);
  logged.push(...events);
  return { ...report(state, seen, error, log), events: events.map(eventLine), stream: seen.stream };
}

function beginning(scenario, graph) {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
  const { run_id, workflow_id, ...seed } = scenario.state ?? {};
  return {
    workflow_id: workflow_id ?? (uuid.test(graph.id) ? graph.id : '00000000-0000-4000-8000-0000000000aa'),
    run_id: run_id ?? '00000000-0000-4000-8000-000000000001',
    goal: 'scripted goal',
    ...seed,
  };
}

function listen(runner, seen) {
  runner.on('node:start', (event) => seen.executed.push(event.node_id));
  runner.on('node:retry', (event) => seen.retries.push({ node: event.node_id, attempt: event.attempt, backoff_ms: event.backoff_ms }));
  runner.on('node:failed', (event) => seen.failures.push({ node: event.node_id, attempt: event.attempt, error: event.error }));
  for (const name of LIFECYCLE) {
    runner.on(name, (event) => {
      const line = event.threshold_pct ? `${name}:${event.threshold_pct}` : name;
      seen.lifecycle.push(line);
      seen.stream.push(line);
    });
  }
  for (const name of STEPS) {
    runner.on(name, (event) => seen.stream.push(`${name} ${event.tool_name ?? event.node_id ?? event.action?.metadata?.node_id}`));
  }
}

function eventLine(event) {
  const type = event.internal_type ? `${event.event_type}:${event.internal_type}` : event.event_type;
  return `${event.sequence_id} ${type}${event.node_id ? ` ${event.node_id}` : ''}`;
}

// ── what a host wires ──

function wiring(scenario, children, log) {
  const agents = Object.entries(scenario.agents ?? {}).map(([id, agent]) => [id, Array.isArray(agent) ? { turns: agent } : agent]);
  const tools = Object.entries(scenario.tools ?? {}).map(([name, tool]) => scriptedTool(name, tool, log));
  const options = {
    ...agentWiring(agents, log),
    ...(tools.length || scenario.force_tools ? { tools } : {}),
    eventLog: new InMemoryEventLogWriter(),
    persistState: async () => {},
    loadGraph: async (id) => children.get(id) ?? null,
    allowImplicitCompletion: scenario.options?.allow_implicit_completion ?? false,
    autoRollback: scenario.options?.auto_rollback ?? false,
  };
  memoryWiring(scenario, options, log);
  if (scenario.fitness) {
    const scores = [...scenario.fitness];
    options.fitnessFunction = async () => ({ score: scores.length > 1 ? scores.shift() : scores[0], reasoning: 'scripted' });
  }
  if (scenario.a2a) remoteWiring(scenario.a2a, options, log);
  if (scenario.policy) {
    options.securityPolicy = ({ node }) => (scenario.policy[node.id] ? { effect: scenario.policy[node.id], reason: 'scripted' } : { effect: 'allow' });
  }
  if (scenario.compensations) {
    const attach = async ({ node }, action) =>
      scenario.compensations[node.id] ? { ...action, compensation: scenario.compensations[node.id] } : undefined;
    options.middleware = [{ afterNodeExecute: attach }];
  }
  return options;
}

function agentWiring(agents, log) {
  const registry = new InMemoryAgentRegistry();
  const scripts = new Map();
  for (const [id, agent] of agents) {
    scripts.set(id, { queue: (agent.turns ?? []).map((turn) => (typeof turn === 'string' ? { text: turn } : turn)) });
    registry.register({
      id, name: id, model: `mock/${id}`, provider: 'mock', systemPrompt: agent.system ?? `agent ${id}`, tools: agent.tools ?? [],
      ...(agent.max_steps ? { maxSteps: agent.max_steps } : {}),
      ...(agent.temperature !== undefined ? { temperature: agent.temperature } : {}),
      ...(agent.permissions ? { permissions: agent.permissions } : {}),
    });
    if (agent.price) setModelPricing(`mock/${id}`, { inputPerMToken: agent.price.in ?? 0, outputPerMToken: agent.price.out ?? 0 });
  }
  const providers = createProviderRegistry();
  const numbers = { call: 0 };
  providers.register('mock', (model) => scriptedModel(model.slice('mock/'.length), scripts, log, numbers), {
    models: [],
    allowUnknownModels: true,
  });
  return { registry, providers };
}

function scriptedModel(id, scripts, log, numbers) {
  const take = async (options) => {
    const turn = nextTurn(id, scripts.get(id), options, log);
    if (turn.delay_ms) await sleep(turn.delay_ms, options.abortSignal);
    return { parts: partsOf(turn, numbers), finishReason: finishOf(turn), usage: usageOf(turn) };
  };
  return {
    specificationVersion: 'v4', provider: 'mock', modelId: `mock/${id}`, supportedUrls: {},
    async doGenerate(options) {
      const { parts, finishReason, usage } = await take(options);
      return { content: parts, finishReason, usage, warnings: [] };
    },
    async doStream(options) {
      const { parts, finishReason, usage } = await take(options);
      const chunks = [{ type: 'stream-start', warnings: [] }, ...parts.flatMap(chunksOf), { type: 'finish', finishReason, usage }];
      return {
        stream: new ReadableStream({
          start(controller) {
            chunks.forEach((chunk) => controller.enqueue(chunk));
            controller.close();
          },
        }),
      };
    },
  };
}

function nextTurn(id, script, options, log) {
  const prompt = options.prompt.map(({ content }) =>
    typeof content === 'string' ? content : content.map((part) => part.text ?? JSON.stringify(part)).join('\n'),
  ).join('\n');
  const at = script.queue.findIndex((turn) => !turn.when || prompt.includes(turn.when));
  log.calls.push({ agent: id, temperature: options.temperature });
  log.asked.push({ agent: id, options });
  if (at < 0) throw new Error(`no scripted turn left for agent "${id}"`);
  const turn = script.queue[at];
  if (!turn.sticky) script.queue.splice(at, 1);
  if (turn.error && turn.retryable !== undefined) {
    const statusCode = turn.retryable ? 503 : 400;
    throw new APICallError({ message: turn.error, url: 'mock', requestBodyValues: {}, statusCode, isRetryable: turn.retryable });
  }
  if (turn.error) throw new Error(turn.error);
  return turn;
}

function partsOf(turn, numbers) {
  const text = turn.json !== undefined ? JSON.stringify(turn.json) : turn.text;
  const calls = (turn.calls ?? []).map((call) => ({
    type: 'tool-call', toolCallId: `call-${++numbers.call}`, toolName: call.tool, input: JSON.stringify(call.args ?? {}),
  }));
  return text ? [{ type: 'text', text }, ...calls] : calls;
}

function chunksOf(part) {
  if (part.type !== 'text') return [part];
  return [{ type: 'text-start', id: '1' }, { type: 'text-delta', id: '1', delta: part.text }, { type: 'text-end', id: '1' }];
}

const finishOf = (turn) => ({ unified: turn.calls?.length ? 'tool-calls' : 'stop', raw: undefined });

function usageOf({ in: input = 10, out: output = 5 }) {
  return {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: output, text: output, reasoning: 0 },
  };
}

function sleep(wait, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, wait);
    const abort = () => {
      clearTimeout(timer);
      reject(Object.assign(new Error('aborted'), { name: 'AbortError' }));
    };
    signal?.addEventListener('abort', abort, { once: true });
  });
}

function scriptedTool(name, tool, log) {
  const results = tool.results ? [...tool.results] : undefined;
  const execute = async (given) => {
    log.tools.push({ tool: name, args: given });
    if (tool.delay_ms) await sleep(tool.delay_ms);
    if (tool.echo) return given;
    const result = results ? results.shift() : { value: tool.result };
    if (result === undefined) throw new Error(`no scripted result left for tool "${name}"`);
    if (result.throw) throw new Error(result.throw);
    return result.value;
  };
  return defineTool({ name, description: `scripted ${name}`, parameters: z.looseObject({}), taints: tool.taints === true, execute });
}

function memoryWiring(scenario, options, log) {
  let writes = 0;
  if (scenario.memory_writer) {
    options.memoryWriter = async (batch) => {
      if (++writes <= (scenario.memory_writer.fail_first ?? 0)) throw new Error('writer down');
      const write = ({ content, tags, entities, provenance }) =>
        `fact-${log.facts.push({ content, tags, entities, source: provenance.source })}`;
      return { fact_ids: batch.map(write) };
    };
  }
  if (scenario.memory_facts) {
    options.memoryRetriever = async (query, { maxFacts }) => {
      log.queries.push({ ...query, maxFacts });
      return { facts: scenario.memory_facts, entities: scenario.memory_entities ?? [], themes: scenario.memory_themes ?? [] };
    };
  }
}

function remoteWiring(servers, options, log) {
  const rest = { auth: { type: 'none' }, task_timeout_ms: 1000, timeout_ms: 1000, max_retries: 0, propagate_trace_context: false };
  const server = (id) => {
    const allowed = servers[id].allowed_agents;
    return { id, name: id, agent_card_url: 'mock', ...rest, ...(allowed ? { allowed_agents: allowed } : {}) };
  };
  options.a2aRegistry = { loadServer: async (id) => (servers[id] ? server(id) : null) };
  const results = Object.values(servers).flatMap((scripted) => scripted.results ?? []);
  const reply = (kind) => async ({ input, taskId, response, skillId }) => {
    log.remote.push({ kind, input, taskId, response, skillId });
    const result = results.shift();
    if (!result) throw new Error('no scripted a2a result left');
    if (result.throw) throw new Error(result.throw);
    return { taskId: result.task_id ?? 'task-1', state: result.state, artifacts: result.artifacts ?? [], message: result.message };
  };
  options.a2aClient = { runTask: reply('run'), resumeTask: reply('resume') };
}

// ── what is reported of a run ──

function report(state, seen, error, log) {
  const has = (list) => list.length > 0;
  const taint = Object.entries(state.taint_registry).map(([key, mark]) => [key, mark.derived_from ? `${mark.source}(${mark.derived_from})` : mark.source]);
  return {
    status: state.status, visited: state.visited_nodes, executed: seen.executed, iterations: state.iteration_count, memory: scrubbed(state.memory),
    ...(error ? { error } : {}),
    ...(state.last_error ? { last_error: state.last_error } : {}),
    ...(has(state.supervisor_history) ? { handoffs: state.supervisor_history.map((entry) => `${entry.supervisor_id}->${entry.delegated_to}@${entry.iteration}`) } : {}),
    ...(has(taint) ? { taint: Object.fromEntries(taint) } : {}),
    ...(has(seen.retries) ? { retries: seen.retries } : {}),
    ...(has(seen.failures) ? { failures: seen.failures } : {}),
    ...(state.pending_approval ? { pending: scrubbed(state.pending_approval), waiting_ms: state.waiting_timeout_at - state.waiting_since } : {}),
    ...(state.swarm_handoff_count ? { swarm_handoffs: state.swarm_handoff_count } : {}),
    ...(has(state.compensation_stack) ? { compensation_stack: state.compensation_stack.map((entry) => entry.compensation_action) } : {}),
    ...(has(state.memory_drops) ? { drops: state.memory_drops.map((drop) => `${drop.key}:${drop.reason}`) } : {}),
    tokens: state.total_tokens_used, cost_usd: state.total_cost_usd, lifecycle: seen.lifecycle, model_calls: log.calls,
    ...(has(log.tools) ? { tool_calls: log.tools } : {}),
    ...(has(log.facts) ? { facts: log.facts } : {}),
    ...(has(log.queries) ? { queries: log.queries } : {}),
    ...(has(log.remote) ? { a2a_calls: log.remote } : {}),
  };
}

/** The value without moments in time, which differ. */
function scrubbed(value, key) {
  if (key === 'evaluated_at' || key === 'reflected_at') return '<time>';
  if (Array.isArray(value)) return value.map((item) => scrubbed(item));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, scrubbed(member, name)]));
}
