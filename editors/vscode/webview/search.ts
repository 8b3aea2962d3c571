/**
 * Finds nodes by their names.
 *
 * Input: the names of the nodes, what the user types. Output: the nodes found, and the one to show. Invariant: the
 * order is that of the graph.
 */

import { html } from "./elements.ts";

export class Search {
  private readonly field = html("input", { type: "search", placeholder: "Find node", "aria-label": "Find node" });
  private readonly count = html("span", { class: "count", role: "status" });
  readonly element = html("div", { class: "search", hidden: "" }, this.field, this.count);
  private names: string[] = [];
  private found: number[] = [];
  private at = 0;
  private readonly mark: (found: Set<number>) => void;
  private readonly show: (index: number) => void;

  /** `mark` gets all nodes that were found, and `show` one of them. */
  constructor(mark: (found: Set<number>) => void, show: (index: number) => void) {
    this.mark = mark;
    this.show = show;
    this.field.addEventListener("input", () => this.look());
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && this.found.length > 0) {
        this.step(event.shiftKey ? -1 : 1);
      }
    });
  }

  focus(): void {
    this.element.hidden = false;
    this.field.focus();
    this.field.select();
  }

  offer(names: string[]): void {
    this.names = names.map((name) => name.toLowerCase());
    if (this.field.value !== "") {
      this.find();
      this.mark(new Set(this.found));
    }
  }

  private look(): void {
    this.find();
    this.at = 0;
    this.mark(new Set(this.found));
    this.say();
    if (this.found[0] !== undefined) {
      this.show(this.found[0]);
    }
  }

  private step(by: number): void {
    this.at = (this.at + by + this.found.length) % this.found.length;
    this.say();
    this.show(this.found[this.at] ?? 0);
  }

  private find(): void {
    const wanted = this.field.value.trim().toLowerCase();
    this.found = wanted === "" ? [] : this.names.flatMap((name, index) => (name.includes(wanted) ? [index] : []));
  }

  private say(): void {
    const isEmpty = this.field.value.trim() === "";
    this.count.textContent = isEmpty ? "" : this.found.length === 0 ? "No node" : `${this.at + 1} of ${this.found.length}`;
  }
}
