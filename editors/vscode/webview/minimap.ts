/**
 * A small picture of the whole drawing, with the visible part marked.
 *
 * Input: the boxes of the nodes, the visible part. Output: SVG, and the points that the user chose. Invariant: it has
 * one element for all nodes, so that it costs the same for a thousand.
 */

import type { Size } from "../shared/protocol.ts";
import { svg } from "./elements.ts";
import type { Box, Spot } from "./viewport.ts";

const ROOM: Size = { width: 180, height: 120 };
/** The smallest size of a node in the picture, in pixels. */
const NODE_MIN = 1.5;

export class Minimap {
  readonly element = svg("svg", { class: "minimap", "aria-hidden": "true" });
  private readonly nodes = svg("path", { class: "places" });
  private readonly visited = svg("path", { class: "places visited" });
  private readonly now = svg("path", { class: "places now" });
  private readonly frame = svg("rect", { class: "frame" });
  private scale = 1;

  constructor(chosen: (at: Spot) => void) {
    this.element.append(this.nodes, this.visited, this.now, this.frame);
    const choose = (event: PointerEvent) => {
      if (event.buttons === 1) {
        const { left, top } = this.element.getBoundingClientRect();
        chosen({ x: (event.clientX - left) / this.scale, y: (event.clientY - top) / this.scale });
      }
    };
    this.element.addEventListener("pointerdown", choose);
    this.element.addEventListener("pointermove", choose);
  }

  draw(size: Size, boxes: Box[]): void {
    this.scale = Math.min(ROOM.width / Math.max(size.width, 1), ROOM.height / Math.max(size.height, 1));
    this.element.setAttribute("width", String(Math.ceil(size.width * this.scale)));
    this.element.setAttribute("height", String(Math.ceil(size.height * this.scale)));
    this.nodes.setAttribute("d", this.path(boxes));
  }

  /** Marks the nodes of a run. */
  paint(visited: Box[], now: Box[]): void {
    this.visited.setAttribute("d", this.path(visited));
    this.now.setAttribute("d", this.path(now));
  }

  look(seen: Box): void {
    const [width, height] = [(seen.right - seen.left) * this.scale, (seen.bottom - seen.top) * this.scale];
    for (const [key, value] of Object.entries({ x: seen.left * this.scale, y: seen.top * this.scale, width, height })) {
      this.frame.setAttribute(key, value.toFixed(1));
    }
  }

  private path(boxes: Box[]): string {
    const scaled = (length: number) => (length * this.scale).toFixed(1);
    const side = (length: number) => Math.max(length * this.scale, NODE_MIN).toFixed(1);
    return boxes.map(({ left, top, right, bottom }) => `M${scaled(left)} ${scaled(top)}h${side(right - left)}v${side(bottom - top)}h-${side(right - left)}z`).join("");
  }
}
