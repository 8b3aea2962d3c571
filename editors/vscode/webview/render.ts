/**
 * The look and size of nodes and edges.
 *
 * Input: a node or an edge, its place. Output: sizes, SVG elements. Invariant: sizes are rounded, so that a small edit
 * of a text moves nothing.
 */

import type { DrawnEdge, DrawnNode } from "../shared/messages.ts";
import type { Point, Route, Size } from "../shared/protocol.ts";
import { shortened, svg } from "./elements.ts";
import type { Box } from "./viewport.ts";

const LABEL_MAX = 30;
const CONDITION_MAX = 30;
const KEYS_MAX = 34;
const LINE = 15;
/** Widths are rounded up to a multiple of this, so that a keystroke moves nothing. */
const WIDTH_STEP = 24;
const CHARACTER = 7;
/** The maximum distance of a label's edge from its centre. */
const LABEL_ROOM = 140;
const COLOURS = 6;

export function sizeOf(node: DrawnNode): Size {
  if (isMark(node)) {
    return { width: room(shortened(node.label, LABEL_MAX)) + 8, height: 24 };
  }
  const lines = linesOf(node);
  const widest = Math.max(...[shortened(node.label, LABEL_MAX), ...lines.map((line) => line.text)].map(room));
  return { width: widest + 32, height: 26 + LINE * lines.length };
}

export function labelSize(condition: string): Size {
  return { width: room(shortened(condition, CONDITION_MAX)) + 8, height: 18 };
}

export function boxOf([x, y]: Point, { width, height }: Size): Box {
  return { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 };
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

export function nodeElement(node: DrawnNode, index: number, size: Size, middle: Point): SVGGElement {
  const { left, top } = boxOf(middle, size);
  const group = svg("g", { id: `node-${index}`, class: `node ${node.role}`, role: "button" });
  const description = described(node);
  group.dataset["node"] = node.id;
  group.dataset["index"] = String(index);
  group.setAttribute("transform", `translate(${left} ${top})`);
  group.setAttribute("aria-label", description);
  group.append(svg("title", {}, description), ...(isMark(node) ? markParts(node, size) : nodeParts(node, size)));
  group.classList.toggle("unreachable", node.unreachable === true);
  if (node.problems > 0) {
    group.classList.add((node.errors ?? node.problems) > 0 ? "wrong" : "doubtful");
    group.append(
      svg("circle", { class: "badge", cx: size.width, cy: 0, r: 8 }),
      svg("text", { class: "badge-count", x: size.width, y: 4, "text-anchor": "middle" }, node.problems > 9 ? "9+" : String(node.problems)),
    );
  }
  return group;
}

export function edgeElement(edge: DrawnEdge, index: number, { way, label }: Route): SVGGElement {
  const group = svg("g", { class: `edge ${edge.kind}` });
  group.dataset["index"] = String(index);
  const ends = `${edge.from} → ${edge.to}`;
  group.append(
    svg("title", {}, edge.condition === null ? ends : `${ends}\n${edge.condition}`),
    svg("path", { class: "reach", d: way }),
    svg("path", { class: "way", d: way }),
  );
  if (edge.condition !== null && label !== null) {
    const size = labelSize(edge.condition);
    const [x, y] = label;
    group.append(
      svg("rect", { class: "plate", x: x - size.width / 2, y: y - size.height / 2, ...size, rx: 3 }),
      svg("text", { class: "condition", x, y: y + 4, "text-anchor": "middle" }, shortened(edge.condition, CONDITION_MAX)),
    );
  }
  return group;
}

function isMark(node: DrawnNode): boolean {
  return node.role === "start" || node.role === "end";
}

function markParts(node: DrawnNode, { width, height }: Size): SVGElement[] {
  return [
    svg("rect", { class: "box", width, height, rx: height / 2 }),
    svg("text", { class: "label", x: width / 2, y: height / 2 + 4, "text-anchor": "middle" }, shortened(node.label, LABEL_MAX)),
  ];
}

function nodeParts(node: DrawnNode, { width, height }: Size): SVGElement[] {
  return [
    svg("rect", { class: "box", width, height, rx: 4 }),
    svg("rect", { class: `bar colour-${colour(node.kind)}`, width: 4, height, rx: 2 }),
    svg("text", { class: "label", x: 12, y: 17 }, shortened(node.label, LABEL_MAX)),
    svg("text", { class: "visits", x: width - 6, y: 17, "text-anchor": "end" }),
    ...linesOf(node).map((line, at) => svg("text", { class: `detail ${line.of}`, x: 12, y: 17 + LINE * (at + 1) }, line.text)),
  ];
}

function room(text: string): number {
  return Math.ceil(([...text].length * CHARACTER) / WIDTH_STEP) * WIDTH_STEP;
}

function linesOf(node: DrawnNode): { of: string; text: string }[] {
  const kind = node.role === "unknown" ? "not declared" : node.kind;
  return [{ of: "kind", text: kind }, ...keysOf(node)].map((line) => ({ ...line, text: shortened(line.text, KEYS_MAX) }));
}

function keysOf(node: DrawnNode): { of: string; text: string }[] {
  const keys = (word: string, names: string[]) => (names.length === 0 ? [] : [{ of: word, text: `${word} ${names.join(", ")}` }]);
  return [...keys("reads", node.reads), ...keys("writes", node.writes)];
}

function described(node: DrawnNode): string {
  const parts = [node.label, ...(node.kind === "" ? [] : [node.kind]), ...keysOf(node).map((line) => line.text)];
  if (node.problems > 0) {
    parts.push(node.problems === 1 ? "1 problem" : `${node.problems} problems`);
  }
  if (node.unreachable === true) {
    parts.push("unreachable");
  }
  return parts.join("\n");
}

/** Equal kinds have the same colour in every graph. */
function colour(kind: string): number {
  let sum = 7;
  for (const character of kind) {
    sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  }
  return sum % COLOURS;
}
