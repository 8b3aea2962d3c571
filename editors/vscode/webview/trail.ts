/**
 * The path of a run on the elements of a drawing.
 *
 * Input: the path, or none, and an element with what it draws. Output: classes and numbers of visits on the element. Invariant:
 * without a path, an element is as it was before any run.
 */

import type { Current } from "../shared/messages.ts";
import { idInside } from "./nesting.ts";
import { type Detail, showVisits } from "./render.ts";
import type { BoardEdge, BoardNode } from "./tools.ts";

/** The path of a run up to now, by ids on the board. The key of an edge is built like a node's, from its index. */
export interface Trail {
  visits: Map<string, number>;
  followed: Map<string, number>;
  /** The current node, and the last evaluated edge. */
  now: Current;
  /** The nodes whose visit has not ended. */
  open: Set<string>;
}

export function visitsOf(trail: Trail | null, id: string): number {
  return trail?.visits.get(id) ?? 0;
}

/** Paints a node, or a tool inside of one. `now` is the node of the current step. */
export function paintVisits(trail: Trail | null, now: string | undefined, id: string, element: SVGElement): void {
  element.classList.toggle("visited", visitsOf(trail, id) > 0);
  element.classList.toggle("now", trail !== null && now === id);
}

export function paintNode(trail: Trail | null, now: string | undefined, node: BoardNode, element: SVGElement, detail: Detail): void {
  paintVisits(trail, now, node.id, element);
  element.classList.toggle("open", trail?.open.has(node.id) === true);
  showVisits(element, node, detail, trail === null ? undefined : visitsOf(trail, node.id));
}

export function paintEdge(trail: Trail | null, edge: BoardEdge, element: SVGElement): void {
  const key = idInside(edge.inside, String(edge.at));
  const now = trail?.now.edge == null ? null : idInside(trail.now.inside ?? [], String(trail.now.edge));
  element.classList.toggle("followed", (trail?.followed.get(key) ?? 0) > 0);
  element.classList.toggle("now", key === now);
}
