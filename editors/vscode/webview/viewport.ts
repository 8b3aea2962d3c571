/**
 * A surface that the user can pan and zoom in a window.
 *
 * Input: the items and their places, pointer and wheel events. Output: the visible part. Invariant: items far outside
 * of the window, and text too small to read, are not drawn, because a browser repeats the layout of every text when the
 * scale changes.
 */

import type { Size } from "../shared/protocol.ts";
import { html, svg } from "./elements.ts";
import { FONT_PX } from "./render.ts";

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Lying {
  element: SVGElement;
  /** The element that contains it. */
  layer: SVGElement;
  box: Box;
}

export interface Spot {
  x: number;
  y: number;
}

export const ZOOM_STEP = 1.25;
const ZOOM_MIN = 0.05;
const ZOOM_MAX = 3;
const WHEEL_STEP = 0.0015;
/** The smallest scale at which texts are drawn: they are then 10 pixels high. */
export const READABLE_MIN = 10 / FONT_PX;
/** After this time without a change, the surface is painted sharply. */
const REST_MS = 120;
/** The part of the window's size that is also drawn around the window. */
const AROUND = 0.6;
/** The margin around items that are fitted or brought into view. */
const MARGIN = 10;
/** A press that moves less than this distance is a click. */
const CLICK_MAX = 4;

export class Viewport {
  readonly surface = html("div", { class: "surface", tabindex: 0, role: "application" });
  readonly drawing = svg("svg");
  /** The element that moves. Moving the drawing itself would repeat the layout of all its texts. */
  private readonly moving = html("div", { class: "board" });
  private size: Size = { width: 0, height: 0 };
  /** The size of the window. Reading it from the page would force the layout of all texts. */
  private window: Size = { width: 0, height: 0 };
  private lying: Lying[] = [];
  private view = { x: 0, y: 0, zoom: 1 };
  /** The part of the surface that is drawn, and its scale. */
  private drawn: Box & { zoom: number } = { left: 0, top: 0, right: 0, bottom: 0, zoom: 0 };
  /** What decides the view: `beginning` at a readable scale, the `whole` drawing, or the user, who has `moved` it. */
  private mode: "beginning" | "whole" | "moved" = "beginning";
  /** What the beginning shows if not everything fits. */
  private anchor: Box | undefined;
  /** What was brought into view last. */
  private brought: Box | undefined;
  private readonly looked: () => void;
  private rest: ReturnType<typeof setTimeout> | undefined;
  private resizing: ReturnType<typeof setTimeout> | undefined;

  /**
   * `resized` is called after the size of the window changed, if the user has not moved the drawing. `looked` is called
   * when another part is visible.
   */
  constructor(host: HTMLElement, name: string, resized: () => void, looked: () => void) {
    this.looked = looked;
    this.surface.setAttribute("aria-label", name);
    this.moving.append(this.drawing);
    this.surface.append(this.moving);
    host.append(this.surface);
    this.listen();
    new ResizeObserver(([surface]) => {
      this.window = surface?.contentRect ?? this.window;
      this.drawn.zoom = 0;
      if (this.mode === "moved") {
        this.cull();
        this.looked();
      } else if (this.lying.length > 0) {
        this.mode === "whole" ? this.fit() : this.beginAgain();
        clearTimeout(this.resizing);
        this.resizing = setTimeout(resized, REST_MS);
      }
    }).observe(this.surface);
  }

  resize(size: Size): void {
    this.size = size;
    this.drawing.setAttribute("width", String(size.width));
    this.drawing.setAttribute("height", String(size.height));
  }

  /** Replaces the items. */
  lay(lying: Lying[]): void {
    const elements = new Set(lying.map(({ element }) => element));
    this.lying.filter(({ element }) => !elements.has(element)).forEach(({ element }) => element.remove());
    this.lying = lying;
    this.drawn.zoom = 0;
    this.cull();
  }

  room(): Size {
    const { width, height } = this.window.width === 0 ? this.surface.getBoundingClientRect() : this.window;
    return { width, height };
  }

  /** The scale at which a drawing fits into the window. It is never above 1. */
  scaleFor(size: Size): number {
    const { width, height } = this.room();
    return Math.min((width - 2 * MARGIN) / Math.max(size.width, 1), (height - 2 * MARGIN) / Math.max(size.height, 1), 1);
  }

  /** Shows everything, until the user moves the surface. */
  fit(): void {
    this.mode = "whole";
    this.place(this.scaleFor(this.size), undefined);
  }

  /** Shows as much as can be read, around an item, until the user moves the surface. */
  begin(anchor: Box | undefined): void {
    this.mode = "beginning";
    this.anchor = anchor;
    this.brought = undefined;
    this.place(Math.max(this.scaleFor(this.size), READABLE_MIN), anchor);
  }

  /** Begins again after a resize, and shows again what was brought into view last. */
  private beginAgain(): void {
    const { brought } = this;
    this.begin(this.anchor);
    if (brought !== undefined) {
      this.bring(brought);
    }
  }

  private place(zoom: number, anchor: Box | undefined): void {
    const { width, height } = this.room();
    if (width === 0 || this.size.width === 0) {
      return;
    }
    const along = (window: number, drawing: number, from: number, to: number) => {
      const free = window - drawing * zoom;
      const centred = window / 2 - ((from + to) / 2) * zoom;
      return free >= 2 * MARGIN ? free / 2 : Math.min(Math.max(centred, free - MARGIN), MARGIN);
    };
    const { left, right, top, bottom } = anchor ?? { left: 0, right: this.size.width, top: 0, bottom: this.size.height };
    this.look({ zoom, x: along(width, this.size.width, left, right), y: along(height, this.size.height, top, bottom) });
  }

  /** The visible part of the drawing. */
  seen(): Box {
    const { width, height } = this.room();
    const { x, y, zoom } = this.view;
    return { left: -x / zoom, top: -y / zoom, right: (width - x) / zoom, bottom: (height - y) / zoom };
  }

  /** Moves a point of the drawing to the centre of the window. */
  centre(at: Spot): void {
    const { width, height } = this.room();
    this.mode = "moved";
    this.look({ ...this.view, x: width / 2 - at.x * this.view.zoom, y: height / 2 - at.y * this.view.zoom });
  }

  zoom(factor: number, around?: Spot): void {
    const { width, height } = this.room();
    const at = around ?? { x: width / 2, y: height / 2 };
    const zoom = Math.min(Math.max(this.view.zoom * factor, ZOOM_MIN), ZOOM_MAX);
    const ratio = zoom / this.view.zoom;
    this.mode = "moved";
    this.look({ zoom, x: at.x - (at.x - this.view.x) * ratio, y: at.y - (at.y - this.view.y) * ratio });
  }

  /** The point of the drawing at a point of the window. */
  pointAt({ x, y }: Spot): Spot {
    return { x: (x - this.view.x) / this.view.zoom, y: (y - this.view.y) / this.view.zoom };
  }

  /** The centre of an item in the window. */
  spotOf(box: Box): Spot {
    const { x, y, zoom } = this.view;
    return { x: ((box.left + box.right) / 2) * zoom + x, y: ((box.top + box.bottom) / 2) * zoom + y };
  }

  pan(x: number, y: number): void {
    this.mode = "moved";
    this.look({ ...this.view, x: this.view.x + x, y: this.view.y + y });
  }

  /** Moves the view so that a point of the drawing that moved from `before` to `after` stays in place on the screen. */
  hold(before: Spot, after: Spot): void {
    const { x, y, zoom } = this.view;
    this.look({ zoom, x: x + (before.x - after.x) * zoom, y: y + (before.y - after.y) * zoom });
  }

  /** Moves the surface only as far as needed to show an item. */
  bring(box: Box): void {
    this.brought = box;
    const { width, height } = this.room();
    if (width === 0) {
      return;
    }
    const { x, y, zoom } = this.view;
    const right = shift(box.left * zoom + x, box.right * zoom + x, width);
    const down = shift(box.top * zoom + y, box.bottom * zoom + y, height);
    if (right !== 0 || down !== 0) {
      this.look({ zoom, x: x + right, y: y + down });
    }
  }

  /** Moves what is already painted. It is painted again when it stops moving. */
  private look(view: { x: number; y: number; zoom: number }): void {
    this.view = view;
    this.moving.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.zoom})`;
    this.moving.classList.add("moving");
    // A scale that was computed from a size may be lower by a rounding.
    this.moving.classList.toggle("far", view.zoom < READABLE_MIN - 1e-9);
    this.cull();
    this.looked();
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.moving.classList.remove("moving"), REST_MS);
  }

  /** Draws the items in or near the window, when the window reaches the edge of the drawn part. */
  private cull(): void {
    const { width, height } = this.room();
    const { zoom } = this.view;
    const seen = this.seen();
    const isInside = seen.left >= this.drawn.left && seen.top >= this.drawn.top && seen.right <= this.drawn.right && seen.bottom <= this.drawn.bottom;
    // At a high scale, the part that was drawn for a low scale would be too large.
    if (width === 0 || (isInside && zoom < 2 * this.drawn.zoom)) {
      return;
    }
    const [across, down] = [(AROUND * width) / zoom, (AROUND * height) / zoom];
    this.drawn = { left: seen.left - across, top: seen.top - down, right: seen.right + across, bottom: seen.bottom + down, zoom };
    for (const { element, layer, box } of this.lying) {
      const isDrawn = box.left <= this.drawn.right && box.right >= this.drawn.left && box.top <= this.drawn.bottom && box.bottom >= this.drawn.top;
      if (isDrawn && !element.isConnected) {
        layer.append(element);
      } else if (!isDrawn) {
        element.remove();
      }
    }
  }

  private listen(): void {
    let pressed: Spot | null = null;
    let isDragged = false;
    this.surface.addEventListener("pointerdown", (event) => {
      pressed = { x: event.clientX, y: event.clientY };
      isDragged = false;
    });
    this.surface.addEventListener("pointermove", (event) => {
      if (pressed === null || event.buttons !== 1) {
        return;
      }
      const [x, y] = [event.clientX - pressed.x, event.clientY - pressed.y];
      if (isDragged || Math.hypot(x, y) >= CLICK_MAX) {
        isDragged = true;
        this.surface.setPointerCapture(event.pointerId);
        this.pan(x, y);
        pressed = { x: event.clientX, y: event.clientY };
      }
    });
    this.surface.addEventListener("pointerup", () => (pressed = null));
    this.surface.addEventListener("wheel", (event) => this.turn(event), { passive: false });
  }

  private turn(event: WheelEvent): void {
    event.preventDefault();
    if (event.shiftKey && !event.ctrlKey && !event.metaKey) {
      this.pan(-event.deltaX - event.deltaY, 0);
    } else {
      const { left, top } = this.surface.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY * WHEEL_STEP), { x: event.clientX - left, y: event.clientY - top });
    }
  }
}

/** How far to move something that reaches from `from` to `to`, so that it is inside of a window of size `room`. */
function shift(from: number, to: number, room: number): number {
  if (from < MARGIN) {
    return MARGIN - from;
  }
  return to > room - MARGIN ? room - MARGIN - to : 0;
}
