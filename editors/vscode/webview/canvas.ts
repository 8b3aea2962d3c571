/**
 * A graph on a surface, with pan, zoom and keyboard navigation.
 *
 * Input: a graph as data, its layout, the cursor's node or edge, the path of a run. Output: SVG, and the part that the
 * user chose. Invariant: places depend only on the shape of the graph. If an edit does not change the shape, no element
 * changes its place. A text that an edit changes is drawn at once, and does not wait for a layout.
 */

import type { BoardPart, Current, DrawnEdge, DrawnGraph, DrawnNode } from "../shared/messages.ts";
import { graphInside } from "../shared/nested.ts";
import type { Drawing, LaidOut, Size } from "../shared/protocol.ts";
import { edgePart, elementsAt, nodePart } from "./boardparts.ts";
import { html } from "./elements.ts";
import { Layers } from "./layers.ts";
import { legendEntries } from "./legend.ts";
import { Minimap } from "./minimap.ts";
import { arrange, type Arranged, type BoardTree, flat, idInside, shapeOf, structureOf, treeOf } from "./nesting.ts";
import type { Whole } from "./picture.ts";
import { boxOf, type Detail, endsOfRoute, headOf, sizeOf } from "./render.ts";
import { Search } from "./search.ts";
import { type Board, type BoardEdge, type BoardNode, unfolded, withToolChips } from "./tools.ts";
import { paintEdge, paintNode, paintVisits, type Trail, visitsOf } from "./trail.ts";
import { type Box, READABLE_MIN, type Spot, Viewport } from "./viewport.ts";
import { type Act, actOf, nearest } from "./walking.ts";

export interface Drawn {
  nodes: DrawnNode[];
  edges: DrawnEdge[];
}

/**
 * Called when the user chooses a part. Its index is that in the graph inside of the nodes `inside`. `goes` is whether
 * the source gets the focus, or is only shown.
 */
export interface Chosen {
  node(index: number, goes: boolean, inside: string[]): void;
  edge(index: number, goes: boolean, inside: string[]): void;
  /** The user opened or collapsed subgraphs. Each open one is given by the nodes from the outermost. */
  opened?(paths: string[][]): void;
}

/** What a view provides if its graph can be edited. */
export interface Edits {
  /** Handles a key. Returns whether the key was an edit. */
  key(event: KeyboardEvent): boolean;
  /** Called when another part has got the keyboard focus. */
  focused(): void;
  redrawn(): void;
}

/** Computes a layout. */
export type LayOut = (drawing: Drawing) => Promise<LaidOut>;

/** From this number of nodes on, there is a field to find one, and a small picture of the whole graph. */
const LARGE_MIN = 30;
/** Graphs of more nodes begin with only their names, without trying a layout with all texts. */
const FULL_MAX = 100;
const NAME = "Graph. Use the arrow keys to move between nodes, Enter to show the source, o to open or collapse a subgraph, slash to find a node, plus and minus to zoom, and 0 to fit the graph.";
const NOWHERE: LaidOut = { direction: "down", width: 0, height: 0, nodes: [], edges: [] };

export class GraphCanvas {
  private readonly viewport: Viewport;
  private readonly layers: Layers;
  private readonly legend = html("ul", { class: "legend", "aria-label": "Legend" });
  private readonly minimap = new Minimap((at) => this.viewport.centre(at));
  private readonly search = new Search(
    (found) => this.layers.nodes.forEach(({ element }, index) => element.classList.toggle("found", found.has(index))),
    (index) => this.focus(index),
  );
  private readonly chosen: Chosen;
  private readonly layout: LayOut;
  private given: Drawn = { nodes: [], edges: [] };
  private tree: BoardTree = { nodes: [], edges: [], inner: new Map() };
  /** All parts of the tree as one board. */
  private graph: Board = { nodes: [], edges: [] };
  /** The nodes whose graphs are open, by their ids on the board. */
  private opened = new Set<string>();
  private sizes: Size[] = [];
  private places = NOWHERE;
  /** The shape that the current places were computed for, and the shape of the layout that is requested (or empty). */
  private shape = "";
  private coming = "";
  private detail: Detail = "full";
  /** The detail that the user chose. Null if the size of the graph decides. */
  private wantedDetail: Detail | null = null;
  private hasToolNodes = false;
  private current: Current = { node: null, edge: null };
  private trail: Trail | null = null;
  /** The elements at the cursor. */
  private marked: SVGElement[] = [];
  /** Whether the elements show the path of a run. */
  private isPainted = false;
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
    this.layers = new Layers(this.viewport.drawing);
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
    if (isOther && this.opened.size > 0) {
      this.opened.clear();
      this.chosen.opened?.([]);
    }
    return this.draw(given, isOther);
  }

  /** Forgets the graph after a drawing that failed, so that no part of it is in the next one. */
  forget(): void {
    this.asked += 1;
    this.given = { nodes: [], edges: [] };
    this.tree = { nodes: [], edges: [], inner: new Map() };
    this.graph = { nodes: [], edges: [] };
    [this.layers.nodes, this.layers.edges] = [[], []];
    this.shape = this.coming = "";
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
    const tree = treeOf(given, this.opened, this.hasToolNodes ? unfolded : withToolChips);
    const shape = shapeOf(tree, this.detail);
    const hasPlaces = !begins && (shape === this.shape || structureOf(tree) === structureOf(this.tree));
    if (!hasPlaces) {
      const arranged = begins ? await this.best(tree) : await arrange(tree, this.detail, { direction: this.places.direction }, this.layout);
      if (question !== this.asked) {
        return false;
      }
      this.take(tree, arranged);
    }
    this.given = given;
    this.tree = tree;
    this.graph = flat(tree);
    if (hasPlaces) {
      this.sizes = this.graph.nodes.map((node, index) => (node.isOpen ? this.sizes[index] : undefined) ?? sizeOf(node, this.detail));
      void this.settle(shape);
    }
    if (begins) {
      this.focused = -1;
      this.focusedEdge = -1;
      this.viewport.begin(this.beginning());
    }
    this.redraw();
    const { surface } = this.viewport;
    surface.dataset["nodes"] = String(this.graph.nodes.length);
    surface.dataset["detail"] = this.detail;
    return true;
  }

  /** Moves the parts when the places for their new sizes are known. */
  private async settle(shape: string): Promise<void> {
    if (shape === this.shape || shape === this.coming) {
      this.coming = shape === this.shape ? "" : shape;
      return;
    }
    this.coming = shape;
    // Without an answer, the places stay as they are.
    const arranged = await arrange(this.tree, this.detail, { direction: this.places.direction }, this.layout).catch(() => undefined);
    if (this.coming !== shape) {
      return;
    }
    this.coming = "";
    if (arranged !== undefined) {
      this.take(this.tree, arranged);
      this.redraw();
      this.bring(this.trail === null ? this.indexOf(this.currentNode()) : this.indexNow());
    }
  }

  private take(tree: BoardTree, { places, detail, sizes }: Arranged): void {
    this.places = places;
    this.detail = detail;
    this.shape = shapeOf(tree, detail);
    this.coming = "";
    this.sizes = sizes;
    this.viewport.resize(places);
  }

  /** The layout in the chosen detail. Without a choice, with all texts if they can then be read, else with names. */
  private async best(tree: BoardTree): Promise<Arranged> {
    const wanted = { direction: "best", room: this.viewport.room() } as const;
    const names = () => arrange(tree, "names", wanted, this.layout);
    if (this.wantedDetail === "names" || (this.wantedDetail === null && tree.nodes.length > FULL_MAX)) {
      return names();
    }
    const full = await arrange(tree, "full", wanted, this.layout);
    const fits = this.viewport.scaleFor(full.places) >= READABLE_MIN;
    return fits || this.wantedDetail === "full" ? full : names();
  }

  /** Opens or collapses the graph of a node, which stays in its place. Returns whether it has one. */
  async toggle(index: number): Promise<boolean> {
    const node = this.graph.nodes[index];
    if (node?.graph == null) {
      return false;
    }
    const isCollapsed = node.isOpen;
    const isInside = (id: string) => id === node.id || id.startsWith(idInside([node.id], ""));
    this.opened = new Set(isCollapsed ? [...this.opened].filter((id) => !isInside(id)) : [...this.opened, node.id]);
    const before = this.headAt(index);
    if (await this.draw(this.given, false)) {
      const after = this.graph.nodes.findIndex(({ id }) => id === node.id);
      this.viewport.hold(before, this.headAt(after));
      this.focus(after);
      this.chosen.opened?.(this.graph.nodes.filter(({ isOpen }) => isOpen).map(({ inside, own }) => [...inside, own]));
    }
    return true;
  }

  /** Opens or collapses the graph of a node, given by the nodes around it and its id. */
  async toggleNode(inside: string[], node: string): Promise<boolean> {
    return this.toggle(this.indexOf(idInside(inside, node)));
  }

  private headAt(index: number): Spot {
    return headOf(this.places.nodes[index] ?? [0, 0], this.sizes[index] ?? { width: 0, height: 0 });
  }

  /** Called after a resize: in a window of another size, the other direction or another detail may fit. */
  private async arrangeAgain(): Promise<void> {
    const question = this.asked;
    const arranged = await this.best(this.tree);
    if (question === this.asked && (arranged.places.direction !== this.places.direction || arranged.detail !== this.detail)) {
      this.take(this.tree, arranged);
      this.viewport.begin(this.beginning());
      this.redraw();
      this.viewport.surface.dataset["detail"] = this.detail;
    }
  }

  /** The box to show at the beginning: that of the current node, else of the start, else of the first node. */
  private beginning(): Box | undefined {
    const current = this.trail?.now.node == null ? this.indexOf(this.currentNode()) : this.indexNow();
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
    this.bring(this.indexOf(this.currentNode()));
  }

  /** The id on the board of the node at the cursor. */
  private currentNode(): string | null {
    const { node, inside } = this.current;
    return node === null ? null : idInside(inside ?? [], node);
  }

  /** Paints the path of a run. `null` removes it. */
  paint(trail: Trail | null): void {
    this.trail = trail;
    this.showTrail();
    this.bring(this.indexNow());
  }

  /** Whether the graph inside of some nodes is open. */
  isOpen(path: string[]): boolean {
    const own = path.at(-1);
    const id = own === undefined ? null : idInside(path.slice(0, -1), own);
    return this.graph.nodes.some((node) => node.id === id && node.isOpen);
  }

  /** The index of the node of the current step, or of the one around it that is collapsed. */
  private indexNow(): number {
    const { node, inside = [] } = this.trail?.now ?? { node: null };
    const path = node === null ? [] : [...inside, node];
    for (let length = path.length; length > 0; length -= 1) {
      const index = this.indexOf(idInside(path.slice(0, length - 1), path[length - 1] ?? ""));
      if (index >= 0) {
        return index;
      }
    }
    return -1;
  }

  private showCurrent(): void {
    this.marked.forEach((element) => element.classList.remove("current"));
    this.marked = elementsAt(this.current, this.currentNode(), this.graph, this.layers);
    this.marked.forEach((element) => element.classList.add("current"));
  }

  private showTrail(): void {
    const { trail } = this;
    this.legend.replaceChildren(...legendEntries(this.graph, trail !== null, this.layers.hasLanes));
    if (trail === null && !this.isPainted) {
      return;
    }
    this.isPainted = trail !== null;
    const now = this.graph.nodes[this.indexNow()]?.id;
    this.viewport.surface.classList.toggle("run", trail !== null);
    this.viewport.surface.dataset["visited"] = String(this.graph.nodes.filter(({ id }) => visitsOf(trail, id) > 0).length);
    this.eachNode((node, element) => paintNode(trail, now, node, element, this.detail));
    this.eachChip((id, chip) => paintVisits(trail, now, id, chip));
    this.eachEdge((edge, element) => paintEdge(trail, edge, element));
    const boxes = (isOne: (node: BoardNode) => boolean) => this.layers.nodes.filter((_, index) => isOne(this.graph.nodes[index] as BoardNode)).map(({ box }) => box);
    this.minimap.paint(boxes((node) => visitsOf(trail, node.id) > 0), boxes((node) => trail !== null && node.id === now));
  }

  /** Draws parts without a mark less visibly, or normally again. */
  dimOthers(dims: boolean): void {
    this.viewport.surface.classList.toggle("dims", dims);
  }

  private eachNode(act: (node: BoardNode, element: SVGElement) => void): void {
    this.graph.nodes.forEach((node, index) => this.layers.nodes[index] !== undefined && act(node, this.layers.nodes[index].element));
  }

  private eachEdge(act: (edge: BoardEdge, element: SVGElement) => void): void {
    this.graph.edges.forEach((edge, index) => this.layers.edges[index] !== undefined && act(edge, this.layers.edges[index].element));
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
    return this.layers.whole(this.places);
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
      const inside = this.insideOf(element);
      const tool = graphInside<DrawnGraph>(this.given, inside)?.nodes[Number(element.dataset["at"])];
      return tool === undefined ? null : { is: "node", node: tool.id, label: tool.label, role: "tool", inside };
    }
    return element === null ? null : element.classList.contains("node") ? this.nodePart(index) : this.edgePart(index);
  }

  /** The nodes around the node that an element is in. */
  private insideOf(element: Element): string[] {
    const node = element.closest<SVGElement>(".node");
    return this.graph.nodes[Number(node?.dataset["index"] ?? -1)]?.inside ?? [];
  }

  /** The node below a pointer. Works also while an element captures the pointer. */
  partUnder({ clientX, clientY }: PointerEvent): BoardPart | null {
    return this.partAt(document.elementsFromPoint(clientX, clientY).find((element) => element.closest(".node") !== null) ?? null);
  }

  focusedPart(): BoardPart | null {
    return this.focusedEdge >= 0 ? this.edgePart(this.focusedEdge) : this.nodePart(this.focused);
  }

  private nodePart(index: number): BoardPart | null {
    const node = this.graph.nodes[index];
    return node === undefined ? null : nodePart(node);
  }

  private edgePart(index: number): BoardPart | null {
    const edge = this.graph.edges[index];
    return edge === undefined ? null : edgePart(edge);
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
    this.layers.edges[this.focusedEdge]?.element.classList.remove("focused");
    this.focusedEdge = index;
    this.showFocus();
    this.edits?.focused();
  }

  /** The box of a node. */
  boxOf(id: string): Box | undefined {
    return this.layers.nodes[this.graph.nodes.findIndex((node) => node.id === id)]?.box;
  }

  /** The two ends of an edge, given by its index in the graph. */
  endsOf(at: number): Record<"from" | "to", Spot> | undefined {
    const index = this.graph.edges.findIndex((edge) => edge.at === at && edge.inside.length === 0);
    return endsOfRoute(this.places.edges[index]);
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
    const box = this.layers.nodes[this.focused]?.box;
    this.viewport.zoom(factor, box === undefined ? undefined : this.viewport.spotOf(box));
  }

  /** A click on a part selects it. */
  private click(target: EventTarget | null, goes: boolean): void {
    const part = target instanceof Element ? target.closest<SVGElement>(".chip[data-at], .node, .edge") : null;
    const index = Number(part?.dataset["index"] ?? -1);
    if (target instanceof Element && target.closest(".toggle") !== null) {
      void this.toggle(index).catch(() => {});
    } else if (part?.classList.contains("chip") === true) {
      this.chosen.node(Number(part.dataset["at"]), goes, this.insideOf(part));
    } else if (part?.classList.contains("node") === true) {
      this.focus(index);
      this.chooseNode(index, goes);
    } else if (part !== null) {
      this.focusEdge(index);
      // A double click on an edge edits its condition, where the board can be edited.
      this.chooseEdge(index, goes && this.edits === null);
    }
  }

  private chooseNode(index: number, goes: boolean): void {
    const node = this.graph.nodes[index];
    this.chosen.node(node?.at ?? -1, goes, node?.inside ?? []);
  }

  private chooseEdge(index: number, goes: boolean): void {
    const edge = this.graph.edges[index];
    this.chosen.edge(edge?.at ?? -1, goes, edge?.inside ?? []);
  }

  private bring(index: number): void {
    const box = this.layers.nodes[index]?.box;
    if (box !== undefined) {
      this.viewport.bring(box);
    }
  }

  /** Does what a key is for. Returns whether it is for anything. */
  private press(event: KeyboardEvent): boolean {
    if (this.edits?.key(event) === true) {
      return true;
    }
    const act = actOf(event);
    if (act === undefined) {
      return false;
    }
    this.act(act);
    return true;
  }

  private act(act: Act): void {
    switch (act.is) {
      case "pan":
        return this.viewport.pan(act.x, act.y);
      case "walk":
        return this.walk(act.x, act.y);
      case "first":
        return this.focus(0);
      case "last":
        return this.focus(this.graph.nodes.length - 1);
      case "choose":
        if (this.focusedEdge >= 0) {
          this.chooseEdge(this.focusedEdge, true);
        } else if (this.focused >= 0) {
          this.chooseNode(this.focused, true);
        }
        return;
      case "toggle":
        return void this.toggle(this.focused).catch(() => {});
      case "find":
        return this.search.focus();
      case "zoom":
        return this.zoom(act.factor);
      case "fit":
        return this.viewport.fit();
    }
  }

  /** Moves to the nearest node in a direction. Distance to the side counts more. */
  private walk(x: number, y: number): void {
    if (this.places.nodes[this.focused] === undefined) {
      this.focus(0);
      return;
    }
    const next = nearest(this.places.nodes.map((_, index) => this.spotOf(index)), this.focused, { x, y });
    if (next >= 0) {
      this.focus(next);
    }
  }

  /** The point of a node for the arrow keys: its middle, or the line with the name of an open one. */
  private spotOf(index: number): Spot {
    const [x, y] = this.places.nodes[index] ?? [0, 0];
    return { x, y: this.graph.nodes[index]?.isOpen === true ? this.headAt(index).y : y };
  }

  private focus(index: number): void {
    this.layers.nodes[this.focused]?.element.classList.remove("focused");
    this.layers.edges[this.focusedEdge]?.element.classList.remove("focused");
    this.focusedEdge = -1;
    this.focused = index;
    this.showFocus();
    if (this.layers.nodes[index] !== undefined) {
      this.bring(index);
    }
  }

  /** Shows, also to screen readers, which part has the keyboard focus. Another graph may not have that part. */
  private showFocus(): void {
    const node = this.layers.nodes[this.focused]?.element;
    const edge = this.layers.edges[this.focusedEdge]?.element;
    node?.classList.add("focused");
    edge?.classList.add("focused");
    const part = edge ?? node;
    if (part === undefined) {
      this.viewport.surface.removeAttribute("aria-activedescendant");
    } else {
      this.viewport.surface.setAttribute("aria-activedescendant", part.id);
    }
  }

  private redraw(): void {
    this.layers.renew(this.graph, this.places, this.sizes, this.detail);
    this.showFocus();
    const isLarge = this.graph.nodes.length >= LARGE_MIN;
    this.search.element.hidden = !isLarge;
    this.minimap.element.classList.toggle("hidden", !isLarge);
    this.minimap.draw(this.places, isLarge ? this.layers.closedBoxes() : []);
    this.search.offer(this.graph.nodes.map((node) => node.label));
    this.showCurrent();
    this.showTrail();
    this.viewport.lay([...this.layers.edges, ...this.layers.nodes]);
    this.minimap.look(this.viewport.seen());
    this.edits?.redrawn();
  }
}
