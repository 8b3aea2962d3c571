/**
 * Editing on the board: ports and handles that are dragged, keys, and the part that a menu is about.
 *
 * Input: pointer and keyboard events on the drawing. Output: what the user wants to change. Invariant: nothing changes
 * here. The extension asks for names and conditions, and the server computes the edits of the text.
 */

import type { BoardAct, BoardPart } from "../shared/messages.ts";
import type { GraphEdit } from "../shared/protocol.ts";
import type { GraphCanvas } from "./canvas.ts";
import { html, svg } from "./elements.ts";
import type { Box, Spot } from "./viewport.ts";

export interface Wishes {
  /** Something that needs a name, a choice or a condition. */
  act(act: BoardAct, part: BoardPart): void;
  /** A change that needs nothing else. */
  edit(edit: GraphEdit): void;
  undo(isRedo: boolean): void;
}

/** What a drag or the keyboard moves: a new edge, or an end of one. */
type Moving = { from: string; start: Spot } | { edge: Extract<BoardPart, { is: "edge" }>; end: "from" | "to"; start: Spot };

const PORT_RADIUS = 6;
const HELP = "Choose a node with the arrow keys. Press Enter to connect, or Escape to cancel.";

export class Editing {
  private readonly layer = svg("g", { class: "ports" });
  private readonly line = svg("path", { class: "connection hidden" });
  private readonly port = svg("circle", { class: "port hidden", r: PORT_RADIUS });
  private readonly handles = { from: svg("circle", { class: "handle hidden", r: PORT_RADIUS }), to: svg("circle", { class: "handle hidden", r: PORT_RADIUS }) };
  private readonly status = html("p", { class: "status", role: "status", hidden: "" });
  private readonly canvas: GraphCanvas;
  private readonly wishes: Wishes;
  private moving: Moving | null = null;
  private isDragged = false;
  private portOf: string | null = null;

  constructor(canvas: GraphCanvas, wishes: Wishes) {
    this.canvas = canvas;
    this.wishes = wishes;
    this.port.append(svg("title", {}, "Drag to another node to connect"));
    this.layer.append(this.line, this.port, this.handles.from, this.handles.to);
    canvas.addLayer(this.layer);
    canvas.stage.append(this.status);
    canvas.edits = {
      key: (event) => this.press(event),
      focused: () => this.showTools(),
      redrawn: () => this.showTools(),
    };
    const { surface } = canvas;
    surface.addEventListener("pointerover", (event) => this.hover(event.target));
    surface.addEventListener("pointerdown", (event) => this.grab(event), { capture: true });
    surface.addEventListener("pointermove", (event) => this.drag(event), { capture: true });
    surface.addEventListener("pointerup", (event) => this.drop(event), { capture: true });
    surface.addEventListener("contextmenu", (event) => this.describe(event.target), { capture: true });
    surface.addEventListener("dblclick", (event) => {
      const part = canvas.partAt(event.target);
      if (part?.is === "edge" && isEditable(part)) {
        wishes.act("editCondition", part);
      }
    });
  }

  /** Begins to connect a node with the keyboard. */
  connectFrom(node: string): void {
    const box = this.canvas.boxOf(node);
    if (box !== undefined) {
      this.begin({ from: node, start: this.portSpot(box) });
      this.canvas.surface.focus();
    }
  }

  /** Tells the editor's menu which part it is about. */
  private describe(target: EventTarget | null): void {
    const part = this.canvas.partAt(target) ?? (target === this.canvas.surface ? this.canvas.focusedPart() : null);
    const about = part === null ? { webviewSection: "board" } : { webviewSection: sectionOf(part), part, canOpen: part.is === "node" && part.hasGraph === true, hasKeys: part.is === "node" && (part.keys ?? []).length > 0 };
    this.canvas.surface.dataset["vscodeContext"] = JSON.stringify({ ...about, preventDefaultContextMenuItems: true });
  }

  private press(event: KeyboardEvent): boolean {
    if (this.moving !== null) {
      return this.pressWhileMoving(event);
    }
    const part = this.canvas.focusedPart();
    if ((event.ctrlKey || event.metaKey) && ["z", "y"].includes(event.key.toLowerCase())) {
      this.wishes.undo(event.key.toLowerCase() === "y" || event.shiftKey);
      return true;
    }
    if (part === null || event.ctrlKey || event.metaKey || event.altKey) {
      return false;
    }
    switch (event.key) {
      case "c":
        if (part.is === "node" && isEditable(part)) {
          this.connectFrom(part.node);
        }
        return true;
      case "e":
        this.canvas.focusNextEdge();
        return true;
      case "Escape":
        return this.canvas.focusNode();
      default:
        return isEditable(part) && this.edit(event.key, part);
    }
  }

  /** Edits a part with a key. Returns whether the key does that. */
  private edit(key: string, part: BoardPart): boolean {
    switch (key) {
      case "Insert":
        this.wishes.act(part.is === "edge" ? "insertNode" : "addNode", part);
        return true;
      case "Delete":
      case "Backspace":
        this.wishes.act("delete", part);
        return true;
      case "F2":
        this.wishes.act(part.is === "edge" ? "editCondition" : "rename", part);
        return true;
      default:
        return false;
    }
  }

  private pressWhileMoving(event: KeyboardEvent): boolean {
    switch (event.key) {
      case "Escape":
        this.end();
        return true;
      case "Enter":
      case " ":
        this.finish(this.canvas.focusedPart());
        return true;
      default:
        // The arrow keys still move the focus.
        return !event.key.startsWith("Arrow") && !["Home", "End"].includes(event.key);
    }
  }

  private hover(target: EventTarget | null): void {
    const part = this.canvas.partAt(target);
    if (part?.is === "node" && this.moving === null) {
      this.showPort(isEditable(part) ? part.node : null);
    }
  }

  private showPort(node: string | null): void {
    const box = node === null ? undefined : this.canvas.boxOf(node);
    this.portOf = box === undefined ? null : node;
    this.port.classList.toggle("hidden", box === undefined);
    if (box !== undefined) {
      place(this.port, this.portSpot(box));
    }
  }

  /** The port of the focused node, and the handles of the focused edge. */
  private showTools(): void {
    const part = this.canvas.focusedPart();
    if (this.moving !== null) {
      this.aim(part?.is === "node" ? this.canvas.boxOf(part.node) : undefined);
      return;
    }
    this.showPort(part?.is === "node" && isEditable(part) ? part.node : null);
    const ends = part?.is === "edge" && isEditable(part) ? this.canvas.endsOf(part.index) : undefined;
    for (const end of ["from", "to"] as const) {
      this.handles[end].classList.toggle("hidden", ends === undefined);
      if (ends !== undefined) {
        place(this.handles[end], ends[end]);
      }
    }
  }

  private portSpot({ left, top, right, bottom }: Box): Spot {
    return this.canvas.direction === "right" ? { x: right, y: (top + bottom) / 2 } : { x: (left + right) / 2, y: bottom };
  }

  private grab(event: PointerEvent): void {
    const target = event.target;
    if (event.button !== 0) {
      return;
    }
    if (target === this.port && this.portOf !== null) {
      const box = this.canvas.boxOf(this.portOf);
      if (box !== undefined) {
        this.begin({ from: this.portOf, start: this.portSpot(box) });
      }
    } else {
      const end = target === this.handles.from ? "from" : target === this.handles.to ? "to" : null;
      const edge = this.canvas.focusedPart();
      const ends = edge?.is === "edge" && isEditable(edge) ? this.canvas.endsOf(edge.index) : undefined;
      if (end !== null && edge?.is === "edge" && ends !== undefined) {
        this.begin({ edge, end, start: end === "to" ? ends.from : ends.to });
      }
    }
    if (this.moving !== null) {
      this.isDragged = true;
      this.canvas.surface.setPointerCapture(event.pointerId);
      event.stopPropagation();
    }
  }

  private drag(event: PointerEvent): void {
    if (this.moving === null || !this.isDragged) {
      return;
    }
    event.stopPropagation();
    this.draw(this.canvas.spotAt(event));
    const over = this.canvas.partUnder(event);
    this.canvas.target(over?.is === "node" && isEditable(over) ? over.node : null);
  }

  private drop(event: PointerEvent): void {
    if (this.moving === null || !this.isDragged) {
      return;
    }
    event.stopPropagation();
    this.canvas.surface.releasePointerCapture(event.pointerId);
    this.finish(this.canvas.partUnder(event));
  }

  private begin(moving: Moving): void {
    this.moving = moving;
    this.isDragged = false;
    this.line.classList.remove("hidden");
    this.draw(moving.start);
    this.status.textContent = HELP;
    this.status.hidden = false;
  }

  private finish(part: BoardPart | null): void {
    const moving = this.moving;
    const node = part?.is === "node" && isEditable(part) ? part.node : null;
    this.end();
    if (moving === null || node === null) {
      return;
    }
    if ("from" in moving) {
      this.wishes.edit({ action: "connect", from: moving.from, to: node, condition: null });
    } else {
      const { index, from, to } = moving.edge;
      this.wishes.edit({ action: "reconnect", edge: { index, from, to }, end: moving.end, node });
    }
  }

  private end(): void {
    this.moving = null;
    this.isDragged = false;
    this.line.classList.add("hidden");
    this.status.hidden = true;
    this.canvas.target(null);
    this.showTools();
  }

  private aim(box: Box | undefined): void {
    if (box !== undefined) {
      this.draw({ x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 });
    }
  }

  private draw(to: Spot): void {
    const start = this.moving?.start ?? to;
    this.line.setAttribute("d", `M${start.x} ${start.y}L${to.x} ${to.y}`);
  }
}

/** Whether a part is of the shown graph. Graphs inside of nodes are edited where they are shown themselves. */
function isEditable({ inside }: BoardPart): boolean {
  return inside.length === 0;
}

/** What the menu of a part depends on. */
function sectionOf(part: BoardPart): string {
  return isEditable(part) ? (part.is === "node" ? part.role : part.is) : "inside";
}

function place(circle: SVGCircleElement, { x, y }: Spot): void {
  circle.setAttribute("cx", String(x));
  circle.setAttribute("cy", String(y));
}
