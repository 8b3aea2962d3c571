/** Lanes around the branches of a graph that run at the same time. */

import assert from "node:assert/strict";
import { test } from "node:test";

import type { DrawnEdge } from "../../shared/messages.ts";
import { lanesOf } from "../../webview/lanes.ts";
import { unfolded } from "../../webview/tools.ts";

/** A graph with edges written as `a => b` where edges are followed together, else `a -> b`. */
function board(written: string) {
  const edges = written.split(",").map((one): DrawnEdge => {
    const [from = "", arrow, to = ""] = one.trim().split(" ");
    return { from, to, kind: "always", condition: null, parallel: arrow === "=>" };
  });
  const ids = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  const nodes = ids.map((id) => ({ id, label: id, kind: "", role: id === "end" ? ("end" as const) : ("node" as const), reads: [], writes: [], problems: 0 }));
  return unfolded({ nodes, edges });
}

function check(written: string, expected: string[]): void {
  assert.deepEqual(lanesOf(board(written)).map(({ fork, nodes }) => `${fork}: ${[...nodes].sort().join(" ")}`), expected, written);
}

test("lanes are the branches up to where they meet", () => {
  check("a => b, a => c, b -> d, d -> e, c -> e, e -> end", ["a: b d", "a: c"]);
  check("a => b, a => c, b -> end, c -> end", ["a: b", "a: c"]);
  check("a => b, a => c, a => d, b -> e, c -> e, d -> e", ["a: b", "a: c", "a: d"]);
  // Inside of a branch, there may be others.
  check("a => b, a => c, b => d, b => e, d -> f, e -> f, f -> g, c -> g", ["a: b d e f", "a: c", "b: d", "b: e"]);
});

test("branches that are not alone have no lanes", () => {
  check("a -> b, a -> c", []);
  // One branch leads to the other.
  check("a => b, a => c, b -> c", []);
  // A run comes to the middle of a branch without the fork.
  check("a => b, a => c, b -> d, x -> d, c -> e", []);
  // A branch goes back to the fork.
  check("a => b, a => c, b -> a, c -> end", ["a: b", "a: c"]);
});
