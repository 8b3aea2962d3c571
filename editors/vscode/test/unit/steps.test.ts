/** Traces as steps. */

import assert from "node:assert/strict";
import { test } from "node:test";

import type { Trace, TraceEvent } from "../../shared/protocol.ts";
import { brief, drawn, Story, time } from "../../webview/steps.ts";

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
    "0 asked: b asks tool",
    '0 answered: fails: {"class":"Timeout","message":"late","retryable":true}',
    '0 resumed: {"word":"approved"}',
    "0 graph-ended: completed",
  ]);
});

test("the trail is that of one graph up to one event", () => {
  const story = new Story(RUN);
  const [outer, inner] = RUN.graphs;
  assert.ok(outer !== undefined && inner !== undefined);
  assert.equal(story.graphAt(5)?.id, "g");
  assert.equal(story.graphAt(10)?.id, "inner");
  const early = story.trail(outer, 5);
  assert.deepEqual([[...early.visits], [...early.followed]], [[["a", 1]], [[0, 1]]]);
  const late = story.trail(outer, 10);
  assert.deepEqual([[...late.visits.keys()], [...late.followed.keys()].sort(), late.now.node], [["a", "b"], [0, 1, 2], "b"]);
  assert.deepEqual([...story.trail(inner, 10).visits], [["a", 1]]);
});

test("a graph of a trace is drawn with marks that no node can be taken for", () => {
  const [graph] = RUN.graphs;
  assert.ok(graph !== undefined);
  const { nodes, edges } = drawn(graph);
  assert.deepEqual(nodes.map((node) => node.label), ["a", "b", "c", "start", "end"]);
  const ids = new Set(nodes.map((node) => node.id));
  assert.ok(edges.every((edge) => ids.has(edge.from) && ids.has(edge.to)) && !ids.has("start"));
});

test("times and values are brief", () => {
  assert.deepEqual([0, 999, 1500, 119_990, 180_000].map(time), ["0 ms", "999 ms", "1.5 s", "119.99 s", "3 min"]);
  assert.deepEqual([brief("a\n b"), brief({ a: [1] }), brief(undefined), brief("x".repeat(9), 4)], ["a b", '{"a":[1]}', "nothing", "xxx…"]);
});
