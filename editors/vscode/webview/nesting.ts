/**
 * Graphs drawn inside of the nodes that run them.
 *
 * Input: a graph, the nodes that are open. Output: one board with all parts, their sizes and their places. Invariant:
 * ids of nodes are unique on the board, and a part is before everything inside of it.
 */

import type { DrawnGraph } from "../shared/messages.ts";
import type { Drawing, LaidOut, Point, Route, Size } from "../shared/protocol.ts";
import { type Detail, labelSize, sizeOf, sizeOfOpen } from "./render.ts";
import type { Board, BoardNode } from "./tools.ts";

/** A graph, and the open graphs of its nodes by their ids on the board. */
export interface BoardTree extends Board {
  inner: Map<string, BoardTree>;
}

/** Sizes and places in the order of the board. */
export interface Arranged {
  detail: Detail;
  sizes: Size[];
  places: LaidOut;
}

type LayOut = (drawing: Drawing) => Promise<LaidOut>;

/** Ids in files do not have this character. */
const SEPARATOR = "\u001f";

/** The id on the board of a node inside of others. */
export function idInside(inside: string[], node: string): string {
  return [...inside, node].join(SEPARATOR);
}

/** The tree of a graph. `opened` has the board ids of the open nodes. `boardOf` returns what to draw of a graph. */
export function treeOf(graph: DrawnGraph, opened: Set<string>, boardOf: (graph: DrawnGraph) => Board, inside: string[] = []): BoardTree {
  const board = boardOf(graph);
  const inner = new Map<string, BoardTree>();
  const nodes = board.nodes.map((node): BoardNode => {
    const id = idInside(inside, node.id);
    const isOpen = node.graph != null && opened.has(id);
    if (node.graph != null && isOpen) {
      inner.set(id, treeOf(node.graph, opened, boardOf, [...inside, node.id]));
    }
    return { ...node, id, inside, isOpen };
  });
  const edges = board.edges.map((edge) => ({ ...edge, from: idInside(inside, edge.from), to: idInside(inside, edge.to), inside }));
  return { nodes, edges, inner };
}

/** All parts of a tree. */
export function flat(tree: BoardTree): Board {
  const inner = new Map([...tree.inner].map(([id, one]) => [id, flat(one)]));
  return {
    nodes: tree.nodes.flatMap((node) => [node, ...(inner.get(node.id)?.nodes ?? [])]),
    edges: [...tree.edges, ...[...inner.values()].flatMap(({ edges }) => edges)],
  };
}

/** Computes the layout of the innermost graphs first, because it decides the sizes of the nodes around them. */
export async function arrange(tree: BoardTree, detail: Detail, wanted: Pick<Drawing, "direction" | "room">, layout: LayOut): Promise<Arranged> {
  const direction = wanted.direction === "best" ? "down" : wanted.direction;
  const arranged = await Promise.all(tree.nodes.map(async ({ id }) => {
    const inner = tree.inner.get(id);
    return inner === undefined ? undefined : arrange(inner, detail, { direction }, layout);
  }));
  const own = tree.nodes.map((node, index) => {
    const inner = arranged[index];
    return inner === undefined ? sizeOf(node, detail) : sizeOfOpen(node, inner.places).size;
  });
  const places = await layout({ ...wanted, nodes: own, edges: edgesBetween(tree, detail) });
  if (places.direction !== direction && tree.inner.size > 0) {
    // The inner graphs get the direction that is best for all.
    return arrange(tree, detail, { direction: places.direction }, layout);
  }
  const [nodes, sizes, edges] = [[] as LaidOut["nodes"], [] as Size[], [...places.edges]];
  tree.nodes.forEach((node, index) => {
    const middle: Point = places.nodes[index] ?? [0, 0];
    const size = own[index] ?? { width: 0, height: 0 };
    const inner = arranged[index];
    nodes.push(middle);
    sizes.push(size);
    if (inner !== undefined) {
      const { left, top } = sizeOfOpen(node, inner.places);
      const [right, down] = [middle[0] - size.width / 2 + left, middle[1] - size.height / 2 + top];
      nodes.push(...inner.places.nodes.map(([x, y]): [number, number] => [x + right, y + down]));
      sizes.push(...inner.sizes);
      edges.push(...inner.places.edges.map((route) => moved(route, right, down)));
    }
  });
  return { detail, sizes, places: { ...places, nodes, edges } };
}

function moved({ way, label }: Route, right: number, down: number): Route {
  let isDown = true;
  const move = (number: string) => {
    isDown = !isDown;
    return (Number(number) + (isDown ? down : right)).toFixed(2);
  };
  return { way: way.replace(/-?[\d.]+/g, move), label: label === null ? null : [label[0] + right, label[1] + down] };
}

/** The edges of a graph by the indices of their nodes, with the sizes of their labels. */
function edgesBetween({ nodes, edges }: Board, detail: Detail): Drawing["edges"] {
  const positions = new Map(nodes.map((node, index) => [node.id, index]));
  const position = (id: string) => positions.get(id) ?? nodes.length;
  return edges.map((edge) => {
    const label = labelSize(edge, detail);
    return { from: position(edge.from), to: position(edge.to), ...(label === undefined ? {} : { label }) };
  });
}

/** Which parts a tree has and how they are connected. Trees with the same structure can be drawn at the same places. */
export function structureOf(tree: BoardTree): string {
  const inner = tree.nodes.map(({ id }) => {
    const one = tree.inner.get(id);
    return one === undefined ? 0 : structureOf(one);
  });
  const positions = new Map(tree.nodes.map((node, index) => [node.id, index]));
  return JSON.stringify([inner, tree.edges.map(({ from, to }) => [positions.get(from), positions.get(to)])]);
}

/** What a layout depends on. */
export function shapeOf(tree: BoardTree, detail: Detail): string {
  const nodes = tree.nodes.map((node) => {
    const inner = tree.inner.get(node.id);
    return [sizeOf(node, detail), ...(inner === undefined ? [] : [shapeOf(inner, detail)])];
  });
  return JSON.stringify([nodes, edgesBetween(tree, detail)]);
}
