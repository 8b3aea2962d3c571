/**
 * Tools as chips in the nodes that call them.
 *
 * Input: a graph. Output: the same graph without the nodes that are only tools of others. Invariant: every node and edge
 * knows its index in the given graph, and every tool that is left out is a chip of each node that calls it.
 */

import type { DrawnEdge, DrawnNode } from "../shared/messages.ts";
import type { Mark } from "../shared/protocol.ts";

/** A tool in a node. */
export interface Chip {
  id: string;
  label: string;
  /** Its index in the given graph. */
  at: number;
  /** Those of the tool, and of the edge that leads to it. */
  marks?: Mark[];
}

/** A node on the board, where its id is unique. */
export interface BoardNode extends DrawnNode {
  /** Its id in its graph. */
  own: string;
  at: number;
  chips: Chip[];
  /** The nodes around it whose graphs are open, from the outermost. */
  inside: string[];
  isOpen: boolean;
}

export interface BoardEdge extends DrawnEdge {
  at: number;
  inside: string[];
}

export interface Board {
  nodes: BoardNode[];
  edges: BoardEdge[];
}

interface Given {
  nodes: DrawnNode[];
  edges: DrawnEdge[];
}

/** Every node and edge as it is. */
export function unfolded({ nodes, edges }: Given): Board {
  return {
    nodes: nodes.map((node, at) => ({ ...node, own: node.id, at, chips: [], inside: [], isOpen: false })),
    edges: edges.map((edge, at) => ({ ...edge, at, inside: [] })),
  };
}

/** Tools become chips if nothing else leads to them and they lead nowhere. */
export function withToolChips(graph: Given): Board {
  const whole = unfolded(graph);
  const others = new Set(graph.edges.flatMap((edge) => (edge.kind === "tool" ? [edge.from] : [edge.from, edge.to])));
  const tools = new Set(graph.edges.flatMap((edge) => (edge.kind === "tool" && !others.has(edge.to) ? [edge.to] : [])));
  const nodeOf = new Map(whole.nodes.map((node) => [node.id, node]));
  for (const edge of graph.edges) {
    const [from, tool] = [nodeOf.get(edge.from), nodeOf.get(edge.to)];
    if (from !== undefined && tool !== undefined && tools.has(tool.id) && from.chips.every((chip) => chip.id !== tool.id)) {
      const marks = [...(edge.marks ?? []), ...(tool.marks ?? [])].filter(({ kind }, index, all) => all.findIndex((mark) => mark.kind === kind) === index);
      from.chips.push({ id: tool.id, label: tool.label, at: tool.at, ...(marks.length === 0 ? {} : { marks }) });
    }
  }
  return {
    nodes: whole.nodes.filter((node) => !tools.has(node.id)),
    edges: whole.edges.filter((edge) => !tools.has(edge.to)),
  };
}
