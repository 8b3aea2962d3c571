// Runs of graphs in the released runtime, on a virtual clock: {ask: "run", job} -> the recording of the job.
//
// A job holds `graph`, and perhaps `input`, `script` ({node: step | [step for each attempt]}), `subgraphs`,
// `subgraphScript`, `personaTraits`, `discovery`, `guardrails`, `wire`, `store` and `then` ([{resume | fork, script}]).
// Tools, models, extensions, guardrails, searches and voice sessions answer as the script says; all else is the release's.
import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import {
  GraphRuntime, InMemoryCheckpointStore, LoopController, NodeExecutor, StateManager,
} from '@framers/agentos/orchestration';
import { VoiceNodeExecutor } from '@framers/agentos/orchestration/runtime/VoiceNodeExecutor';

const real = { setTimeout, clearTimeout, setImmediate, now: Date.now };
/** A run that schedules nothing for so many turns of the event loop waits for something that never comes. */
const TURNS_OF_A_STALL = 40;
const TURNS_BETWEEN_TIMERS = 4;
const SUCCESS = { success: true };

// The clock and the job that the patched functions serve.
let now = 0;
let sequence = 0;
let timers = [];
let watch = null;
const current = new AsyncLocalStorage();

/** Answers a question about a job; one that the program cannot make sense of is unreadable. */
export async function answerRun({ job }) {
  begin();
  try {
    return await runJob(job);
  } catch (error) {
    return { status: 'unreadable', crash: error.message };
  } finally {
    end();
  }
}

function begin() {
  now = 0;
  sequence = 0;
  timers = [];
  Date.now = () => now;
  globalThis.setTimeout = (call, wait = 0, ...given) => {
    const timer = { at: now + Math.max(1, Number(wait) || 1), number: ++sequence, call: () => call(...given) };
    timer.unref = timer.ref = () => timer;
    timers.push(timer);
    return timer;
  };
  globalThis.clearTimeout = (timer) => { timers = timers.filter((other) => other !== timer); };
}

function end() {
  Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout });
  Date.now = real.now;
  timers = [];
  watch = null;
}

/** Lets virtual time pass until a promise settles. */
async function settle(promise) {
  let isDone = false;
  promise.then(() => { isDone = true; }, () => { isDone = true; });
  let idle = 0;
  while (!isDone) {
    for (let turn = 0; turn < TURNS_BETWEEN_TIMERS && !isDone; turn++) {
      await new Promise((resolve) => real.setImmediate(resolve));
    }
    if (isDone) break;
    if (timers.length > 0) {
      timers.sort((one, other) => one.at - other.at || one.number - other.number);
      const timer = timers.shift();
      now = Math.max(now, timer.at);
      timer.call();
      idle = 0;
    } else if (++idle > TURNS_OF_A_STALL) {
      throw new Error('stalled: nothing is scheduled and the run has not ended');
    }
  }
  return promise;
}

const sleep = (wait) => (wait ? new Promise((resolve) => setTimeout(resolve, wait)) : undefined);
const plain = (value) => JSON.parse(JSON.stringify(value));

// The runtime keeps its state to itself; each change of the outermost run's state passes here.
for (const method of ['initialize', 'updateScratch', 'updateArtifacts', 'recordNodeVisit', 'mergeParallelBranches']) {
  const original = StateManager.prototype[method];
  StateManager.prototype[method] = function (...given) {
    const state = original.apply(this, given);
    const isOurs = watch && this.reducers === watch.reducers;
    if (isOurs && !(watch.isResumed && method === 'initialize')) {
      watch.last = state;
      watch.byNode[state.currentNodeId] = state;
    }
    return state;
  };
}

function stepFor(script, node, attempt) {
  const steps = script?.[node];
  if (steps === undefined) return SUCCESS;
  if (!Array.isArray(steps)) return steps;
  return steps.length ? steps[Math.min(attempt, steps.length) - 1] : SUCCESS;
}

class ScriptedExecutor extends NodeExecutor {
  constructor(services, setting) {
    super(services);
    this.setting = setting;
    this.calls = {};
  }

  async execute(node, state) {
    const attempt = (this.calls[node.id] = (this.calls[node.id] ?? 0) + 1);
    const step = stepFor(this.setting.script, node.id, attempt);
    const graph = this.setting.graph ? { graph: this.setting.graph } : {};
    this.setting.executions.push({ ...graph, node: node.id, attempt, t: now });
    if (step.result) {
      await sleep(step.delayMs);
      if (step.throw) throw new Error(step.throw);
      return { ...step.result };
    }
    let seen = state;
    if (node.executorConfig?.type === 'voice' && step.session) {
      const transport = playSession(step.session);
      seen = { ...state, scratch: { ...state.scratch, voiceTransport: transport } };
    }
    const result = await current.run({ node, step, round: 0 }, () => super.execute(node, seen));
    return step.patch ? { ...result, ...step.patch } : result;
  }
}

function playSession(events) {
  const transport = new EventEmitter();
  const session = (transport._voiceSession = new EventEmitter());
  (async () => {
    await sleep(1);
    for (const { event, afterMs, ...data } of events) {
      await sleep(afterMs);
      const emitter = event === 'close' || event === 'disconnected' ? transport : session;
      emitter.emit(event, data);
    }
  })();
  return transport;
}

let providerCalled;

/** Who gets each request to the host's models: the node, its instructions, the state. */
export function onProviderCall(listener) {
  providerCalled = listener;
}

let checkpointSaved;

/** Who is given each checkpoint when it is saved. */
export function onCheckpoint(listener) {
  checkpointSaved = listener;
}

const step = () => current.getStore()?.step ?? SUCCESS;
const nodeId = () => current.getStore()?.node.id;

/** The answer of a service after the step's delay, or its exception. */
async function answer(make) {
  const scripted = step();
  const value = make(scripted);
  await sleep(scripted.delayMs);
  if (scripted.throw) throw new Error(scripted.throw);
  return value;
}

const services = {
  toolOrchestrator: () => ({
    processToolCall({ toolCallRequest }) {
      const { step: scripted, round } = current.getStore();
      if (scripted.rounds) {
        const tools = scripted.rounds[Math.min(round, scripted.rounds.length) - 1].tools;
        const tool = tools?.find((tool) => tool.name === toolCallRequest.toolName) ?? {};
        const failed = tool.error !== undefined;
        return Promise.resolve(failed ? { success: false, error: tool.error } : { success: true, output: tool.output });
      }
      const node = nodeId();
      return answer((scripted) => {
        const otherwise = scripted.error !== undefined ? undefined : { tool: toolCallRequest.toolName, node };
        const result = { output: 'output' in scripted ? scripted.output : otherwise };
        if (scripted.isError !== undefined) result.isError = scripted.isError;
        if (scripted.success !== undefined || scripted.isError === undefined) {
          result.success = scripted.success ?? scripted.error === undefined;
        }
        if (scripted.error !== undefined) result.error = scripted.error;
        return result;
      });
    },
  }),
  extensionExecutor: () => () => {
    const node = nodeId();
    return answer((scripted) => ({
      success: scripted.success ?? scripted.error === undefined,
      output: 'output' in scripted ? scripted.output : { [`${node}_done`]: true },
      ...(scripted.error !== undefined ? { error: scripted.error } : {}),
    }));
  },
  guardrailEngine: () => ({
    evaluate: (_content, ids) => answer((scripted) => {
      const passed = scripted.passed ?? true;
      return { passed, results: scripted.results ?? ids.map((guardrailId) => ({ guardrailId, passed })) };
    }),
  }),
  providerCall: () => async function* (instructions, state) {
    const node = nodeId();
    providerCalled?.(node, instructions, state);
    const scripted = step();
    await sleep(scripted.delayMs);
    if (scripted.throw) throw new Error(scripted.throw);
    if (scripted.error !== undefined) throw new Error(scripted.error);
    const store = current.getStore();
    const round = scripted.rounds ? scripted.rounds[Math.min(++store.round, scripted.rounds.length) - 1] : undefined;
    const otherwise = typeof scripted.output === 'string' ? scripted.output : `text of ${node}`;
    const text = round ? round.text ?? '' : scripted.text ?? otherwise;
    if (text) yield { type: 'text_delta', content: text };
    const toolCalls = (round?.tools ?? []).map((tool, place) => ({ id: `c${place}`, name: tool.name, arguments: {} }));
    return { responseText: text, toolCalls, finishReason: toolCalls.length ? 'tool_calls' : 'stop' };
  },
};

function wired(job, tape) {
  const wire = job.wire ?? {};
  const parts = {};
  if (wire.tools !== false) parts.toolOrchestrator = services.toolOrchestrator();
  if (wire.gmi !== false) {
    parts.loopController = new LoopController();
    parts.providerCall = services.providerCall();
  }
  if (wire.extension !== false) parts.extensionExecutor = services.extensionExecutor();
  if (wire.guardrails ?? job.guardrails) parts.guardrailEngine = services.guardrailEngine();
  if (wire.subgraph !== false) {
    parts.subgraphResolver = (id) => job.subgraphs?.[id];
    parts.createSubgraphRuntime = (graph) => {
      const setting = { script: job.subgraphScript?.[graph.id], graph: graph.id, executions: tape.executions };
      return new GraphRuntime({
        checkpointStore: new InMemoryCheckpointStore(),
        nodeExecutor: new ScriptedExecutor(wired(job, tape), setting),
        personaTraits: job.personaTraits,
      });
    };
  }
  if (wire.voice !== false) {
    parts.voiceExecutor = new VoiceNodeExecutor((event) => tape.sink.push({ t: now, ...event }));
  }
  return parts;
}

/** A store that names its checkpoints in the order of saving and writes down what is saved. */
class NamedStore extends InMemoryCheckpointStore {
  constructor(mode) {
    super();
    this.mode = mode;
    this.names = new Map();
    this.log = [];
  }

  async save(checkpoint) {
    await super.save(this.mode === 'snapshot' ? structuredClone(plain(checkpoint)) : checkpoint);
    checkpointSaved?.(structuredClone(plain(checkpoint)));
    if (!this.names.has(checkpoint.id)) this.names.set(checkpoint.id, `cp${this.names.size + 1}`);
    this.log.push({
      id: this.names.get(checkpoint.id), nodeId: checkpoint.nodeId, t: checkpoint.timestamp,
      visitedNodes: [...checkpoint.visitedNodes], skippedNodes: [...(checkpoint.skippedNodes ?? [])],
      pendingEdges: [...checkpoint.pendingEdges], results: Object.keys(checkpoint.nodeResults),
      scratch: plain(checkpoint.state.scratch ?? null), artifacts: plain(checkpoint.state.artifacts ?? null),
      checkpointsSaved: checkpoint.state.diagnostics?.checkpointsSaved,
    });
  }

  idOf(name) {
    for (const [id, named] of this.names) if (named === name) return id;
    return name;
  }
}

async function runJob(job) {
  const store = new NamedStore(job.store ?? 'memory');
  const runs = new Map();
  const recorded = await phase(job, job.script, store, runs, (runtime) => runtime.stream(job.graph, job.input ?? {}));
  let last = [...runs.keys()].at(-1);
  for (const next of job.then ?? []) {
    let target = last;
    if (next.fork) {
      now += 1;
      target = await store.fork(store.idOf(next.fork), next.patch);
      store.names.set((await store.latest(target)).id, `cp${store.names.size + 1}`);
    } else if (next.resume?.startsWith('node:')) {
      target = (await store.load(last, next.resume.slice(5)))?.id ?? next.resume;
    } else if (next.resume && next.resume !== 'run') {
      target = store.idOf(next.resume);
    }
    const from = (await store.latest(target)) ?? (await store.get(target));
    const restored = from
      ? {
        scratch: from.state.scratch, artifacts: from.state.artifacts, visitedNodes: [...from.visitedNodes],
        iteration: from.visitedNodes.length, currentNodeId: '',
      }
      : {};
    const resume = (runtime) => runtime.streamResume(job.graph, target);
    (recorded.then ??= []).push(await phase(job, next.script ?? job.script, store, runs, resume, restored));
    last = [...runs.keys()].at(-1);
  }
  return recorded;
}

async function phase(job, script, store, runs, stream, restored) {
  const tape = { executions: [], sink: [] };
  const events = [];
  timers = [];
  watch = { reducers: job.graph.reducers, isResumed: !!restored, last: restored ?? null, byNode: {} };
  const mark = store.log.length;
  const runtime = new GraphRuntime({
    checkpointStore: store,
    nodeExecutor: new ScriptedExecutor(wired(job, tape), { script, executions: tape.executions }),
    ...(job.personaTraits ? { personaTraits: job.personaTraits } : {}),
    ...(job.discovery ? { discoveryEngine: { discover: (query) => search(job, query) } } : {}),
  });
  let crash;
  const reading = (async () => {
    for await (const event of stream(runtime)) events.push(named(plain(event), store, runs));
  })();
  try {
    await settle(reading);
  } catch (error) {
    crash = error.message;
  }
  return plain(summary({ events, crash, tape, saved: store.log.slice(mark), last: store.log.at(-1) }));
}

async function search(job, query) {
  const results = job.discovery[query];
  if (results?.throw) throw new Error(results.throw);
  return { results: results ?? [] };
}

function named(event, store, runs) {
  const renamed = { t: now, ...event };
  if (renamed.runId) {
    if (!runs.has(renamed.runId)) runs.set(renamed.runId, `run${runs.size + 1}`);
    renamed.runId = runs.get(renamed.runId);
  }
  if (renamed.checkpointId) renamed.checkpointId = store.names.get(renamed.checkpointId) ?? renamed.checkpointId;
  return renamed;
}

function summary({ events, crash, tape, saved, last }) {
  const isCut = events.slice(-3).some((event) => event.type === 'interrupt');
  const end = events.at(-1)?.type === 'run_end' ? events.at(-1) : undefined;
  const asksPerson = events.some((event) => event.type === 'interrupt' && event.reason === 'human_approval');
  const stopped = asksPerson ? 'interrupted' : 'errored';
  const goneOn = end ? 'completed' : 'unknown';
  const held = { scratch: last?.scratch, artifacts: last?.artifacts };
  const state = isCut && last ? { ...(watch.byNode[last.nodeId] ?? watch.last), ...held } : watch.last;
  return {
    status: crash !== undefined ? 'crashed' : isCut ? stopped : goneOn,
    ...(crash !== undefined ? { crash } : {}),
    visited: events.filter((event) => event.type === 'node_start').map((event) => event.nodeId),
    trace: events.map(trace),
    finalOutput: end?.finalOutput,
    finalState: state && {
      scratch: state.scratch, artifacts: state.artifacts, visitedNodes: state.visitedNodes,
      iteration: state.iteration, currentNodeId: state.currentNodeId,
    },
    events,
    executions: tape.executions,
    ...(tape.sink.length ? { sinkEvents: [...tape.sink] } : {}),
    checkpoints: saved,
  };
}

function trace(event) {
  const way = event.sourceId ? `${event.sourceId}->${event.targetId}` : undefined;
  return [event.type, event.nodeId ?? way, event.reason].filter(Boolean).join(' ');
}
