/**
 * The graph that the webview has received.
 *
 * Input: messages with changes, and failures. Output: the graph, or that all of it must be sent again. Invariant: changes
 * are applied only to the graph that they are about.
 */

import { changed } from "../shared/changes.ts";
import type { DrawnEdge, DrawnNode, ToGraph } from "../shared/messages.ts";

export interface GraphData {
  title: string;
  nodes: DrawnNode[];
  edges: DrawnEdge[];
}

export const NOTHING: GraphData = { title: "", nodes: [], edges: [] };

export class ReceivedGraph {
  private graph = NOTHING;
  /** Whether a drawing failed, and changes are about a graph that is no longer here. */
  private isLost = false;

  /** The graph after a message. Undefined if all of it must be sent again. */
  take({ title, nodes, edges }: Extract<ToGraph, { type: "graph" }>): GraphData | undefined {
    const isWhole = nodes.at.length === nodes.length && edges.at.length === edges.length;
    if (this.isLost && !isWhole) {
      return undefined;
    }
    this.isLost = false;
    this.graph = { title, nodes: changed(this.graph.nodes, nodes), edges: changed(this.graph.edges, edges) };
    return this.graph;
  }

  /** Forgets the graph. The next message contains a whole graph. */
  clear(): void {
    this.graph = NOTHING;
    this.isLost = false;
  }

  /** Forgets a graph that could not be drawn. From now on, only a whole graph is accepted. */
  lose(): void {
    this.clear();
    this.isLost = true;
  }

  /** Whether all of the graph must be sent again before anything else. */
  needsAll(): boolean {
    return this.isLost;
  }
}
