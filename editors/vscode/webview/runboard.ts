/**
 * How a graph of a run is drawn.
 *
 * Input: a graph of a trace, and the graph as its file declares it now. Output: nodes and edges to draw, and the drawn
 * edge of each edge of the trace. Invariant: everything that the run may visit or follow is drawn, even if the file no
 * longer declares it.
 */

import type { Declared, DrawnEdge, DrawnGraph, DrawnNode } from "../shared/messages.ts";
import type { Location, TraceGraph } from "../shared/protocol.ts";

/** Where a part is declared: a place, or the number of a place in the trace. */
interface Placed {
  location?: Location | number;
}

/** A graph with its places, and those of the graphs inside of its nodes. */
export interface PlacedGraph {
  nodes: { id: string; location?: Location | number | null; graph?: PlacedGraph | null }[];
  edges: { location?: Location | number | null }[];
}

export interface RunBoard {
  nodes: (Omit<DrawnNode, "graph"> & Placed & { graph?: (DrawnGraph & PlacedGraph) | null })[];
  edges: (DrawnEdge & Placed)[];
  /** The index of the drawn edge, by the index of the trace's edge. */
  edgeOf: number[];
}

/** The marks for the start and end of runs. No node has such an id. */
const [START, END] = ["\u0000start", "\u0000end"];

export function drawnOf(graph: TraceGraph, declared: Declared | undefined): RunBoard {
  const nodes: RunBoard["nodes"] = (declared?.nodes ?? []).map(({ location, ...node }) => ({ ...node, ...placed(location) }));
  const edges: RunBoard["edges"] = (declared?.edges ?? []).map(({ location, ...edge }) => ({ ...edge, ...placed(location) }));
  const known = new Set(nodes.map((node) => node.id));
  const mark = (role: "start" | "end") => nodes.find((node) => node.role === role)?.id ?? (role === "start" ? START : END);
  const add = (node: DrawnNode & Placed) => {
    if (!known.has(node.id)) {
      known.add(node.id);
      nodes.push(node);
    }
  };
  for (const { location, ...node } of graph.nodes) {
    add({ ...node, role: "node", reads: [], writes: [], problems: 0, ...placed(location) });
  }
  const taken = new Set<number>();
  const edgeOf = graph.edges.map((edge) => {
    const [from, to] = [edge.from ?? mark("start"), edge.to ?? mark("end")];
    const same = edges.flatMap((one, index) => (one.from === from && one.to === to ? [index] : []));
    // Two edges of the trace between the same nodes are one if the file declares one.
    const index = same.find((one) => !taken.has(one)) ?? same[0] ?? edges.length;
    if (index === edges.length) {
      edges.push({ from, to, condition: null, kind: "always", ...placed(edge.location) });
    }
    taken.add(index);
    return index;
  });
  for (const { from, to } of edges) {
    for (const [id, role] of [[from, "start"], [to, "end"]] as const) {
      add({ id, label: role, kind: "", role, reads: [], writes: [], problems: 0 });
    }
  }
  return { nodes, edges, edgeOf };
}

function placed(location: Location | number | null | undefined): Placed {
  return location == null ? {} : { location };
}
