/** Marks on nodes, edges and tools: their classes, their words, and the entries of the legend. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import type { DrawnEdge, DrawnNode } from "../../shared/messages.ts";
import type { Mark } from "../../shared/protocol.ts";
import { markClasses, marksIn, MARKS, markText } from "../../webview/marks.ts";
import { sizeOf } from "../../webview/render.ts";
import { withToolChips } from "../../webview/tools.ts";
import { REPOSITORY } from "../tools.ts";

const node = (id: string, marks: Mark[] = []): DrawnNode => ({ id, label: id, kind: "", role: "node", reads: [], writes: [], problems: 0, marks });
const edge = (from: string, to: string, kind: string, marks: Mark[] = []): DrawnEdge => ({ from, to, kind, condition: null, marks });
const added = { kind: "added", text: "added" };

test("every kind of mark of the server has an entry in the legend", () => {
  const source = readFileSync(path.join(REPOSITORY, "crates", "diagram", "src", "marks.rs"), "utf8");
  const words = [...source.matchAll(/MarkKind::\w+ => "(\w+)"/g)].map((found) => found[1] ?? "");
  assert.ok(words.length >= 7, "no words of marks found");
  assert.deepEqual(Object.keys(MARKS), words);
});

test("a part has a class for each of its marks, and its words", () => {
  const both = { marks: [{ kind: "writes", text: "writes" }, { kind: "reads", text: "reads" }] };
  assert.deepEqual(markClasses(both), ["marked", "mark-writes", "mark-reads"]);
  assert.equal(markText(both), "writes, reads");
  assert.deepEqual([markClasses({}), markText({})], [[], ""]);
  // An edge between two steps has no number of its own.
  assert.equal(markText({ marks: [{ kind: "step" }] }), "");
  assert.deepEqual(markClasses({ marks: [{ kind: "later", text: "of a newer server" }] }), []);
});

test("the legend has what occurs, in its own order", () => {
  const parts = [edge("a", "b", "always", [{ kind: "tests" }]), node("a", [{ kind: "writes" }]), node("b", [{ kind: "writes" }])];
  assert.deepEqual(marksIn(parts), [["writes", MARKS["writes"]], ["tests", MARKS["tests"]]]);
});

test("a tool inside of a node shows its marks and those of its edge once, and has room for their words", () => {
  const graph = (marks: Mark[]) => ({ nodes: [node("desk"), node("search", marks)], edges: [edge("desk", "search", "tool", marks)] });
  const [desk] = withToolChips(graph([added])).nodes;
  const [plain] = withToolChips(graph([])).nodes;
  assert.ok(desk !== undefined && plain !== undefined);
  assert.deepEqual(desk.chips.map(({ marks }) => marks), [[added]]);
  assert.equal(plain.chips[0]?.marks, undefined);
  assert.ok(sizeOf({ ...desk, label: "x" }, "full").width >= sizeOf({ ...plain, label: "x" }, "full").width);
});
