/**
 * What nodes do: the icon, the colour and the words of each kind of work.
 *
 * Input: a node's work, as the server names it. Output: icons, and entries of the legend. Invariant: a kind of work has
 * the same colour in every graph, and none has the colour of errors.
 */

import type { DrawnNode } from "../shared/messages.ts";
import { svg } from "./elements.ts";

export interface Work {
  title: string;
  /** The `d` attribute of a path in a square of 16 units. */
  icon: string;
}

export const WORKS: Record<string, Work> = {
  agent: { title: "Model", icon: "M8 1.5 9.7 6.3 14.5 8 9.7 9.7 8 14.5 6.3 9.7 1.5 8 6.3 6.3z" },
  tool: { title: "Tool", icon: "M10.2 2a3.6 3.6 0 0 0-3.4 4.8L2 11.6 4.4 14l4.8-4.8A3.6 3.6 0 0 0 14 5.8L11.8 8 8 4.2z" },
  function: { title: "Function", icon: "M6 2.5H5A1.5 1.5 0 0 0 3.5 4v2.5L2 8l1.5 1.5V12A1.5 1.5 0 0 0 5 13.5h1M10 2.5h1A1.5 1.5 0 0 1 12.5 4v2.5L14 8l-1.5 1.5V12a1.5 1.5 0 0 1-1.5 1.5h-1" },
  choice: { title: "Decision", icon: "M8 1.5 14.5 8 8 14.5 1.5 8z" },
  person: { title: "Person", icon: "M8 2a2.7 2.7 0 1 1 0 5.4A2.7 2.7 0 0 1 8 2zM2.5 14c.4-3.2 2.6-4.8 5.5-4.8s5.1 1.6 5.5 4.8z" },
  judge: { title: "Check", icon: "M2 8.5 6 12.5 14 3.5" },
  many: { title: "Parallel", icon: "M2 8h3M5 8l4-4.5h5M5 8h9M5 8l4 4.5h5" },
  graph: { title: "Subgraph", icon: "M1.5 2.5h5v4h-5zM9.5 9.5h5v4h-5zM4 6.5v5h5.5" },
  memory: { title: "Memory", icon: "M3 3.5C3 1.5 13 1.5 13 3.5v9c0 2-10 2-10 0zM3 3.5c0 2 10 2 10 0M3 8c0 2 10 2 10 0" },
  unknown: { title: "Unknown", icon: "M5.2 5.5A2.8 2.8 0 1 1 8 8.3V10M8 12.2v1.3" },
};

/** The kind of a node's work. Undefined for a mark. */
export function workOf(node: DrawnNode): string | undefined {
  if (node.role === "start" || node.role === "end") {
    return undefined;
  }
  return node.work != null && node.work in WORKS ? node.work : "unknown";
}

export function workIcon(work: string): SVGPathElement {
  return svg("path", { class: "icon", d: WORKS[work]?.icon ?? "" });
}

/** The kinds of work in a graph, in the order of the legend. */
export function worksIn(nodes: DrawnNode[]): [work: string, title: string][] {
  const found = new Set(nodes.map(workOf));
  return Object.entries(WORKS).flatMap(([work, { title }]): [string, string][] => (found.has(work) ? [[work, title]] : []));
}
