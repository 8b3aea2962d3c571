/**
 * The arrow keys between nodes.
 *
 * Input: the points of all nodes, the one with the focus, a direction. Output: the next node. Invariant: it is ahead of the
 * node with the focus.
 */

import type { Spot } from "./viewport.ts";

/** The index of the nearest point in a direction, or -1. Distance to the side counts more. */
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
