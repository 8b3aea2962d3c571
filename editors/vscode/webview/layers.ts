/**
 * The layers of a drawing, with the elements of its parts.
 *
 * Input: a board, its places and sizes. Output: elements in layers. Invariant: an open node is below the parts inside of it.
 */

import type { LaidOut, Point, Route, Size } from "../shared/protocol.ts";
import { svg } from "./elements.ts";
import { laneElements } from "./lanes.ts";
import type { Whole } from "./picture.ts";
import { boxOf, boxOfRoute, type Detail, edgeElement, markers, nodeElement } from "./render.ts";
import { renewed, type Shown } from "./renewed.ts";
import type { Board } from "./tools.ts";
import type { Box } from "./viewport.ts";

export class Layers {
  nodes: Shown[] = [];
  edges: Shown[] = [];
  private readonly lanes = svg("g", { class: "lanes" });
  private readonly open = svg("g");
  /** A layer of open nodes for each depth. */
  private readonly depths: SVGGElement[] = [];
  private readonly edgeLayer = svg("g");
  private readonly nodeLayer = svg("g");

  constructor(drawing: SVGElement) {
    drawing.append(markers(), this.open, this.lanes, this.edgeLayer, this.nodeLayer);
  }

  /** Draws the parts that have changed. */
  renew(graph: Board, { nodes, edges }: LaidOut, sizes: Size[], detail: Detail): void {
    const route = (index: number): Route => edges[index] ?? { way: "", label: null };
    const size = (index: number): Size => sizes[index] ?? { width: 0, height: 0 };
    const middle = (index: number): Point => nodes[index] ?? [0, 0];
    this.edges = renewed(this.edges, graph.edges, detail, route, (edge, index) => ({
      element: edgeElement(edge, index, route(index), detail),
      layer: this.edgeLayer,
      box: boxOfRoute(route(index)),
    }));
    this.nodes = renewed(this.nodes, graph.nodes, detail, middle, (node, index) => ({
      element: nodeElement(node, index, size(index), middle(index), detail),
      layer: node.isOpen ? this.layerOf(node.inside.length) : this.nodeLayer,
      box: boxOf(middle(index), size(index)),
    }));
    this.lanes.replaceChildren(...laneElements(graph, this.nodes.map(({ box }) => box), edges.map(({ way }) => way)));
  }

  get hasLanes(): boolean {
    return this.lanes.childElementCount > 0;
  }

  /** The boxes of the nodes that are not open. */
  closedBoxes(): Box[] {
    return this.nodes.filter(({ layer }) => layer === this.nodeLayer).map(({ box }) => box);
  }

  /** All parts, also those outside of the window. */
  whole({ width, height }: LaidOut): Whole {
    const isOpen = ({ layer }: Shown) => layer !== this.nodeLayer;
    const parts = [...this.nodes.filter(isOpen), { element: this.lanes }, ...this.edges, ...this.nodes.filter((node) => !isOpen(node))];
    return { parts: parts.map(({ element }) => element), width, height };
  }

  /** The layer of the open nodes at a depth: the number of open nodes around them. */
  private layerOf(depth: number): SVGElement {
    while (this.depths.length <= depth) {
      const layer = svg("g");
      this.depths.push(layer);
      this.open.append(layer);
    }
    return this.depths[depth] ?? this.open;
  }
}
