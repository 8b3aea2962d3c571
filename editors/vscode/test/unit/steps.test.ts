/** Traces as steps. */

import assert from "node:assert/strict";
import { test } from "node:test";

import type { Declared } from "../../shared/messages.ts";
import type { Trace, TraceEvent } from "../../shared/protocol.ts";
import { idInside } from "../../webview/nesting.ts";
import { drawnOf } from "../../webview/runboard.ts";
import { brief, Story, time } from "../../webview/steps.ts";

function trace(events: Omit<TraceEvent, "at">[], system = "cycgraph"): Trace {
  return {
    version: 1,
    system,
    title: "graph `g`",
    seed: 0,
    outcome: { status: "completed" },
    time: 5,
    spent: {},
    graphs: [
      {
        id: "g",
        nodes: [
          { id: "a", label: "a", kind: "agent" },
          { id: "b", label: "b", kind: "tool" },
          { id: "c", label: "c", kind: "tool" },
        ],
        edges: [
          { number: 9, to: "a" },
          { number: 0, from: "a", to: "b" },
          { number: 0, from: "a", to: "c" },
          { number: 1, from: "a" },
        ],
      },
      { id: "inner", nodes: [{ id: "a", label: "a", kind: "agent" }], edges: [] },
    ],
    events: events.map((event, at) => ({ at, ...event }) as TraceEvent),
    locations: [],
  };
}

const RUN = trace([
  { event: "graph-started", scope: 0, graph: "g", state: { topic: "hail" } },
  { event: "native", name: "workflow:start" },
  { event: "visit-started", visit: 0, scope: 0, node: "a" },
  { event: "asked", ask: 0, visit: 0, node: "a", of: "model" },
  { event: "answered", ask: 0, answer: { after: 3, usage: { input_tokens: 1 }, reply: { of: "model", text: "Yes: \"no\" # comment", calls: [{ id: "x", tool: "save", arguments: { key: "k" } }] } } },
  { event: "wrote", scope: 0, key: "draft", visit: 0, value: [1, 2] },
  { event: "edge-judged", visit: 0, edge: 0, target: "b, c", followed: true },
  { event: "edge-judged", visit: 0, edge: 1, target: "", followed: false },
  { event: "visit-started", visit: 1, scope: 0, node: "b" },
  { event: "graph-started", scope: 1, graph: "inner", by: 1, state: {} },
  { event: "visit-started", visit: 2, scope: 1, node: "a" },
  { event: "asked", ask: 1, visit: 1, node: "b", of: "tool", question: { tool: "look_up" } },
  { event: "answered", ask: 1, answer: { failure: { class: "Timeout", message: "late", retryable: true } } },
  { event: "resumed", decision: { word: "approved" } },
  { event: "graph-ended", scope: 0, outcome: { status: "completed" } },
]);

test("steps tell what happens, and how deep", () => {
  const steps = new Story(RUN).steps.map((step) => `${step.depth} ${step.word}: ${step.text}`);
  assert.deepEqual(steps, [
    "0 graph-started: g",
    "0 visit-started: a",
    "0 asked: a asks model",
    '0 answered: “Yes: "no" # comment” calls save',
    "0 wrote: draft = [1,2]",
    "0 edge-judged: a → b, c",
    "0 edge-judged: a ⇥ ",
    "0 visit-started: b",
    "1 graph-started: inner",
    "1 visit-started: a",
    "0 asked: b calls look_up()",
    '0 answered: fails: {"class":"Timeout","message":"late","retryable":true}',
    "0 resumed: approved",
    "0 graph-ended: completed",
  ]);
});

test("steps name prompts, arguments and reads, and bookkeeping is marked", () => {
  const run = trace(
    [
      { event: "graph-started", scope: 0, graph: "g", state: {} },
      { event: "visit-started", visit: 0, scope: 0, node: "a", reads: { topic: "hail", amount: 3 } },
      { event: "asked", visit: 0, node: "a", of: "model", question: { prompt: [{ role: "system", content: "Be brief." }, { role: "user", content: "Hail." }], tools: [] } },
      { event: "asked", visit: 0, node: "a", of: "tool", question: { tool: "look_up", arguments: { id: 7 } } },
      { event: "asked", visit: 0, node: "a", of: "extension", question: { extension: "acme", method: "score", input: 1 } },
      { event: "wrote", scope: 0, key: "scratch.risk", visit: 0, value: 1 },
      { event: "wrote", scope: 0, key: "iteration", value: 4 },
      { event: "checkpoint-saved", checkpoint: 1, node: "a" },
      { event: "visit-ended", visit: 0, yields: {} },
      { event: "visit-ended", visit: 0, failure: "late" },
    ],
    "agentos",
  );
  assert.deepEqual(new Story(run).steps.map(({ text, isBookkeeping }) => `${isBookkeeping ? "-" : "+"} ${text}`), [
    "+ g",
    "+ a reads topic, amount",
    "+ a asks model: “Hail.”",
    '+ a calls look_up({"id":7})',
    "+ a calls acme.score(1)",
    "+ scratch.risk = 1",
    "- iteration = 4",
    '- {"checkpoint":1,"node":"a"}',
    "- a",
    "+ a: late",
  ]);
});

test("the trail is that of one graph up to one event", () => {
  const story = new Story(RUN);
  const [outer, inner] = RUN.graphs;
  assert.ok(outer !== undefined && inner !== undefined);
  assert.equal(story.graphAt(5)?.id, "g");
  assert.equal(story.graphAt(10)?.id, "inner");
  const early = story.trail(outer, 5);
  assert.deepEqual([[...early.visits], [...early.followed]], [[["a", 1]], [["0", 1]]]);
  const late = story.trail(outer, 10);
  assert.deepEqual([[...late.visits.keys()], [...late.followed.keys()].sort()], [["a", "b", idInside(["b"], "a")], ["0", "1", "2"]]);
  // The run is in the graph that a node runs.
  assert.deepEqual(late.now, { node: "a", edge: null, inside: ["b"] });
  assert.deepEqual([story.pathIn(outer, 5), story.pathIn(outer, 10), story.pathIn(inner, 10), story.pathIn(inner, 5)], [[], ["b"], [], undefined]);
  assert.deepEqual([...story.trail(inner, 10).visits], [["a", 1]]);
});

test("a graph of a trace is drawn with marks that no node can be taken for", () => {
  const [graph] = RUN.graphs;
  assert.ok(graph !== undefined);
  const { nodes, edges } = drawnOf(graph, undefined);
  assert.deepEqual(nodes.map((node) => node.label), ["a", "b", "c", "start", "end"]);
  const ids = new Set(nodes.map((node) => node.id));
  assert.ok(edges.every((edge) => ids.has(edge.from) && ids.has(edge.to)) && !ids.has("start"));
});

const declaredNode = (id: string, role: "start" | "node" | "end" = "node") => ({ id, label: id, kind: "agent", work: "agent", role, location: null, reads: ["topic"], writes: [], problems: 0 });

test("a run is drawn as its files declare the graph, with the edges that only the run knows", () => {
  const [graph] = RUN.graphs;
  assert.ok(graph !== undefined);
  const declared: Declared = {
    ...{ id: "g", title: "graph `g`", names: ["g"], location: null },
    nodes: [declaredNode("begin", "start"), declaredNode("a"), declaredNode("b")],
    edges: [
      { from: "a", to: "b", condition: "x > 1", kind: "conditional", location: null },
      { from: "begin", to: "a", condition: null, kind: "always", location: null },
      { from: "b", to: "a", condition: null, kind: "rejection", location: null },
    ],
  };
  const board = drawnOf({ ...graph, edges: [...graph.edges, { number: 7, from: "a", to: "b" }] }, declared);
  assert.deepEqual(board.nodes.map(({ id, role, reads }) => [id.replace("\u0000", "^"), role, reads.length]), [
    ["begin", "start", 1],
    ["a", "node", 1],
    ["b", "node", 1],
    ["c", "node", 0],
    ["^end", "end", 0],
  ]);
  assert.deepEqual(board.edges.map((edge) => `${edge.from} ${edge.to.replace("\u0000", "^")} ${edge.kind}`), ["a b conditional", "begin a always", "b a rejection", "a c always", "a ^end always"]);
  // The last one is a second edge from a to b, which is drawn once.
  assert.deepEqual(board.edgeOf, [1, 0, 3, 4, 0]);
  assert.deepEqual([...new Story(RUN, [declared]).trail(graph, 7).followed.keys()].sort(), ["0", "1", "3"]);
});

test("what a router decides is followed, and the step says why", () => {
  const run = trace([
    { event: "graph-started", scope: 0, graph: "g", state: {} },
    { event: "visit-started", visit: 0, scope: 0, node: "a" },
    { event: "handed-over", visit: 0, target: "c", reason: "the node's result names it" },
    { event: "visit-started", visit: 1, scope: 0, node: "c" },
  ]);
  const [graph] = run.graphs;
  assert.ok(graph !== undefined);
  const story = new Story(run);
  assert.equal(story.steps[2]?.text, "a → c");
  assert.deepEqual(story.trail(graph, 2).now, { node: "a", edge: 2, inside: [] });
  assert.deepEqual([...story.trail(graph, 3).followed.keys()], ["0", "2"]);
});

test("a node that runs once for each item is visited when the first item is asked about", () => {
  const run = trace([
    { event: "graph-started", scope: 0, graph: "g", state: {} },
    { event: "visit-started", visit: 0, scope: 0, node: "a" },
    { event: "asked", ask: 0, visit: 0, node: "a", of: "model" },
    { event: "asked", ask: 1, visit: 0, node: "a", of: "model" },
    { event: "visit-ended", visit: 0 },
    { event: "visit-started", visit: 1, scope: 0, node: "b" },
    { event: "asked", ask: 2, visit: 1, node: "b", of: "tool" },
  ]);
  const [graph] = run.graphs;
  assert.ok(graph !== undefined);
  const edge = (from: string, to: string, kind: string) => ({ from, to, condition: null, kind, location: null });
  const declared: Declared = { id: "g", title: "graph `g`", names: ["photos", "g"], location: null, nodes: ["a", "b", "c"].map((id) => declaredNode(id)), edges: [edge("a", "c", "worker"), edge("a", "b", "always")] };
  const story = new Story(run, [declared]);
  assert.equal(story.steps[0]?.text, "photos", "the name of the graph, not its id");
  // Without an item, nothing runs.
  assert.deepEqual([...story.trail(graph, 1).visits], [["a", 1]]);
  const late = story.trail(graph, 6);
  assert.deepEqual([...late.visits], [["a", 1], ["c", 1], ["b", 1]]);
  assert.equal(late.followed.get("0"), 1);
});

test("the failed step of a run that continued is found, unless the node succeeded later", () => {
  const run = (...ends: [visit: number, failure?: object][]) =>
    new Story(trace([
      { event: "graph-started", scope: 0, graph: "g", state: {} },
      { event: "visit-started", visit: 0, scope: 0, node: "a" },
      { event: "visit-started", visit: 1, scope: 0, node: "b" },
      { event: "visit-started", visit: 2, scope: 0, node: "a" },
      ...ends.map(([visit, failure]) => ({ event: "visit-ended", visit, ...(failure === undefined ? {} : { failure }) })),
      { event: "graph-ended", scope: 0, outcome: { status: "completed" } },
    ])).failedEvent();
  assert.equal(run([0], [1], [2]), undefined);
  assert.equal(run([0, {}], [1, { class: "NotFound" }], [2]), 5);
  assert.equal(run([0, {}], [1], [2]), undefined);
  assert.equal(run([0], [1, {}], [2, {}]), 5);
});

test("times and values are brief", () => {
  assert.deepEqual([0, 999, 1500, 119_990, 180_000].map(time), ["0 ms", "999 ms", "1.5 s", "119.99 s", "3 min"]);
  assert.deepEqual([brief("a\n b"), brief({ a: [1] }), brief(undefined), brief("x".repeat(9), 4)], ["a b", '{"a":[1]}', "nothing", "xxx…"]);
});
