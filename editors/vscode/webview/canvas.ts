/**
 * A graph on a surface, with pan, zoom and keyboard navigation.
 *
 * Input: a graph as data, its layout, the cursor's node or edge, the path of a run. Output: SVG, and the part that the
 * user chose. Invariant: places depend only on the shape of the graph. If an edit does not change the shape, no element
 * changes its place.
 */

import type { Current, DrawnEdge, DrawnNode } from "../shared/messages.ts";
import type { Drawing, LaidOut, Point, Route, Size } from "../shared/protocol.ts";
import { svg } from "./elements.ts";
import { boxOf, boxOfRoute, edgeElement, labelSize, nodeElement, sizeOf } from "./render.ts";
import { type Lying, Viewport, ZOOM_STEP } from "./viewport.ts";

export interface Drawn {
  nodes: DrawnNode[];
  edges: DrawnEdge[];
}

/** The path of a run up to now. */
export interface Trail {
  visits: Map<string, number>;
  followed: Map<number, number>;
  /** The current node, and the last evaluated edge. */
  now: Current;
}

export interface Chosen {
  node(index: number): void;
  edge(index: number): void;
}

/** Computes a layout. */
export type LayOut = (drawing: Drawing) => Promise<LaidOut>;

interface Shown extends Lying {
  key: string;
}

const PAN_STEP = 60;
const NAME = "Graph. Use the arrow keys to move between nodes, Enter to show the source, plus and minus to zoom, and 0 to fit the graph.";
const NOWHERE: LaidOut = { direction: "down", width: 0, height: 0, nodes: [], edges: [] };

export class GraphCanvas {
  private readonly viewport: Viewport;
  private readonly edgeLayer = svg("g");
  private readonly nodeLayer = svg("g");
  private readonly chosen: Chosen;
  private readonly layout: LayOut;
  private nodes: Shown[] = [];
  private edges: Shown[] = [];
  private graph: Drawn = { nodes: [], edges: [] };
  private sizes: Size[] = [];
  private places = NOWHERE;
  private shape = "";
  private current: Current = { node: null, edge: null };
  private trail: Trail | null = null;
  private asked = 0;
  private focused = -1;

  constructor(host: HTMLElement, chosen: Chosen, layout: LayOut) {
    this.chosen = chosen;
    this.layout = layout;
    // Without an answer, the drawing does not change.
    this.viewport = new Viewport(host, NAME, () => void this.turn().catch(() => {}));
    this.viewport.drawing.append(markers(), this.edgeLayer, this.nodeLayer);
    this.viewport.surface.addEventListener("click", (event) => this.click(event.target));
    this.viewport.surface.addEventListener("keydown", (event) => {
      if (this.press(event)) {
        event.preventDefault();
      }
    });
  }

  /** Draws a graph when its layout is known. Returns `false` if another graph was requested in the meantime. */
  async show(graph: Drawn): Promise<boolean> {
    this.asked += 1;
    const question = this.asked;
    const sizes = graph.nodes.map(sizeOf);
    const edges = edgesBetween(graph);
    const shape = JSON.stringify([sizes, edges]);
    const wereNodes = new Set(this.graph.nodes.map((node) => node.id));
    const isOther = !graph.nodes.some((node) => node.role === "node" && wereNodes.has(node.id));
    if (shape !== this.shape || isOther) {
      const places = await this.layout({ ...(isOther ? this.best() : { direction: this.places.direction }), nodes: sizes, edges });
      if (question !== this.asked) {
        return false;
      }
      this.places = places;
      this.shape = shape;
      this.viewport.resize(places);
    }
    this.graph = graph;
    this.sizes = sizes;
    if (isOther) {
      this.focused = -1;
      this.viewport.fit();
    }
    this.redraw();
    this.viewport.surface.dataset["nodes"] = String(graph.nodes.length);
    return true;
  }

  /** Marks the node or edge at the cursor, and brings it into view. */
  mark(current: Current): void {
    this.current = current;
    this.showCurrent();
    this.bring(this.graph.nodes.findIndex((node) => node.id === current.node));
  }

  /** Paints the path of a run. `null` removes it. */
  paint(trail: Trail | null): void {
    this.trail = trail;
    this.showTrail();
    this.bring(this.graph.nodes.findIndex((node) => node.id === trail?.now.node));
  }

  private showCurrent(): void {
    const { node, edge } = this.current;
    this.nodes.forEach(({ element }, index) => element.classList.toggle("current", this.graph.nodes[index]?.id === node));
    this.edges.forEach(({ element }, index) => element.classList.toggle("current", index === edge));
  }

  private showTrail(): void {
    const { trail } = this;
    this.viewport.surface.classList.toggle("run", trail !== null);
    this.graph.nodes.forEach((node, index) => {
      const element = this.nodes[index]?.element;
      const visits = trail?.visits.get(node.id) ?? 0;
      element?.classList.toggle("visited", visits > 0);
      element?.classList.toggle("now", trail !== null && trail.now.node === node.id);
      const count = element?.querySelector(".visits");
      if (count instanceof SVGTextElement) {
        count.textContent = visits > 1 ? `×${visits}` : "";
      }
    });
    this.edges.forEach(({ element }, index) => {
      element.classList.toggle("followed", (trail?.followed.get(index) ?? 0) > 0);
      element.classList.toggle("now", trail !== null && trail.now.edge === index);
    });
  }

  private best(): Pick<Drawing, "direction" | "room"> {
    return { direction: "best", room: this.viewport.room() };
  }

  /** In a room of another size, the other direction may show more. */
  private async turn(): Promise<void> {
    const question = this.asked;
    const places = await this.layout({ ...this.best(), nodes: this.sizes, edges: edgesBetween(this.graph) });
    if (question === this.asked && places.direction !== this.places.direction) {
      this.places = places;
      this.viewport.resize(places);
      this.viewport.fit();
      this.redraw();
    }
  }

  fit(): void {
    this.viewport.fit();
  }

  /** Zooms around the node with the keyboard focus, else around the centre. */
  zoom(factor: number): void {
    const box = this.nodes[this.focused]?.box;
    this.viewport.zoom(factor, box === undefined ? undefined : this.viewport.spotOf(box));
  }

  /** A click on a part selects it. */
  private click(target: EventTarget | null): void {
    const part = target instanceof Element ? target.closest<SVGElement>(".node, .edge") : null;
    const index = Number(part?.dataset["index"] ?? -1);
    if (part?.classList.contains("node") === true) {
      this.focus(index);
      this.chosen.node(index);
    } else if (part !== null) {
      this.chosen.edge(index);
    }
  }

  private bring(index: number): void {
    const box = this.nodes[index]?.box;
    if (box !== undefined) {
      this.viewport.bring(box);
    }
  }

  private press(event: KeyboardEvent): boolean {
    const pan = event.shiftKey;
    switch (event.key) {
      case "ArrowLeft":
        pan ? this.viewport.pan(PAN_STEP, 0) : this.walk(-1, 0);
        return true;
      case "ArrowRight":
        pan ? this.viewport.pan(-PAN_STEP, 0) : this.walk(1, 0);
        return true;
      case "ArrowUp":
        pan ? this.viewport.pan(0, PAN_STEP) : this.walk(0, -1);
        return true;
      case "ArrowDown":
        pan ? this.viewport.pan(0, -PAN_STEP) : this.walk(0, 1);
        return true;
      case "Home":
        this.focus(0);
        return true;
      case "End":
        this.focus(this.graph.nodes.length - 1);
        return true;
      case "Enter":
      case " ":
        if (this.focused >= 0) {
          this.chosen.node(this.focused);
        }
        return true;
      case "+":
      case "=":
        this.zoom(ZOOM_STEP);
        return true;
      case "-":
        this.zoom(1 / ZOOM_STEP);
        return true;
      case "0":
        this.viewport.fit();
        return true;
      default:
        return false;
    }
  }

  /** Moves to the nearest node in a direction. Distance to the side counts more. */
  private walk(x: number, y: number): void {
    const here = this.places.nodes[this.focused];
    if (here === undefined) {
      this.focus(0);
      return;
    }
    let best = { index: -1, distance: Infinity };
    this.places.nodes.forEach((middle, index) => {
      const [dx, dy] = [middle[0] - here[0], middle[1] - here[1]];
      const ahead = dx * x + dy * y;
      const distance = ahead + 2 * Math.abs(dx * y + dy * x);
      if (ahead > 1 && distance < best.distance) {
        best = { index, distance };
      }
    });
    if (best.index >= 0) {
      this.focus(best.index);
    }
  }

  private focus(index: number): void {
    this.nodes[this.focused]?.element.classList.remove("focused");
    this.focused = index;
    const element = this.nodes[index]?.element;
    element?.classList.add("focused");
    if (element !== undefined) {
      this.viewport.surface.setAttribute("aria-activedescendant", element.id);
      this.bring(index);
    }
  }

  private redraw(): void {
    const route = (index: number): Route => this.places.edges[index] ?? { way: "", label: null };
    const size = (index: number): Size => this.sizes[index] ?? { width: 0, height: 0 };
    const middle = (index: number): Point => this.places.nodes[index] ?? [0, 0];
    this.edges = renewed(this.edges, this.graph.edges, route, (edge, index) => ({
      element: edgeElement(edge, index, route(index)),
      layer: this.edgeLayer,
      box: boxOfRoute(route(index)),
    }));
    this.nodes = renewed(this.nodes, this.graph.nodes, middle, (node, index) => ({
      element: nodeElement(node, index, size(index), middle(index)),
      layer: this.nodeLayer,
      box: boxOf(middle(index), size(index)),
    }));
    this.nodes[this.focused]?.element.classList.add("focused");
    this.showCurrent();
    this.showTrail();
    this.viewport.lay([...this.edges, ...this.nodes]);
  }
}

function markers(): SVGElement {
  const size = { viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, markerUnits: "userSpaceOnUse" };
  const marker = svg("marker", { id: "arrow", ...size, orient: "auto" });
  marker.append(svg("path", { class: "arrow", d: "M0 0 8 4 0 8z" }));
  return svg("defs", {}, marker);
}

/** The edges by the indices of their nodes, with the sizes of their labels. */
function edgesBetween({ nodes, edges }: Drawn): Drawing["edges"] {
  const positions = new Map(nodes.map((node, index) => [node.id, index]));
  const position = (id: string) => positions.get(id) ?? nodes.length;
  return edges.map(({ from, to, condition }) => ({
    from: position(from),
    to: position(to),
    ...(condition === null ? {} : { label: labelSize(condition) }),
  }));
}

/** Keeps unchanged elements where they are, and draws the others. */
function renewed<T>(shown: Shown[], things: T[], place: (index: number) => unknown, draw: (thing: T, index: number) => Lying): Shown[] {
  return things.map((thing, index) => {
    const key = JSON.stringify([thing, place(index)]);
    const old = shown[index];
    return old?.key === key ? old : { key, ...draw(thing, index) };
  });
}
