/**
 * Marks on the graph: what changed, the path of a finding, the lineage of a state key.
 *
 * Input: the marks of nodes and edges, the words about them. Output: classes, short texts, entries of the legend, and the
 * list of the words. Invariant: nothing is said by a colour alone, and no mark has the colour of errors.
 */

import type { MarksShown } from "../shared/messages.ts";
import type { Mark } from "../shared/protocol.ts";
import { html } from "./elements.ts";
import { button } from "./parts.ts";

/** The kinds of marks, in the order of the legend. */
export const MARKS: Record<string, string> = {
  added: "Added",
  removed: "Removed",
  changed: "Changed",
  step: "On the path, in the order of the numbers",
  writes: "Writes the key",
  reads: "Reads the key",
  tests: "Decides by the key",
};

interface Part {
  marks?: Mark[];
}

/** The classes of an element for its marks. */
export function markClasses({ marks = [] }: Part): string[] {
  const known = marks.filter(({ kind }) => kind in MARKS);
  return known.length === 0 ? [] : ["marked", ...known.map(({ kind }) => `mark-${kind}`)];
}

/** The text next to a part. Empty if the part has no mark, or none with a text. */
export function markText({ marks = [] }: Part): string {
  return marks.flatMap(({ text }) => (text === undefined || text === "" ? [] : [text])).join(", ");
}

/** The kinds of marks that occur, in the order of the legend. */
export function marksIn(parts: Part[]): [kind: string, title: string][] {
  const found = new Set(parts.flatMap(({ marks = [] }) => marks.map(({ kind }) => kind)));
  return Object.entries(MARKS).filter(([kind]) => found.has(kind));
}

/** What the marks show, in words, with a button that removes them. */
export class MarksBar {
  private readonly title = html("h2");
  private readonly summary = html("p", { role: "status" });
  private readonly lines = html("ul", { tabindex: 0, "aria-label": "In words" });
  readonly element: HTMLElement;
  private readonly reveal: (line: number) => void;

  /** `reveal` shows the place of a line. */
  constructor(end: () => void, reveal: (line: number) => void) {
    this.reveal = reveal;
    const back = button("Back to Plain Graph", "Remove the marks (Escape)", end);
    this.element = html("section", { class: "marks", "aria-label": "Marks", hidden: "" }, html("div", { class: "head" }, this.title, back, this.summary), this.lines);
    document.addEventListener("keydown", (event) => {
      const isText = event.target instanceof Element && event.target.closest("input, textarea") !== null;
      if (event.key === "Escape" && !this.element.hidden && !event.defaultPrevented && !isText) {
        end();
      }
    });
  }

  show(marks: MarksShown | null): void {
    this.element.hidden = marks === null;
    this.title.textContent = marks?.title ?? "";
    this.summary.textContent = marks?.summary ?? "";
    this.lines.hidden = (marks?.lines.length ?? 0) === 0;
    this.lines.replaceChildren(...(marks?.lines ?? []).map(({ text, hasPlace }, index) => {
      const shown = hasPlace ? button(text, "Show the place", () => this.reveal(index), "line") : text;
      return html("li", {}, shown);
    }));
  }
}
