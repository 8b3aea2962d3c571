/** The sizes of nodes and labels, the texts at edges, and tools as chips. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import type { DrawnEdge, DrawnNode } from "../../shared/messages.ts";
import { cutInside, edgeLabel } from "../../webview/labels.ts";
import { labelSize, sizeOf } from "../../webview/render.ts";
import { type BoardNode, unfolded, withToolChips } from "../../webview/tools.ts";
import { workOf, WORKS, worksIn } from "../../webview/works.ts";
import { REPOSITORY } from "../tools.ts";

const NODE: BoardNode = { id: "a", own: "a", inside: [], isOpen: false, label: "claims", kind: "agent", role: "node", work: "agent", reads: [], writes: [], problems: 0, at: 0, chips: [] };
const edge = (from: string, to: string, kind = "always", condition: string | null = null): DrawnEdge => ({ from, to, kind, condition });
const conditional = (condition: string) => edge("a", "b", "conditional", condition);

test("a keystroke moves nothing: texts of about the same length take the same room", () => {
  assert.deepEqual(sizeOf({ ...NODE, label: "claim" }, "full"), sizeOf(NODE, "full"));
  assert.deepEqual(labelSize(conditional("amount < 100")), labelSize(conditional("amount < 10")));
});

test("every line takes room, and a long one is cut", () => {
  const [plain, full] = [sizeOf(NODE, "full"), sizeOf({ ...NODE, reads: ["claim"], writes: ["category", "amount"] }, "full")];
  assert.ok(full.height > plain.height && full.width > plain.width);
  const endless = sizeOf({ ...NODE, label: "x".repeat(10_000), reads: Array.from({ length: 999 }, (_, index) => `key_${index}`) }, "full");
  assert.ok(endless.width < 320, JSON.stringify(endless));
  assert.ok((labelSize(conditional("x".repeat(10_000)))?.width ?? 0) < 280);
});

test("names take less room than everything", () => {
  const node = { ...NODE, reads: ["claim"], writes: ["category", "amount"] };
  assert.ok(sizeOf(node, "names").height < sizeOf(node, "full").height);
  assert.deepEqual(sizeOf(node, "names"), sizeOf(NODE, "names"));
});

test("marks are low, and a name of many code units is counted by its characters", () => {
  assert.ok(sizeOf({ ...NODE, role: "start" }, "full").height < sizeOf(NODE, "full").height);
  assert.deepEqual(sizeOf({ ...NODE, label: "👩‍🚀👩‍🚀" }, "full"), sizeOf({ ...NODE, label: "abcdef" }, "full"));
});

test("a cut condition shows its end", () => {
  assert.equal(cutInside("number(memory.technical_score) > 0.85", 24), "number(memo…core) > 0.85");
  assert.equal(cutInside("a <\n  b", 24), "a < b");
  assert.equal([...cutInside("x".repeat(99), 30)].length, 30);
});

test("the words at edges are those of `nodewise graph`", () => {
  const source = readFileSync(path.join(REPOSITORY, "crates", "diagram", "src", "view.rs"), "utf8");
  const words = [...source.matchAll(/\(EdgeKind::(\w+), _\) => "([^"]+)"/g)].map(([, kind, word]) => [`${kind?.[0]?.toLowerCase()}${kind?.slice(1)}`, word]);
  assert.ok(words.length >= 5, "no words of edges found");
  for (const [kind, word] of words) {
    assert.equal(edgeLabel({ kind: kind ?? "", condition: null }), word);
  }
  assert.equal(edgeLabel(conditional("a < b")), "a < b");
  assert.equal(edgeLabel(edge("a", "b", "exit", "timeout")), "on timeout");
});

test("every kind of work has an icon, and marks have none", () => {
  const source = readFileSync(path.join(REPOSITORY, "crates", "model", "src", "work.rs"), "utf8");
  const words = [...source.matchAll(/WorkKind::\w+ => "(\w+)"/g)].map((found) => found[1] ?? "");
  assert.deepEqual(Object.keys(WORKS).sort(), words.sort());
  assert.equal(workOf({ ...NODE, role: "end" }), undefined);
  assert.equal(workOf({ ...NODE, work: "later" }), "unknown");
  assert.deepEqual(worksIn([NODE, { ...NODE, work: "tool" }, { ...NODE, role: "start" }]), [["agent", "Model"], ["tool", "Tool"]]);
});

test("a tool that is only called is a chip of every node that calls it", () => {
  const node = (id: string): DrawnNode => ({ id, label: id, kind: "", role: "node", reads: [], writes: [], problems: 0 });
  const graph = {
    nodes: ["desk", "search", "reply", "mail"].map(node),
    edges: [edge("desk", "search", "tool"), edge("desk", "reply"), edge("reply", "search", "tool"), edge("reply", "mail", "tool"), edge("desk", "mail"), edge("desk", "search", "tool")],
  };
  const { nodes, edges } = withToolChips(graph);
  // An edge leads to `mail`, so it stays a node.
  assert.deepEqual(nodes.map(({ id, at, chips }) => [id, at, chips.map((chip) => [chip.id, chip.at])]), [
    ["desk", 0, [["search", 1]]],
    ["reply", 2, [["search", 1]]],
    ["mail", 3, []],
  ]);
  assert.deepEqual(edges.map(({ from, to, at }) => [from, to, at]), [["desk", "reply", 1], ["reply", "mail", 3], ["desk", "mail", 4]]);
  assert.equal(unfolded(graph).edges.length, 6);
  const chips = nodes[0]?.chips ?? [];
  assert.ok(sizeOf({ ...NODE, chips }, "full").height > sizeOf(NODE, "full").height);
});
