/**
 * The look and size of nodes and edges.
 *
 * Input: a node or an edge, its place, how much of it is shown. Output: sizes, SVG elements. Invariant: sizes are
 * rounded, so that a small edit of a text moves nothing.
 */

import type { Point, Route, Size } from "../shared/protocol.ts";
import { shortened, svg } from "./elements.ts";
import { cutInside, edgeLabel } from "./labels.ts";
import { markClasses, markText } from "./marks.ts";
import type { BoardEdge, BoardNode, Chip } from "./tools.ts";
import type { Box, Spot } from "./viewport.ts";
import { workIcon, workOf } from "./works.ts";

/** How much of a node is shown: its name, or also its kind, state keys and tools. */
export type Detail = "names" | "full";

/** The font size of all texts at the scale 1. */
export const FONT_PX = 12;
const LABEL_MAX = 30;
const CONDITION_MAX: Record<Detail, number> = { names: 24, full: 36 };
const KEYS_MAX = 34;
const LINE = 16;
/** Widths are rounded up to a multiple of this, so that a keystroke moves nothing. */
const WIDTH_STEP = 24;
const CHARACTER = 7;
/** The place of a node's texts. The icon is to the left of them. */
const TEXT_LEFT = 30;
/** No part of a label is farther than this from the label's centre. */
const LABEL_ROOM = 160;
/** The button of a node that runs a graph, and the room around an open graph. */
const TOGGLE = { size: 16, room: 24 };
const OPEN = { head: 34, margin: 14 };
const CHIP = { height: 17, gap: 4, line: 21, padding: 6, longest: 22, row: 250 };

export function sizeOf(node: BoardNode, detail: Detail): Size {
  if (isMark(node)) {
    return { width: room(shortened(node.label, LABEL_MAX)) + 8, height: 24 };
  }
  const lines = linesOf(node, detail);
  const chips = chipPlaces(node, detail);
  const widest = Math.max(room(shortened(node.label, LABEL_MAX)) + toggleRoom(node), ...lines.map((line) => room(line.text)));
  const right = Math.max(0, ...chips.map((chip) => chip.x + chip.width));
  const rows = chips.length === 0 ? 0 : Math.max(...chips.map((chip) => chip.row)) + 1;
  return { width: Math.max(widest + TEXT_LEFT + 20, right + 8), height: 28 + LINE * lines.length + CHIP.line * rows };
}

/** What edges refer to: their arrowhead. */
export function markers(): SVGElement {
  const size = { viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 11, markerHeight: 11, markerUnits: "userSpaceOnUse" };
  const marker = svg("marker", { id: "arrow", ...size, orient: "auto" });
  marker.append(svg("path", { class: "arrow", d: "M0 0 8 4 0 8z" }));
  return svg("defs", {}, marker);
}

/** The size of a node with its open graph, and the place of the graph in it. */
export function sizeOfOpen(node: BoardNode, inner: Size): { size: Size; left: number; top: number } {
  const head = room(shortened(node.label, LABEL_MAX)) + TEXT_LEFT + toggleRoom(node) + 20;
  const size = { width: Math.max(inner.width + 2 * OPEN.margin, head), height: inner.height + OPEN.head + OPEN.margin };
  return { size, left: (size.width - inner.width) / 2, top: OPEN.head };
}

/** The point of a node that stays in place when its graph opens: it is in the line of its name. */
export function headOf([x, y]: Point, { width, height }: Size): { x: number; y: number } {
  return { x: x - width / 2, y: y - height / 2 };
}

function toggleRoom(node: BoardNode): number {
  return node.graph == null ? 0 : TOGGLE.room;
}

/** The size of an edge's label. Undefined if it has none. */
export function labelSize(edge: Pick<BoardEdge, "kind" | "condition" | "label">, detail: Detail = "full"): Size | undefined {
  const text = cutInside(edgeLabel(edge), CONDITION_MAX[detail]);
  return text === "" ? undefined : { width: room(text) + 8, height: 18 };
}

export function boxOf([x, y]: Point, { width, height }: Size): Box {
  return { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 };
}

/** The two ends of a route. Undefined if it has none. */
export function endsOfRoute(route: Route | undefined): Record<"from" | "to", Spot> | undefined {
  const numbers = (route?.way.match(/-?[\d.]+/g) ?? []).map(Number);
  const [fromX, fromY, toX, toY] = [numbers[0], numbers[1], numbers.at(-2), numbers.at(-1)];
  return fromX === undefined || fromY === undefined || toX === undefined || toY === undefined ? undefined : { from: { x: fromX, y: fromY }, to: { x: toX, y: toY } };
}

/** The box around a path and its label. Curves stay within their control points. */
export function boxOfRoute({ way, label }: Route): Box {
  const numbers = (way.match(/-?[\d.]+/g) ?? []).map(Number);
  const across = numbers.filter((_, index) => index % 2 === 0);
  const down = numbers.filter((_, index) => index % 2 === 1);
  const [x, y] = label ?? [across[0] ?? 0, down[0] ?? 0];
  const around = label === null ? 0 : LABEL_ROOM;
  return {
    left: Math.min(...across, x - around),
    top: Math.min(...down, y - around),
    right: Math.max(...across, x + around),
    bottom: Math.max(...down, y + around),
  };
}

export function nodeElement(node: BoardNode, index: number, size: Size, middle: Point, detail: Detail): SVGGElement {
  const { left, top } = boxOf(middle, size);
  const work = workOf(node);
  const group = svg("g", { id: `node-${index}`, class: `node ${node.role}${work === undefined ? "" : ` work-${work}`}`, role: "button" });
  const description = described(node);
  group.dataset["node"] = node.id;
  group.dataset["index"] = String(index);
  group.setAttribute("transform", `translate(${left} ${top})`);
  group.setAttribute("aria-label", accessibleName(node, detail));
  const parts = work === undefined ? markParts(node, size) : nodeParts(node, work, size, detail);
  // The spaces separate the texts for those who do not see the places.
  group.append(svg("title", {}, description), ...tagElements(markText(node), [2, -5]), ...parts.flatMap((part) => [part, " "]));
  group.classList.add(...markClasses(node));
  group.classList.toggle("unreachable", node.unreachable === true);
  if (node.graph != null) {
    group.classList.toggle("expanded", node.isOpen);
    group.setAttribute("aria-expanded", String(node.isOpen));
    group.append(toggleElement(node.isOpen, size));
  }
  if (node.problems > 0) {
    group.classList.add((node.errors ?? node.problems) > 0 ? "wrong" : "doubtful");
    group.append(
      svg("circle", { class: "badge", cx: size.width, cy: 0, r: 9 }),
      svg("text", { class: "badge-count", x: size.width, y: 4, "text-anchor": "middle" }, badgeOf(node)),
    );
  }
  return group;
}

/** Shows how often a run visited a node. Undefined if no run is shown. */
export function showVisits(element: SVGElement, node: BoardNode, detail: Detail, visits: number | undefined): void {
  const shown = visits === undefined ? "" : String(visits);
  if ((element.dataset["visits"] ?? "") === shown) {
    return;
  }
  element.dataset["visits"] = shown;
  element.setAttribute("aria-label", accessibleName(node, detail, visits));
  const count = element.querySelector(".visits");
  if (count !== null) {
    count.textContent = timesOf(visits ?? 0);
  }
}

/** How often a node was visited, as a short text for the drawing. */
function timesOf(visits: number): string {
  return visits > 1 ? `×${visits}` : "";
}

/** How often a node was visited, as words for screen readers. */
function visitedOf(visits: number): string {
  return visits === 0 ? "not visited" : visits === 1 ? "visited once" : `visited ${visits} times`;
}

export function edgeElement(edge: BoardEdge, index: number, { way, label }: Route, detail: Detail): SVGGElement {
  const group = svg("g", { id: `edge-${index}`, class: `edge ${edge.kind}` });
  group.dataset["index"] = String(index);
  const ends = `${edge.from} → ${edge.to}`;
  const [text, size] = [edgeLabel(edge), labelSize(edge, detail)];
  const why = [text, ...(edge.condition === null || edge.condition === text ? [] : [edge.condition])].filter((line) => line !== "");
  const tag = markText(edge);
  const marks = tag === "" ? [] : [tag];
  group.classList.add(...markClasses(edge));
  group.append(svg("title", {}, [ends, ...why, ...marks].join("\n")), svg("path", { class: "reach", d: way }), svg("path", { class: "way", d: way }));
  if (size !== undefined && label !== null) {
    const [x, y] = label;
    const kind = edge.condition === null ? "condition word" : "condition";
    group.append(
      svg("rect", { class: "plate", x: x - size.width / 2, y: y - size.height / 2, ...size, rx: 3 }),
      svg("text", { class: kind, x, y: y + 4, "text-anchor": "middle" }, cutInside(text, CONDITION_MAX[detail])),
    );
  }
  group.append(...tagElements(tag, label === null ? middleOf(way) : [label[0], label[1] - 14]));
  return group;
}

/** The words of marks, above a place. */
function tagElements(text: string, [x, y]: Point): SVGElement[] {
  if (text === "") {
    return [];
  }
  const width = [...text].length * CHARACTER + 6;
  return [svg("rect", { class: "tag-plate", x: x - 3, y: y - 11, width, height: 14, rx: 3 }), svg("text", { class: "tag", x, y }, text)];
}

/** A point near the middle of an edge: the end of the curve before the middle one. */
function middleOf(way: string): Point {
  const numbers = (way.match(/-?[\d.]+/g) ?? []).map(Number);
  const [x = 0, y = 0, right = 0, down = 0] = [numbers[0], numbers[1], numbers.at(-2), numbers.at(-1)];
  return [(x + right) / 2 + 4, (y + down) / 2];
}

function toggleElement(isOpen: boolean, { width }: Size): SVGElement {
  const name = isOpen ? "Collapse the subgraph (o)" : "Open the subgraph (o)";
  return svg(
    "g",
    { class: "toggle", transform: `translate(${width - TOGGLE.room} 6)` },
    svg("title", {}, name),
    svg("rect", { width: TOGGLE.size, height: TOGGLE.size, rx: 3 }),
    svg("path", { d: isOpen ? "M4 8h8" : "M4 8h8M8 4v8" }),
  );
}

function isMark(node: BoardNode): boolean {
  return workOf(node) === undefined;
}

function markParts(node: BoardNode, { width, height }: Size): SVGElement[] {
  return [
    svg("rect", { class: "box", width, height, rx: height / 2 }),
    svg("text", { class: "label", x: width / 2, y: height / 2 + 4, "text-anchor": "middle" }, shortened(node.label, LABEL_MAX)),
  ];
}

function nodeParts(node: BoardNode, work: string, { width, height }: Size, detail: Detail): SVGElement[] {
  const lines = node.isOpen ? [] : linesOf(node, detail);
  const chips = node.isOpen ? [] : chipPlaces(node, detail);
  return [
    svg("rect", { class: "box", width, height, rx: 4 }),
    svg("rect", { class: "bar", width: 4, height, rx: 2 }),
    svg("g", { transform: "translate(10 6)" }, workIcon(work)),
    svg("text", { class: "label", x: TEXT_LEFT, y: 18 }, shortened(node.label, LABEL_MAX)),
    svg("text", { class: "visits", x: width - 6 - toggleRoom(node), y: 18, "text-anchor": "end" }),
    ...lines.map((line, at) => svg("text", { class: `detail ${line.of}`, x: TEXT_LEFT, y: 18 + LINE * (at + 1) }, line.text)),
    ...chips.map((place) => chipElement(place, 26 + LINE * lines.length)),
  ];
}

interface ChipPlace {
  /** Null for the number of tools. */
  chip: Chip | null;
  text: string;
  x: number;
  row: number;
  width: number;
}

/** The chips of a node, in rows. Where only names are shown, one chip has their number. */
function chipPlaces(node: BoardNode, detail: Detail): ChipPlace[] {
  if (node.chips.length === 0) {
    return [];
  }
  const count = node.chips.length === 1 ? "1 tool" : `${node.chips.length} tools`;
  const texts = detail === "names" ? [{ chip: null, text: count }] : node.chips.map((chip) => ({ chip, text: [cutInside(chip.label, CHIP.longest), markText(chip)].filter((part) => part !== "").join(" · ") }));
  let [x, row] = [10, 0];
  return texts.map(({ chip, text }) => {
    const width = [...text].length * CHARACTER + 2 * CHIP.padding;
    if (x > 10 && x + width > CHIP.row) {
      [x, row] = [10, row + 1];
    }
    const place = { chip, text, x, row, width };
    x += width + CHIP.gap;
    return place;
  });
}

function chipElement({ chip, text, x, row, width }: ChipPlace, top: number): SVGElement {
  const group = svg("g", { class: "chip", transform: `translate(${x} ${top + CHIP.line * row})` });
  if (chip !== null) {
    group.dataset["at"] = String(chip.at);
    group.dataset["tool"] = chip.id;
    group.classList.add(...markClasses(chip));
    group.append(svg("title", {}, `${chip.label}\ntool`));
  }
  group.append(
    svg("rect", { width, height: CHIP.height, rx: CHIP.height / 2 }),
    svg("text", { x: width / 2, y: 13, "text-anchor": "middle" }, text),
  );
  return group;
}

function room(text: string): number {
  return Math.ceil(([...text].length * CHARACTER) / WIDTH_STEP) * WIDTH_STEP;
}

function linesOf(node: BoardNode, detail: Detail): { of: string; text: string }[] {
  if (detail === "names") {
    return [];
  }
  const kind = node.role === "unknown" ? "not declared" : node.kind;
  return [{ of: "kind", text: node.runs == null ? kind : `${kind} → ${node.runs}` }, ...keysOf(node)].map((line) => ({ ...line, text: shortened(line.text, KEYS_MAX) }));
}

function keysOf(node: BoardNode): { of: string; text: string }[] {
  const keys = (word: string, names: string[]) => (names.length === 0 ? [] : [{ of: word, text: `${word} ${names.join(", ")}` }]);
  return [...keys("reads", node.reads), ...keys("writes", node.writes)];
}

/** The name for screen readers: the visible texts in their order, then the others. */
function accessibleName(node: BoardNode, detail: Detail, visits?: number): string {
  const isPlain = isMark(node) || node.isOpen;
  const texts = isPlain ? [] : [...linesOf(node, detail).map(({ text }) => text), ...chipPlaces(node, detail).map(({ text }) => text)];
  const times = isMark(node) ? "" : timesOf(visits ?? 0);
  const visible = [shortened(node.label, LABEL_MAX), ...(times === "" ? [] : [times]), ...texts, ...(node.problems > 0 ? [badgeOf(node)] : [])];
  const [problems, ...rest] = described(node).split("\n").filter((line) => !visible.includes(line)).sort((one, other) => Number(isProblems(other)) - Number(isProblems(one)));
  const begun = problems !== undefined && isProblems(problems) && problems.startsWith(badgeOf(node)) ? problems.slice(badgeOf(node).length).trim() : problems;
  const visited = visits === undefined || isMark(node) ? [] : [visitedOf(visits)];
  const tag = markText(node);
  return [...(tag === "" ? [] : [tag]), ...visible, ...(begun === undefined ? [] : [begun]), ...rest, ...visited].join(" ");
}

function badgeOf({ problems }: BoardNode): string {
  return problems > 9 ? "9+" : String(problems);
}

function isProblems(line: string): boolean {
  return /^\d+ problems?$/.test(line);
}

function described(node: BoardNode): string {
  const parts = [node.label, ...(node.kind === "" ? [] : [node.kind]), ...keysOf(node).map((line) => line.text)];
  if (node.chips.length > 0) {
    parts.push(`tools ${node.chips.map((chip) => chip.label).join(", ")}`);
  }
  if (node.problems > 0) {
    parts.push(node.problems === 1 ? "1 problem" : `${node.problems} problems`);
  }
  if (node.unreachable === true) {
    parts.push("unreachable");
  }
  return parts.join("\n");
}
