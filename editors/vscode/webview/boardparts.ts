/**
 * The parts of a board: as other modules name them, and their elements.
 *
 * Input: nodes and edges of the board, the cursor. Output: parts, elements. Invariant: an index of a part is the one in its
 * own graph, not the one on the board.
 */

import type { BoardPart, Current } from "../shared/messages.ts";
import { idInside } from "./nesting.ts";
import type { Shown } from "./renewed.ts";
import type { Board, BoardEdge, BoardNode } from "./tools.ts";

export function nodePart({ own, label, role, inside, graph, reads, writes }: BoardNode): BoardPart {
  return { is: "node", node: own, label, role, inside, hasGraph: graph != null, keys: [...new Set([...reads, ...writes])] };
}

export function edgePart({ at, from, to, condition, inside }: BoardEdge): BoardPart {
  return { is: "edge", index: at, from, to, condition, inside };
}

/** The elements at the cursor: the node with an id on the board, the chips of a tool, an edge. */
export function elementsAt({ node, edge, inside = [] }: Current, id: string | null, graph: Board, shown: { nodes: Shown[]; edges: Shown[] }): SVGElement[] {
  const elements: SVGElement[] = [];
  graph.nodes.forEach((one, index) => {
    const element = shown.nodes[index]?.element;
    if (element !== undefined && one.id === id) {
      elements.push(element);
    }
    if (element !== undefined && node !== null && one.chips.some((chip) => chip.id === node)) {
      elements.push(...[...element.querySelectorAll<SVGElement>(".chip[data-tool]")].filter((chip) => chip.dataset["tool"] === node));
    }
  });
  const around = idInside(inside, "");
  const at = graph.edges.findIndex((one) => one.at === edge && idInside(one.inside, "") === around);
  const shownEdge = shown.edges[at]?.element;
  return shownEdge === undefined ? elements : [...elements, shownEdge];
}
