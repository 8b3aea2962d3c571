/**
 * The form for the input of a run: a field for each member that the declarations describe, or JSON.
 *
 * Input: a schema, what scripts say, what the user writes. Output: the input to send. Invariant: every field has a name,
 * its help and its problem are connected with it, and what the user wrote stays when another graph is shown.
 */

import type { ScriptStart, Subject } from "../shared/messages.ts";
import { html } from "./elements.ts";
import { InputDraft } from "./inputdraft.ts";
import { button } from "./parts.ts";
import { type Field, nameOf } from "./schema.ts";

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** A field in the page. */
interface Row {
  control: Control;
  problem: HTMLElement;
}

export class InputForm {
  private readonly fields = html("div", { class: "fields" });
  private readonly toggle = button("", "", () => this.change());
  private readonly reset = button("Reset", "Forget what you wrote, and use the input of the script or the defaults", () => this.forget());
  private readonly note = html("p", { class: "hint" });
  readonly element = html("fieldset", { class: "input" }, html("legend", {}, "Input"), this.fields, this.note, html("div", { class: "buttons" }, this.toggle, this.reset));
  private readonly drafts = new Map<string, InputDraft>();
  private draft = new InputDraft(null, {});
  private schema = "";
  private key = "";
  private readonly rows = new Map<string, Row>();

  /** Shows the input of a graph. What the user wrote for it comes back, if its fields are still the same. */
  offer({ key, inputSchema, lastInput }: Subject, start: ScriptStart): void {
    const schema = JSON.stringify(inputSchema);
    if (key !== this.key || schema !== this.schema) {
      const name = `${key} ${schema}`;
      this.draft = this.drafts.get(name) ?? new InputDraft(inputSchema, start, lastInput);
      this.drafts.set(name, this.draft);
      [this.key, this.schema] = [key, schema];
      this.draw();
    }
    this.begin(start);
  }

  /** Uses the input of the chosen script, unless the user has written something. */
  begin(start: ScriptStart): void {
    // While a user writes, the file is offered again at each change. Fields that stay keep their selection.
    if (this.draft.begin(start)) {
      this.draw();
    }
  }

  /** The input to send, and what to remember. Undefined if there are problems. They are shown after `open` was called. */
  read(isLive: boolean, open: () => void): { input?: unknown; key: string; written: unknown } | undefined {
    const reading = this.draft.read(isLive);
    this.rows.forEach((_, name) => this.say(name, ""));
    if (!("problems" in reading)) {
      return { ...reading, key: this.key, written: this.draft.isEdited() ? (reading.input ?? null) : null };
    }
    const names = reading.problems.map(({ field, text }) => {
      const name = field === null ? "" : nameOf(field);
      this.say(name, text);
      return name;
    });
    open();
    this.rows.get(names[0] ?? "")?.control.focus();
    return undefined;
  }

  private change(): void {
    const refusal = this.draft.toggle();
    if (refusal === undefined) {
      this.draw();
      this.toggle.focus();
    } else {
      this.note.textContent = refusal;
      this.note.classList.add("problem");
    }
  }

  private forget(): void {
    this.draft.reset();
    this.draw();
  }

  /** Draws the fields again. The focus stays in the field with the same name. */
  private draw(): void {
    const { draft } = this;
    const focused = [...this.rows].find(([, { control }]) => control === document.activeElement)?.[0];
    this.rows.clear();
    this.toggle.hidden = draft.fields === undefined;
    this.toggle.textContent = draft.isJson ? "Use Fields" : "Write JSON";
    this.toggle.title = draft.isJson ? "Show a field for each member of the input" : "Write the whole input as JSON";
    this.note.classList.remove("problem");
    this.note.textContent = noteOf(draft);
    this.fields.replaceChildren(...(draft.isJson || draft.fields === undefined ? [this.json()] : draft.fields.map((field) => this.part(field))));
    if (focused !== undefined) {
      this.rows.get(focused)?.control.focus();
    }
  }

  private json(): HTMLElement {
    const area = html("textarea", { rows: 5, "aria-label": "Input", placeholder: "JSON or text. Leave empty to use the script's input." });
    area.value = this.draft.json;
    area.addEventListener("input", () => (this.draft.json = area.value));
    return this.row("", "Input", area, "");
  }

  private part(field: Field): HTMLElement {
    const name = `${field.path.at(-1) ?? ""}${field.isRequired ? " *" : ""}`;
    if (field.kind === "group") {
      const help = field.description === "" ? [] : [html("p", { class: "hint" }, field.description)];
      return html("fieldset", {}, html("legend", {}, name), ...help, ...field.fields.map((one) => this.part(one)));
    }
    const control = controlFor(field);
    control.value = this.draft.texts.get(nameOf(field)) ?? "";
    control.addEventListener("input", () => this.draft.texts.set(nameOf(field), control.value));
    control.addEventListener("change", () => this.say(nameOf(field), this.draft.problemOf(field) ?? ""));
    control.setAttribute("aria-required", String(field.isRequired));
    return this.row(nameOf(field), name, control, field.description);
  }

  private row(name: string, text: string, control: Control, description: string): HTMLElement {
    const id = `input-${this.rows.size}`;
    const problem = html("p", { class: "problem", id: `${id}-problem`, "aria-live": "polite" });
    const help = description === "" ? [] : [html("p", { class: "hint", id: `${id}-help` }, description)];
    control.id = id;
    control.setAttribute("aria-describedby", [...help, problem].map((one) => one.id).join(" "));
    control.dataset["field"] = name;
    this.rows.set(name, { control, problem });
    return html("div", { class: "field" }, html("label", { for: id }, text), html("div", {}, control, problem, ...help));
  }

  /** Shows the problem of a field, or none. */
  private say(name: string, problem: string): void {
    const row = this.rows.get(name);
    if (row !== undefined) {
      row.problem.textContent = problem;
      row.control.setAttribute("aria-invalid", String(problem !== ""));
    }
  }
}

function controlFor(field: Field): Control {
  switch (field.kind) {
    case "boolean":
      return choice([["true", "Yes"], ["false", "No"]]);
    case "choice":
      return choice(field.choices.map((value) => [JSON.stringify(value), typeof value === "string" ? value : JSON.stringify(value)]));
    case "number":
    case "integer":
      return html("input", { type: "text", inputmode: field.kind === "integer" ? "numeric" : "decimal", autocomplete: "off" });
    case "text":
      return html("textarea", { rows: 1 });
    default:
      return html("textarea", { rows: 2, placeholder: field.kind === "any" ? "JSON or text" : "JSON" });
  }
}

function choice(options: [value: string, text: string][]): HTMLSelectElement {
  return html("select", {}, html("option", { value: "" }, "Not set"), ...options.map(([value, text]) => html("option", { value }, text)));
}

function noteOf({ isJson, fields, others }: InputDraft): string {
  const names = Object.keys(others);
  if (!isJson && names.length > 0) {
    return `Also sent, and only shown as JSON: ${names.join(", ")}.`;
  }
  return fields !== undefined && !isJson && fields.some(({ isRequired }) => isRequired) ? "* Required" : "";
}
