// How fast the released runner runs the graph on standard input, JSON, with models that answer at once.
// Prints the best of several runs in visits a second. No event log is written and no state is kept.
process.env.LOG_LEVEL = 'silent';
const { GraphRunner, GraphSchema, InMemoryAgentRegistry, createProviderRegistry, createWorkflowState } = await import(
  '@cycgraph/orchestrator'
);
const RUNS = 3;

let text = '';
for await (const chunk of process.stdin) text += chunk;
const graph = GraphSchema.parse(JSON.parse(text));

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};
const parts = [
  { type: 'stream-start', warnings: [] },
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: 'done' },
  { type: 'text-end', id: '1' },
  { type: 'finish', finishReason: { unified: 'stop', raw: undefined }, usage },
];
const model = {
  specificationVersion: 'v4',
  provider: 'instant',
  modelId: 'instant',
  supportedUrls: {},
  async doStream() {
    const stream = new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    });
    return { stream };
  },
};
const registry = new InMemoryAgentRegistry();
registry.register({ id: 'worker', name: 'worker', model: 'instant', provider: 'instant', systemPrompt: 'You work.', tools: [] });
const providers = createProviderRegistry();
providers.register('instant', () => model, { models: [], allowUnknownModels: true });

let best = Infinity;
let visits = 0;
for (let run = 0; run < RUNS; run++) {
  const state = createWorkflowState({
    workflow_id: '00000000-0000-4000-8000-0000000000aa',
    goal: 'the goal',
    max_iterations: 1_000_000,
  });
  const runner = new GraphRunner(graph, state, { registry, providers });
  const began = performance.now();
  const end = await runner.run();
  best = Math.min(best, performance.now() - began);
  visits = end.iteration_count;
}
process.stdout.write(`${Math.round((visits / best) * 1000)}\n`);
