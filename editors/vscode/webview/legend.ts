/**
 * The legend below a drawing.
 *
 * Input: what is drawn, and whether a run and lanes are shown. Output: entries for the kinds of work and of marks that occur.
 * Invariant: icons and colours are those of the drawing.
 */

import { html, svg } from "./elements.ts";
import { marksIn } from "./marks.ts";
import type { Board } from "./tools.ts";
import { workIcon, worksIn } from "./works.ts";

const RUN_STATES: [state: string, title: string][] = [
  ["visited", "Visited"],
  ["now", "This step"],
  ["missed", "Not visited"],
];

export function legendEntries({ nodes, edges }: Board, isRun: boolean, hasLanes: boolean): HTMLElement[] {
  const works = worksIn(nodes).map(([work, title]) => {
    const icon = svg("svg", { viewBox: "0 0 16 16", width: 14, height: 14, "aria-hidden": "true" }, workIcon(work));
    return html("li", { class: `work-${work}` }, icon, title);
  });
  const states = isRun ? RUN_STATES.map(([state, title]) => html("li", {}, html("span", { class: `swatch ${state}` }), title)) : [];
  const lanes = hasLanes ? [html("li", {}, html("span", { class: "swatch parallel" }), "Branches that run at the same time")] : [];
  const marks = marksIn([...nodes, ...nodes.flatMap(({ chips }) => chips), ...edges]).map(([kind, title]) => html("li", { class: `mark-${kind}` }, html("span", { class: "swatch" }), title));
  return [...works, ...lanes, ...states, ...marks];
}
