/**
 * A graph on a surface, with pan, zoom and keyboard navigation.
 *
 * Input: a graph as data, its layout, the cursor's node or edge, the path of a run. Output: SVG, and the part that the
 * user chose. Invariant: places depend only on the shape of the graph. If an edit does not change the shape, no element
 * changes its place.
 */

import type { BoardPart, Current, DrawnEdge, DrawnNode } from "../shared/messages.ts";
import type { Drawing, LaidOut, Point, Route, Size } from "../shared/protocol.ts";
import { html, svg } from "./elements.ts";
import { legendEntries } from "./legend.ts";
import { Minimap } from "./minimap.ts";
import type { Whole } from "./picture.ts";
import { boxOf, boxOfRoute, type Detail, edgeElement, labelSize, nodeElement, sizeOf } from "./render.ts";
import { Search } from "./search.ts";
import { type Board, type BoardEdge, type BoardNode, unfolded, withToolChips } from "./tools.ts";
import { type Box, type Lying, READABLE_MIN, type Spot, Viewport, ZOOM_STEP } from "./viewport.ts";

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
  /** The nodes whose visit has not ended. */
  open: Set<string>;
}

/** `goes` is whether the user goes to the source, and does not only look at it. */
export interface Chosen {
  node(index: number, goes: boolean): void;
  edge(index: number, goes: boolean): void;
}

/** What a view adds that edits its graph. */
export interface Edits {
  /** Whether a key was an edit. */
  key(event: KeyboardEvent): boolean;
  /** Another part has the keyboard focus. */
  focused(): void;
  redrawn(): void;
}

/** Computes a layout. */
export type LayOut = (drawing: Drawing) => Promise<LaidOut>;

interface Shown extends Lying {
  key: string;
}

const PAN_STEP = 60;
/** From this number of nodes on, there is a field to find one, and a small picture of the whole graph. */
const LARGE_MIN = 30;
/** Graphs of more nodes begin with only their names, without trying a layout with all texts. */
const FULL_MAX = 100;
const NAME = "Graph. Use the arrow keys to move between nodes, Enter to show the source, slash to find a node, plus and minus to zoom, and 0 to fit the graph.";
const NOWHERE: LaidOut = { direction: "down", width: 0, height: 0, nodes: [], edges: [] };

export class GraphCanvas {
  private readonly viewport: Viewport;
  private readonly edgeLayer = svg("g");
  private readonly nodeLayer = svg("g");
  private readonly legend = html("ul", { class: "legend", "aria-label": "Legend" });
  private readonly minimap = new Minimap((at) => this.viewport.centre(at));
  private readonly search = new Search(
    (found) => this.nodes.forEach(({ element }, index) => element.classList.toggle("found", found.has(index))),
    (index) => this.focus(index),
  );
  private readonly chosen: Chosen;
  private readonly layout: LayOut;
  private nodes: Shown[] = [];
  private edges: Shown[] = [];
  private given: Drawn = { nodes: [], edges: [] };
  private graph: Board = { nodes: [], edges: [] };
  private sizes: Size[] = [];
  private places = NOWHERE;
  private shape = "";
  private detail: Detail = "full";
  /** What the user chose. Null if the size of the graph decides. */
  private wantedDetail: Detail | null = null;
  private hasToolNodes = false;
  private current: Current = { node: null, edge: null };
  private trail: Trail | null = null;
  private asked = 0;
  private focused = -1;
  /** The edge with the keyboard focus, by its index on the board. It leaves the focused node, or was clicked. */
  private focusedEdge = -1;
  readonly stage: HTMLElement;
  edits: Edits | null = null;

  constructor(host: HTMLElement, chosen: Chosen, layout: LayOut) {
    this.chosen = chosen;
    this.layout = layout;
    const stage = html("div", { class: "stage" });
    this.stage = stage;
    // Without an answer, the drawing does not change.
    this.viewport = new Viewport(stage, NAME, () => void this.arrangeAgain().catch(() => {}), () => this.minimap.look(this.viewport.seen()));
    stage.append(this.search.element, this.minimap.element);
    host.append(stage, this.legend);
    this.viewport.drawing.append(markers(), this.edgeLayer, this.nodeLayer);
    this.viewport.surface.addEventListener("click", (event) => this.click(event.target, event.detail > 1));
    this.viewport.surface.addEventListener("keydown", (event) => {
      if (this.press(event)) {
        // The workbench would also do what it has for the key, for example overtype with Insert.
        event.preventDefault();
        event.stopPropagation();
      }
    });
  }

  /** Draws a graph when its layout is known. Returns `false` if another graph was requested in the meantime. */
  async show(given: Drawn): Promise<boolean> {
    const wereNodes = new Set(this.given.nodes.map((node) => node.id));
    const isOther = !given.nodes.some((node) => node.role === "node" && wereNodes.has(node.id));
    return this.draw(given, isOther);
  }

  /** Whether tools are chips in the nodes that call them, and whether there are any. */
  get tools(): { areChips: boolean; exist: boolean } {
    return { areChips: !this.hasToolNodes, exist: this.given.edges.some((edge) => edge.kind === "tool") };
  }

  /** Draws tools as nodes with edges, or as chips. */
  async showTools(asNodes: boolean): Promise<void> {
    this.hasToolNodes = asNodes;
    await this.draw(this.given, true);
  }

  /** Shows only the names of nodes, or everything. */
  async toggleDetail(): Promise<void> {
    this.wantedDetail = this.detail === "full" ? "names" : "full";
    await this.draw(this.given, true);
  }

  private async draw(given: Drawn, begins: boolean): Promise<boolean> {
    this.asked += 1;
    const question = this.asked;
    const graph = this.hasToolNodes ? unfolded(given) : withToolChips(given);
    const isSameShape = !begins && shapeOf(graph, this.detail) === this.shape;
    if (!isSameShape) {
      const arranged = begins ? await this.best(graph) : await this.arranged(graph, this.detail, { direction: this.places.direction });
      if (question !== this.asked) {
        return false;
      }
      this.take(graph, arranged);
    }
    this.given = given;
    this.graph = graph;
    if (begins) {
      this.focused = -1;
      this.focusedEdge = -1;
      this.viewport.begin(this.beginning());
    }
    this.redraw();
    const { surface } = this.viewport;
    surface.dataset["nodes"] = String(graph.nodes.length);
    surface.dataset["detail"] = this.detail;
    return true;
  }

  private take(graph: Board, { places, detail }: Arranged): void {
    this.places = places;
    this.detail = detail;
    this.shape = shapeOf(graph, detail);
    this.sizes = graph.nodes.map((node) => sizeOf(node, detail));
    this.viewport.resize(places);
  }

  private async arranged(graph: Board, detail: Detail, wanted: Pick<Drawing, "direction" | "room">): Promise<Arranged> {
    const nodes = graph.nodes.map((node) => sizeOf(node, detail));
    return { detail, places: await this.layout({ ...wanted, nodes, edges: edgesBetween(graph, detail) }) };
  }

  /** All texts if they can then be read without moving the drawing, else the names. */
  private async best(graph: Board): Promise<Arranged> {
    const wanted = { direction: "best", room: this.viewport.room() } as const;
    if (this.wantedDetail === "names" || (this.wantedDetail === null && graph.nodes.length > FULL_MAX)) {
      return this.arranged(graph, "names", wanted);
    }
    const full = await this.arranged(graph, "full", wanted);
    const fits = this.viewport.scaleFor(full.places) >= READABLE_MIN;
    return fits || this.wantedDetail === "full" ? full : this.arranged(graph, "names", wanted);
  }

  /** In a room of another size, the other direction or other texts may fit. */
  private async arrangeAgain(): Promise<void> {
    const question = this.asked;
    const arranged = await this.best(this.graph);
    if (question === this.asked && (arranged.places.direction !== this.places.direction || arranged.detail !== this.detail)) {
      this.take(this.graph, arranged);
      this.viewport.begin(this.beginning());
      this.redraw();
      this.viewport.surface.dataset["detail"] = this.detail;
    }
  }

  /** The box of the current node, else of the first one. */
  private beginning(): Box | undefined {
    const current = this.indexOf(this.trail?.now.node ?? this.current.node);
    const start = this.graph.nodes.findIndex((node) => node.role === "start");
    const index = [current, start, 0].find((one) => one >= 0) ?? 0;
    const [middle, size] = [this.places.nodes[index], this.sizes[index]];
    return middle === undefined || size === undefined ? undefined : boxOf(middle, size);
  }

  /** The index of a node, or of the first one that has it as a chip. */
  private indexOf(id: string | null): number {
    const index = this.graph.nodes.findIndex((node) => node.id === id);
    return index >= 0 ? index : this.graph.nodes.findIndex((node) => node.chips.some((chip) => chip.id === id));
  }

  /** Marks the node or edge at the cursor, and brings it into view. */
  mark(current: Current): void {
    this.current = current;
    this.showCurrent();
    this.bring(this.indexOf(current.node));
  }

  /** Paints the path of a run. `null` removes it. */
  paint(trail: Trail | null): void {
    this.trail = trail;
    this.showTrail();
    this.bring(this.indexOf(trail?.now.node ?? null));
  }

  private showCurrent(): void {
    const { node, edge } = this.current;
    this.eachNode((one, element) => element.classList.toggle("current", one.id === node));
    this.eachChip((id, chip) => chip.classList.toggle("current", id === node));
    this.eachEdge((one, element) => element.classList.toggle("current", one.at === edge));
  }

  private showTrail(): void {
    const { trail } = this;
    const visits = (id: string) => trail?.visits.get(id) ?? 0;
    const isNow = (id: string) => trail !== null && trail.now.node === id;
    this.viewport.surface.classList.toggle("run", trail !== null);
    this.viewport.surface.dataset["visited"] = String(trail?.visits.size ?? 0);
    this.eachNode((node, element) => {
      element.classList.toggle("visited", visits(node.id) > 0);
      element.classList.toggle("now", isNow(node.id));
      element.classList.toggle("open", trail?.open.has(node.id) === true);
      const count = element.querySelector(".visits");
      if (count instanceof SVGTextElement) {
        count.textContent = visits(node.id) > 1 ? `×${visits(node.id)}` : "";
      }
    });
    this.eachChip((id, chip) => {
      chip.classList.toggle("visited", visits(id) > 0);
      chip.classList.toggle("now", isNow(id));
    });
    this.eachEdge((edge, element) => {
      element.classList.toggle("followed", (trail?.followed.get(edge.at) ?? 0) > 0);
      element.classList.toggle("now", trail !== null && trail.now.edge === edge.at);
    });
    const boxes = (isOne: (node: BoardNode) => boolean) => this.nodes.filter((_, index) => isOne(this.graph.nodes[index] as BoardNode)).map(({ box }) => box);
    this.minimap.paint(boxes((node) => visits(node.id) > 0), boxes((node) => isNow(node.id)));
    this.legend.replaceChildren(...legendEntries(this.graph.nodes, trail !== null));
  }

  private eachNode(act: (node: BoardNode, element: SVGElement) => void): void {
    this.graph.nodes.forEach((node, index) => this.nodes[index] !== undefined && act(node, this.nodes[index].element));
  }

  private eachEdge(act: (edge: BoardEdge, element: SVGElement) => void): void {
    this.graph.edges.forEach((edge, index) => this.edges[index] !== undefined && act(edge, this.edges[index].element));
  }

  private eachChip(act: (id: string, chip: SVGElement) => void): void {
    this.eachNode((node, element) => {
      if (node.chips.length > 0) {
        element.querySelectorAll<SVGElement>(".chip[data-tool]").forEach((chip) => act(chip.dataset["tool"] ?? "", chip));
      }
    });
  }

  fit(): void {
    this.viewport.fit();
  }

  /** All parts, also those outside of the window. */
  whole(): Whole {
    const parts = [...this.edges, ...this.nodes].map(({ element }) => element);
    return { parts, width: this.places.width, height: this.places.height };
  }

  get surface(): HTMLElement {
    return this.viewport.surface;
  }

  get direction(): LaidOut["direction"] {
    return this.places.direction;
  }

  /** Adds a layer above all parts. It moves with them. */
  addLayer(layer: SVGElement): void {
    this.viewport.drawing.append(layer);
  }

  /** The part that an element of the page shows. */
  partAt(target: EventTarget | null): BoardPart | null {
    const element = target instanceof Element ? target.closest<SVGElement>(".chip[data-at], .node, .edge") : null;
    const index = Number(element?.dataset["index"] ?? -1);
    if (element?.classList.contains("chip") === true) {
      const tool = this.given.nodes[Number(element.dataset["at"])];
      return tool === undefined ? null : { is: "node", node: tool.id, label: tool.label, role: "tool" };
    }
    return element === null ? null : element.classList.contains("node") ? this.nodePart(index) : this.edgePart(index);
  }

  /** The part below a pointer that is captured. */
  partUnder({ clientX, clientY }: PointerEvent): BoardPart | null {
    return this.partAt(document.elementsFromPoint(clientX, clientY).find((element) => element.closest(".node") !== null) ?? null);
  }

  focusedPart(): BoardPart | null {
    return this.focusedEdge >= 0 ? this.edgePart(this.focusedEdge) : this.nodePart(this.focused);
  }

  private nodePart(index: number): BoardPart | null {
    const node = this.graph.nodes[index];
    return node === undefined ? null : { is: "node", node: node.id, label: node.label, role: node.role };
  }

  private edgePart(index: number): BoardPart | null {
    const edge = this.graph.edges[index];
    return edge === undefined ? null : { is: "edge", index: edge.at, from: edge.from, to: edge.to, condition: edge.condition };
  }

  /** Gives the keyboard focus to the next edge of the focused node. */
  focusNextEdge(): void {
    const id = this.graph.nodes[this.focused]?.id;
    const own = this.graph.edges.flatMap((edge, index) => (edge.from === id || (edge.to === id && edge.from !== id) ? [index] : []));
    if (own.length > 0) {
      this.focusEdge(own[(own.indexOf(this.focusedEdge) + 1) % own.length] ?? -1);
    }
  }

  /** Gives the keyboard focus back to the node. Returns whether an edge had it. */
  focusNode(): boolean {
    const had = this.focusedEdge >= 0;
    this.focusEdge(-1);
    return had;
  }

  private focusEdge(index: number): void {
    this.edges[this.focusedEdge]?.element.classList.remove("focused");
    this.focusedEdge = index;
    const shown = this.edges[index];
    shown?.element.classList.add("focused");
    if (shown !== undefined) {
      this.viewport.surface.setAttribute("aria-activedescendant", shown.element.id);
    }
    this.edits?.focused();
  }

  /** The box of a node. */
  boxOf(id: string): Box | undefined {
    return this.nodes[this.graph.nodes.findIndex((node) => node.id === id)]?.box;
  }

  /** The two ends of an edge, given by its index in the graph. */
  endsOf(at: number): Record<"from" | "to", Spot> | undefined {
    const index = this.graph.edges.findIndex((edge) => edge.at === at);
    const numbers = (this.places.edges[index]?.way.match(/-?[\d.]+/g) ?? []).map(Number);
    const [fromX, fromY, toX, toY] = [numbers[0], numbers[1], numbers.at(-2), numbers.at(-1)];
    return fromX === undefined || fromY === undefined || toX === undefined || toY === undefined ? undefined : { from: { x: fromX, y: fromY }, to: { x: toX, y: toY } };
  }

  /** The point of the drawing below a pointer. */
  spotAt({ clientX, clientY }: PointerEvent): Spot {
    const { left, top } = this.viewport.surface.getBoundingClientRect();
    return this.viewport.pointAt({ x: clientX - left, y: clientY - top });
  }

  /** Marks the node that a connection would lead to. */
  target(id: string | null): void {
    this.eachNode((node, element) => element.classList.toggle("target", node.id === id));
  }

  /** Zooms around the node with the keyboard focus, else around the centre. */
  zoom(factor: number): void {
    const box = this.nodes[this.focused]?.box;
    this.viewport.zoom(factor, box === undefined ? undefined : this.viewport.spotOf(box));
  }

  /** A click on a part selects it. */
  private click(target: EventTarget | null, goes: boolean): void {
    const part = target instanceof Element ? target.closest<SVGElement>(".chip[data-at], .node, .edge") : null;
    const index = Number(part?.dataset["index"] ?? -1);
    if (part?.classList.contains("chip") === true) {
      this.chosen.node(Number(part.dataset["at"]), goes);
    } else if (part?.classList.contains("node") === true) {
      this.focus(index);
      this.chosen.node(this.graph.nodes[index]?.at ?? -1, goes);
    } else if (part !== null) {
      this.focusEdge(index);
      // A double click on an edge edits its condition, where the board can be edited.
      this.chosen.edge(this.graph.edges[index]?.at ?? -1, goes && this.edits === null);
    }
  }

  private bring(index: number): void {
    const box = this.nodes[index]?.box;
    if (box !== undefined) {
      this.viewport.bring(box);
    }
  }

  private press(event: KeyboardEvent): boolean {
    if (this.edits?.key(event) === true) {
      return true;
    }
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
        if (this.focusedEdge >= 0) {
          this.chosen.edge(this.graph.edges[this.focusedEdge]?.at ?? -1, true);
        } else if (this.focused >= 0) {
          this.chosen.node(this.graph.nodes[this.focused]?.at ?? -1, true);
        }
        return true;
      case "/":
        this.search.focus();
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
    this.edges[this.focusedEdge]?.element.classList.remove("focused");
    this.focusedEdge = -1;
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
    this.edges = renewed(this.edges, this.graph.edges, this.detail, route, (edge, index) => ({
      element: edgeElement(edge, index, route(index), this.detail),
      layer: this.edgeLayer,
      box: boxOfRoute(route(index)),
    }));
    this.nodes = renewed(this.nodes, this.graph.nodes, this.detail, middle, (node, index) => ({
      element: nodeElement(node, index, size(index), middle(index), this.detail),
      layer: this.nodeLayer,
      box: boxOf(middle(index), size(index)),
    }));
    this.nodes[this.focused]?.element.classList.add("focused");
    this.edges[this.focusedEdge]?.element.classList.add("focused");
    const isLarge = this.graph.nodes.length >= LARGE_MIN;
    this.search.element.hidden = !isLarge;
    this.minimap.element.classList.toggle("hidden", !isLarge);
    this.minimap.draw(this.places, isLarge ? this.nodes.map(({ box }) => box) : []);
    this.search.offer(this.graph.nodes.map((node) => node.label));
    this.showCurrent();
    this.showTrail();
    this.viewport.lay([...this.edges, ...this.nodes]);
    this.minimap.look(this.viewport.seen());
    this.edits?.redrawn();
  }
}

interface Arranged {
  detail: Detail;
  places: LaidOut;
}

function markers(): SVGElement {
  const size = { viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 11, markerHeight: 11, markerUnits: "userSpaceOnUse" };
  const marker = svg("marker", { id: "arrow", ...size, orient: "auto" });
  marker.append(svg("path", { class: "arrow", d: "M0 0 8 4 0 8z" }));
  return svg("defs", {}, marker);
}

/** The edges by the indices of their nodes, with the sizes of their labels. */
function edgesBetween({ nodes, edges }: Board, detail: Detail): Drawing["edges"] {
  const positions = new Map(nodes.map((node, index) => [node.id, index]));
  const position = (id: string) => positions.get(id) ?? nodes.length;
  return edges.map((edge) => {
    const label = labelSize(edge, detail);
    return { from: position(edge.from), to: position(edge.to), ...(label === undefined ? {} : { label }) };
  });
}

/** What a layout depends on. */
function shapeOf(graph: Board, detail: Detail): string {
  return JSON.stringify([graph.nodes.map((node) => sizeOf(node, detail)), edgesBetween(graph, detail)]);
}

/** Keeps unchanged elements where they are, and draws the others. */
function renewed<T>(shown: Shown[], things: T[], detail: Detail, place: (index: number) => unknown, draw: (thing: T, index: number) => Lying): Shown[] {
  return things.map((thing, index) => {
    const key = JSON.stringify([thing, detail, place(index)]);
    const old = shown[index];
    return old?.key === key ? old : { key, ...draw(thing, index) };
  });
}
