/**
 * The keys of a drawing, and the arrow keys between nodes.
 *
 * Input: a key; the points of all nodes, the one with the focus, a direction. Output: what the key is for; the next node.
 * Invariant: the next node is ahead of the node with the focus.
 */

import { type Spot, ZOOM_STEP } from "./viewport.ts";

/** What a key is for. */
export type Act =
  | { is: "pan" | "walk"; x: number; y: number }
  | { is: "zoom"; factor: number }
  | { is: "first" | "last" | "choose" | "toggle" | "find" | "fit" };

const PAN_STEP = 60;
const ARROWS: Record<string, [x: number, y: number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ACTS: Record<string, Act> = {
  Home: { is: "first" },
  End: { is: "last" },
  Enter: { is: "choose" },
  " ": { is: "choose" },
  o: { is: "toggle" },
  "/": { is: "find" },
  "+": { is: "zoom", factor: ZOOM_STEP },
  "=": { is: "zoom", factor: ZOOM_STEP },
  "-": { is: "zoom", factor: 1 / ZOOM_STEP },
  0: { is: "fit" },
};

/** What a key is for in a drawing. Undefined if nothing. With Shift, the arrow keys move the drawing. */
export function actOf({ key, shiftKey }: { key: string; shiftKey: boolean }): Act | undefined {
  const arrow = ARROWS[key];
  if (arrow === undefined) {
    return ACTS[key];
  }
  const [x, y] = arrow;
  return shiftKey ? { is: "pan", x: -x * PAN_STEP, y: -y * PAN_STEP } : { is: "walk", x, y };
}

/** The index of the nearest point in a direction, or -1 if there is none. Distance to the side counts double. */
export function nearest(points: Spot[], from: number, { x, y }: Spot): number {
  const here = points[from] ?? { x: 0, y: 0 };
  let best = { index: -1, distance: Infinity };
  points.forEach((there, index) => {
    const [dx, dy] = [there.x - here.x, there.y - here.y];
    const ahead = dx * x + dy * y;
    const distance = ahead + 2 * Math.abs(dx * y + dy * x);
    if (ahead > 1 && distance < best.distance) {
      best = { index, distance };
    }
  });
  return best.index;
}
