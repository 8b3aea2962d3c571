/** The compact form of graphs. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { type CompactAnswer, expanded } from "../../shared/compact.ts";
import type { Graph } from "../../shared/protocol.ts";

const at = (uri: string, line: number) => ({ uri, range: { start: { line, character: 2 }, end: { line, character: 9 } } });
const parts = { id: "a", label: "A", kind: "agent", role: "node" } as const;
const node = { ...parts, work: null, runs: null, graph: null, location: null, reads: [], writes: [], problems: 0, errors: 0, unreachable: false };
const edge = { from: "a", to: "b", condition: null, label: "", kind: "always", parallel: false, location: null, problems: 0, errors: 0 };

test("members that were left out have their usual value, and places have their file, also inside of nodes", () => {
  const inner = { title: "inner", names: [], location: at("file:///b.yaml", 1), nodes: [node], edges: [] };
  const whole: Graph = {
    title: "outer",
    names: ["outer"],
    location: null,
    nodes: [{ ...node, reads: ["x"], errors: 2, graph: inner, location: at("file:///a.yaml", 4) }, { ...node, id: "", label: "" }],
    // Someone is writing a node without an id, and an edge to it.
    edges: [{ ...edge, condition: "x > 0", parallel: true, location: at("file:///b.yaml", 7) }, { ...edge, to: "" }],
  };
  const compact: CompactAnswer = {
    title: "outer",
    names: ["outer"],
    files: ["file:///a.yaml", "file:///b.yaml"],
    nodes: [{ ...parts, reads: ["x"], errors: 2, graph: { title: "inner", location: [1, 1, 2, 1, 9], nodes: [parts] }, location: [0, 4, 2, 4, 9] }, { kind: "agent", role: "node" }],
    edges: [{ from: "a", to: "b", kind: "always", condition: "x > 0", parallel: true, location: [1, 7, 2, 7, 9] }, { from: "a", kind: "always" }],
  };
  assert.deepEqual(expanded(compact), whole);
  // An older server sends the whole graph.
  assert.equal(expanded(whole), whole);
});
