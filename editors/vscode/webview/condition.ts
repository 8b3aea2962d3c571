/**
 * The field for the condition of an edge, with completion, problems and the values of the last run.
 *
 * Input: an edge, and the server's help for each text. Output: the condition that the user wants, or none. Invariant: a
 * suggestion replaces the whole text, so it is written as the language reads it.
 */

import type { BoardEdgeRef, ConditionHelp, GraphEdit } from "../shared/protocol.ts";
import { html } from "./elements.ts";
import { button } from "./parts.ts";

/** A key waits no longer than this for the list: the server may be busy, or gone. */
const ANSWER_MS = 1000;

/** An edge whose condition is written, or a new one. */
export type ConditionSubject = { edge: BoardEdgeRef; condition: string | null } | { from: string; to: string };

export interface ConditionHost {
  help(edit: GraphEdit, offset: number): Promise<ConditionHelp | null>;
  done(edit: GraphEdit): void;
  closed(): void;
}

const ITEMS_MAX = 40;

export class ConditionField {
  readonly element = html("form", { class: "condition-field", role: "dialog", "aria-label": "Condition of the edge", hidden: "" });
  private readonly title = html("label", { for: "condition" });
  private readonly input = html("input", {
    id: "condition",
    type: "text",
    spellcheck: "false",
    autocomplete: "off",
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-controls": "suggestions",
    "aria-expanded": "false",
    placeholder: "Always followed",
  });
  private readonly list = html("ul", { id: "suggestions", role: "listbox", "aria-label": "Suggestions", hidden: "" });
  private readonly said = html("div", { class: "said", "aria-live": "polite" });
  private readonly host: ConditionHost;
  private subject: ConditionSubject | null = null;
  private items: ConditionHelp["items"] = [];
  private chosen = -1;
  private asked = 0;
  /** Resolves when the list is up to date with the text, or after `ANSWER_MS`. */
  private answered = Promise.resolve();

  constructor(host: ConditionHost) {
    this.host = host;
    const buttons = html("div", { class: "buttons" }, button("Apply", "Apply the condition (Enter)", () => this.apply(), "primary"), button("Cancel", "Close without a change (Escape)", () => this.close()));
    this.element.append(this.title, this.input, this.list, this.said, buttons);
    this.element.addEventListener("submit", (event) => event.preventDefault());
    this.input.addEventListener("input", () => this.ask());
    this.input.addEventListener("keydown", (event) => {
      if (this.press(event)) {
        event.preventDefault();
      }
      event.stopPropagation();
    });
    this.list.addEventListener("mousedown", (event) => {
      const item = event.target instanceof Element ? event.target.closest<HTMLElement>("li") : null;
      if (item !== null) {
        event.preventDefault();
        this.take(Number(item.dataset["index"]));
      }
    });
  }

  open(subject: ConditionSubject): void {
    this.subject = subject;
    const { from, to } = "edge" in subject ? subject.edge : subject;
    this.title.textContent = `Condition of ${from.trim()} → ${to.trim()}`;
    this.input.value = "edge" in subject ? (subject.condition ?? "") : "";
    this.element.hidden = false;
    this.showItems([]);
    this.said.replaceChildren();
    this.input.focus();
    this.input.select();
    this.ask();
  }

  close(): void {
    this.subject = null;
    this.element.hidden = true;
    this.host.closed();
  }

  private edit(text: string): GraphEdit | null {
    const condition = text.trim() === "" ? null : text;
    if (this.subject === null) {
      return null;
    }
    return "edge" in this.subject ? { action: "setCondition", edge: this.subject.edge, condition } : { action: "connect", ...this.subject, condition };
  }

  private apply(): void {
    const edit = this.edit(this.input.value);
    if (edit !== null) {
      this.host.done(edit);
      this.close();
    }
  }

  private ask(): void {
    this.answered = Promise.race([this.update(), new Promise<void>((resolve) => setTimeout(resolve, ANSWER_MS))]);
  }

  /** Handles a key after the list is up to date with the text. Returns true, because the key is handled. */
  private later(act: () => void): boolean {
    void this.answered.then(() => this.subject !== null && act());
    return true;
  }

  private async update(): Promise<void> {
    const edit = this.edit(this.input.value === "" ? " " : this.input.value);
    this.asked += 1;
    const question = this.asked;
    if (edit === null) {
      return;
    }
    const wanted = "condition" in edit ? { ...edit, condition: this.input.value } : edit;
    const help = await this.host.help(wanted, this.input.selectionEnd ?? this.input.value.length);
    if (question === this.asked && this.subject !== null) {
      this.showItems(help?.items ?? []);
      this.showSaid(help);
    }
  }

  private showItems(items: ConditionHelp["items"]): void {
    this.items = items.slice(0, ITEMS_MAX);
    this.chosen = -1;
    this.list.replaceChildren(
      ...this.items.map((item, index) => {
        const row = html("li", { role: "option", id: `suggestion-${index}`, "data-index": index, "aria-selected": "false" }, html("span", {}, item.label));
        row.append(html("span", { class: "about" }, item.detail ?? item.kind));
        return row;
      }),
    );
    this.list.hidden = this.items.length === 0;
    this.input.setAttribute("aria-expanded", String(!this.list.hidden));
    this.input.removeAttribute("aria-activedescendant");
  }

  /** What is wrong with the condition, and its value in the last run. */
  private showSaid(help: ConditionHelp | null): void {
    const line = (text: string, kind = "") => html("p", { class: kind }, text);
    const lines: HTMLElement[] = [];
    if (help !== null && this.input.value.trim() !== "") {
      lines.push(...("refused" in help && help.refused !== undefined ? [line(help.refused, "problem")] : []));
      lines.push(...(help.problems ?? []).map((problem) => line(problem, "problem")));
      const found = help.evaluation;
      if (found !== undefined) {
        const holds = found.decision === "holds" ? "It holds" : found.decision === "fails" ? "It does not hold" : "It was evaluated";
        lines.push(line(`${holds} with the state of the last run.`, found.decision === "holds" ? "holds" : "fails"));
        lines.push(...found.parts.map(({ range, value, error }) => line(`${found.text.slice(range.start.character, range.end.character)} = ${error ?? JSON.stringify(value)}`, "part")));
      } else if (help.items !== undefined) {
        lines.push(line("Simulate the graph to see its value here.", "muted"));
      }
    }
    this.said.replaceChildren(...lines);
  }

  private press(event: KeyboardEvent): boolean {
    switch (event.key) {
      case "ArrowDown":
        return this.later(() => this.choose(1));
      case "ArrowUp":
        return this.later(() => this.choose(-1));
      case "Tab":
        return this.items.length > 0 && this.later(() => this.take(Math.max(this.chosen, 0)));
      case "Enter":
        return this.later(() => (this.chosen >= 0 ? this.take(this.chosen) : this.apply()));
      case "Escape":
        if (this.list.hidden) {
          this.close();
        } else {
          this.showItems([]);
        }
        return true;
      default:
        return false;
    }
  }

  private choose(step: number): void {
    if (this.items.length === 0) {
      return;
    }
    this.chosen = (this.chosen + step + this.items.length) % this.items.length;
    [...this.list.children].forEach((row, index) => {
      row.setAttribute("aria-selected", String(index === this.chosen));
      if (index === this.chosen) {
        row.scrollIntoView({ block: "nearest" });
        this.input.setAttribute("aria-activedescendant", row.id);
      }
    });
  }

  private take(index: number): void {
    const item = this.items[index];
    if (item !== undefined) {
      this.input.value = item.text;
      this.input.setSelectionRange(item.offset, item.offset);
      this.showItems([]);
      this.ask();
    }
  }
}
