/**
 * Graphs inside of the nodes that run them.
 *
 * Input: a graph whose nodes have their graphs, and the nodes around a part. Output: the graph around the part. Invariant:
 * a path names nodes from the outermost to the innermost.
 */

interface Nested<G> {
  nodes: { id: string; graph?: G | null }[];
}

/** The graph inside of some nodes. Undefined if one of them does not exist or has no graph. */
export function graphInside<G extends Nested<G>>(graph: G, inside: string[]): G | undefined {
  const [id, ...rest] = inside;
  if (id === undefined) {
    return graph;
  }
  const inner = graph.nodes.find((node) => node.id === id)?.graph;
  return inner == null ? undefined : graphInside(inner, rest);
}
