/** Graphs drawn inside of the nodes that run them. */

import assert from "node:assert/strict";
import { test } from "node:test";

import type { DrawnGraph, DrawnNode } from "../../shared/messages.ts";
import { graphInside } from "../../shared/nested.ts";
import type { Drawing, LaidOut, Point } from "../../shared/protocol.ts";
import { arrange, flat, idInside, shapeOf, structureOf, treeOf } from "../../webview/nesting.ts";
import { unfolded } from "../../webview/tools.ts";

const node = (id: string, graph?: DrawnGraph): DrawnNode => ({ id, label: id, kind: "agent", role: "node", work: "agent", reads: [], writes: [], problems: 0, ...(graph === undefined ? {} : { graph }) });
const edge = (from: string, to: string) => ({ from, to, condition: null, kind: "always" });
const chain = (...nodes: DrawnNode[]): DrawnGraph => ({ nodes, edges: nodes.slice(1).map(({ id }, index) => edge(nodes[index]?.id ?? "", id)) });
const ROUND = chain(node("up"), node("down"));
const GRAPH = chain(node("ask"), node("settle", chain(node("weigh"), node("round", ROUND))), node("weigh"));

/** Nodes in a column, and straight edges. */
async function column({ nodes, edges, direction }: Drawing): Promise<LaidOut> {
  const width = Math.max(...nodes.map((size) => size.width));
  let height = 0;
  const middles = nodes.map((size): Point => {
    height += size.height + 20;
    return [width / 2, height - 20 - size.height / 2];
  });
  const way = ([fromX, fromY]: Point, [toX, toY]: Point) => `M${fromX} ${fromY}C${fromX} ${fromY} ${toX} ${toY} ${toX} ${toY}`;
  const routes = edges.map(({ from, to }) => ({ way: way(middles[from] ?? [0, 0], middles[to] ?? [0, 0]), label: null }));
  return { direction: direction === "best" ? "down" : direction, width, height, nodes: middles, edges: routes };
}

const board = (...opened: string[][]) => treeOf(GRAPH, new Set(opened.map((path) => path.join("\u001f"))), unfolded);
const names = (tree: ReturnType<typeof board>) => flat(tree).nodes.map(({ inside, own }) => [...inside, own].join("/"));

test("only open nodes show their graphs, and ids are unique", () => {
  assert.deepEqual(names(board()), ["ask", "settle", "weigh"]);
  assert.deepEqual(names(board(["settle"])), ["ask", "settle", "settle/weigh", "settle/round", "weigh"]);
  assert.deepEqual(names(board(["settle"], ["settle", "round"])), ["ask", "settle", "settle/weigh", "settle/round", "settle/round/up", "settle/round/down", "weigh"]);
  // A node inside of a collapsed one is not shown.
  assert.deepEqual(names(board(["settle", "round"])), ["ask", "settle", "weigh"]);
  const { nodes, edges } = flat(board(["settle"]));
  assert.equal(new Set(nodes.map(({ id }) => id)).size, nodes.length);
  assert.deepEqual(edges.map(({ from, to, at }) => [from, to, at]), [["ask", "settle", 0], ["settle", "weigh", 1], [idInside(["settle"], "weigh"), idInside(["settle"], "round"), 0]]);
});

test("an open graph is inside of its node, and nothing else is", async () => {
  const tree = board(["settle"], ["settle", "round"]);
  const { nodes, edges } = flat(tree);
  const { places, sizes } = await arrange(tree, "full", { direction: "down" }, column);
  assert.deepEqual([places.nodes.length, sizes.length, places.edges.length], [nodes.length, nodes.length, edges.length]);
  const boxes = nodes.map(({ id, inside }, index) => {
    const [[x, y], { width, height }] = [places.nodes[index] ?? [0, 0], sizes[index] ?? { width: 0, height: 0 }];
    return { id, inside, left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
  });
  for (const one of boxes) {
    for (const other of boxes.filter((box) => box !== one)) {
      const isInside = one.left >= other.left && one.right <= other.right && one.top > other.top && one.bottom < other.bottom;
      const isApart = one.bottom <= other.top || other.bottom <= one.top;
      const isAround = one.inside.some((_, depth) => idInside(one.inside.slice(0, depth), one.inside[depth] ?? "") === other.id);
      assert.ok(isAround ? isInside : isApart || other.inside.length > one.inside.length, `${one.id} and ${other.id}`);
    }
  }
  // An edge of an inner graph begins and ends in its nodes.
  const last = edges.length - 1;
  const [up, down] = ["up", "down"].map((id) => places.nodes[nodes.findIndex((one) => one.own === id)]);
  const numbers = (places.edges[last]?.way.match(/-?[\d.]+/g) ?? []).map(Number);
  assert.deepEqual([numbers.slice(0, 2), numbers.slice(-2)], [up, down]);
});

test("the shape depends on what is open", () => {
  assert.notEqual(shapeOf(board(["settle"]), "full"), shapeOf(board(), "full"));
  assert.notEqual(shapeOf(board(["settle"]), "full"), shapeOf(board(["settle"], ["settle", "round"]), "full"));
  assert.equal(shapeOf(board(), "full"), shapeOf(board(["settle", "round"]), "full"));
});

test("the structure does not depend on texts, but on edges and on what is open", () => {
  const of = (graph: DrawnGraph) => structureOf(treeOf(graph, new Set(), unfolded));
  const ends = [edge("a", "b"), edge("b", "c")];
  const longer = [edge("a", "a longer name"), { ...edge("a longer name", "c"), condition: "x > 1" }];
  assert.equal(of({ nodes: [node("a"), node("b"), node("c")], edges: ends }), of({ nodes: [node("a"), node("a longer name"), node("c")], edges: longer }));
  assert.notEqual(of({ nodes: [node("a"), node("b"), node("c")], edges: ends }), of({ nodes: [node("a"), node("b"), node("c"), node("d")], edges: ends }));
  assert.notEqual(of({ nodes: [node("a"), node("b"), node("c")], edges: ends }), of({ nodes: [node("a"), node("b"), node("c")], edges: [edge("a", "b"), edge("a", "c")] }));
  assert.notEqual(structureOf(board(["settle"])), structureOf(board()));
  assert.notEqual(structureOf(board(["settle"])), structureOf(board(["settle"], ["settle", "round"])));
});

test("a path of nodes leads to a graph", () => {
  assert.equal(graphInside(GRAPH, []), GRAPH);
  assert.equal(graphInside(GRAPH, ["settle", "round"]), ROUND);
  assert.equal(graphInside(GRAPH, ["ask"]), undefined);
  assert.equal(graphInside(GRAPH, ["gone", "round"]), undefined);
});
