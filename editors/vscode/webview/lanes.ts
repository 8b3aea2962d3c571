/**
 * Lanes: the branches of a graph that run at the same time.
 *
 * Input: the nodes and edges of a board, and their places. Output: a band for each branch. Invariant: a lane has only
 * nodes that its branch reaches and that no other branch of the fork reaches.
 */

import { svg } from "./elements.ts";
import type { Board } from "./tools.ts";
import type { Box } from "./viewport.ts";

export interface Lane {
  /** The node before the branches. */
  fork: string;
  nodes: Set<string>;
}

/** Graphs with more forks have no lanes, because they would cover the drawing. */
const FORKS_MAX = 40;
const MARGIN = 9;

/** The branches behind each node whose edges are followed together, up to where they meet. */
export function lanesOf({ nodes, edges }: Board): Lane[] {
  const forks = new Map<string, Set<string>>();
  for (const { from, to, parallel } of edges) {
    if (parallel === true) {
      forks.set(from, (forks.get(from) ?? new Set()).add(to));
    }
  }
  if (forks.size === 0 || forks.size > FORKS_MAX) {
    return [];
  }
  const [next, before] = [new Map<string, string[]>(), new Map<string, string[]>()];
  for (const { from, to } of edges) {
    next.set(from, [...(next.get(from) ?? []), to]);
    before.set(to, [...(before.get(to) ?? []), from]);
  }
  const isMark = new Set(nodes.filter(({ role }) => role !== "node").map(({ id }) => id));
  return [...forks].flatMap(([fork, heads]): Lane[] => {
    const reached = [...heads].map((head) => reachedFrom(head, fork, next));
    const isOwn = (id: string) => !isMark.has(id) && reached.filter((all) => all.has(id)).length === 1;
    const branches = reached.map((all) => new Set([...all].filter(isOwn)));
    const isClosed = (branch: Set<string>) => [...branch].every((id) => (before.get(id) ?? []).every((one) => one === fork || branch.has(one)));
    const lanes = branches.filter((branch) => branch.size > 0 && isClosed(branch));
    return lanes.length < 2 ? [] : lanes.map((branch) => ({ fork, nodes: branch }));
  });
}

function reachedFrom(head: string, fork: string, next: Map<string, string[]>): Set<string> {
  const reached = new Set<string>();
  const open = [head];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id !== fork && !reached.has(id)) {
      reached.add(id);
      open.push(...(next.get(id) ?? []));
    }
  }
  return reached;
}

/** A band for each lane: around its nodes, and along the edges between them. */
export function laneElements(board: Board, boxes: Box[], ways: string[]): SVGElement[] {
  return lanesOf(board).map(({ nodes }) => {
    const around = board.nodes.flatMap(({ id }, index) => {
      const box = boxes[index];
      return box === undefined || !nodes.has(id) ? [] : [bandAround(box)];
    });
    const along = board.edges.flatMap(({ from, to }, index) => (nodes.has(from) && nodes.has(to) ? [svg("path", { d: ways[index] ?? "" })] : []));
    return svg("g", { class: "lane", "aria-hidden": "true" }, ...along, ...around);
  });
}

function bandAround({ left, top, right, bottom }: Box): SVGElement {
  return svg("rect", { x: left - MARGIN, y: top - MARGIN, width: right - left + 2 * MARGIN, height: bottom - top + 2 * MARGIN, rx: MARGIN });
}
