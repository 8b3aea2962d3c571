/**
 * Elements that are drawn again only if something has changed.
 *
 * Input: the elements that are shown, the parts of a graph with their places. Output: the elements to show. Invariant: an
 * unchanged part keeps its element.
 */

import type { Detail } from "./render.ts";
import type { Lying } from "./viewport.ts";

export interface Shown extends Lying {
  key: string;
}

/** Keeps unchanged elements where they are, and draws the others. */
export function renewed<T>(shown: Shown[], things: T[], detail: Detail, place: (index: number) => unknown, draw: (thing: T, index: number) => Lying): Shown[] {
  return things.map((thing, index) => {
    const key = JSON.stringify([thing, detail, place(index)]);
    const old = shown[index];
    return old?.key === key ? old : { key, ...draw(thing, index) };
  });
}
