/**
 * The form for the input of a run: a script, an input, answers of nodes.
 *
 * Input: the choices, and what the user writes. Output: the input of the run. Invariant: what the user wrote stays when
 * the form is used for another graph.
 */

import type { Given, ScriptStart, Subject } from "../shared/messages.ts";
import { html } from "./elements.ts";
import { InputForm } from "./inputform.ts";
import { label } from "./parts.ts";

/** The input of a run, and the input to remember: null if the user wrote none. */
export interface Filled {
  given: Given;
  key: string;
  written: unknown;
}

export class Form {
  private readonly script = html("select", { title: "The script that provides the answers", "aria-label": "Script" });
  private readonly input = new InputForm();
  private readonly answers = html("div", { class: "answers" });
  readonly element = html(
    "details",
    { class: "given" },
    html("summary", {}, "Input and answers"),
    label("Script", this.script),
    this.input.element,
    html("p", { class: "hint" }, "One answer per line, as text or JSON. If you leave a field empty, the script answers. Without a script, the node echoes its input."),
    this.answers,
  );

  private subject: Subject | undefined;

  constructor() {
    this.script.addEventListener("change", () => this.input.begin(this.start()));
  }

  offer(subject: Subject): void {
    this.subject = subject;
    this.element.hidden = subject.isScenario;
    const chosen = this.script.value;
    const options = subject.scripts.map((one) => html("option", { value: one.uri }, one.label));
    this.script.replaceChildren(html("option", { value: "" }, "None: make up answers"), ...options);
    const best = subject.scripts.find((one) => one.isMadeFor)?.uri ?? "";
    this.script.value = subject.scripts.some((one) => one.uri === chosen) ? chosen : best;
    this.input.offer(subject, this.start());
    const written = new Map(this.areas().map((area) => [area.dataset["node"], area.value]));
    this.answers.replaceChildren(
      ...subject.nodes.map((node) => {
        const area = html("textarea", { rows: 1, "aria-label": `Answers of ${node.id}` });
        area.dataset["node"] = node.id;
        area.value = written.get(node.id) ?? "";
        return label(`${node.id} (${node.kind})`, area);
      }),
    );
  }

  /** Undefined if the input has problems, which are shown. */
  read(isLive: boolean): Filled | undefined {
    const read = this.input.read(isLive, () => (this.element.open = true));
    if (read === undefined) {
      return undefined;
    }
    const given: Given = { script: this.script.value === "" ? null : this.script.value, answers: {} };
    for (const area of this.areas()) {
      const lines = area.value.split("\n").filter((line) => line.trim() !== "");
      if (lines.length > 0) {
        given.answers[area.dataset["node"] ?? ""] = lines.map(value);
      }
    }
    if (read.input !== undefined) {
      given.input = read.input;
    }
    return { given, key: read.key, written: read.written };
  }

  close(): void {
    this.element.open = false;
  }

  /** What the chosen script says about the input. */
  private start(): ScriptStart {
    return this.subject?.scripts.find((one) => one.uri === this.script.value)?.start ?? {};
  }

  private areas(): HTMLTextAreaElement[] {
    return [...this.answers.querySelectorAll("textarea")];
  }
}

/** The value if the text is JSON, else the text. */
function value(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.trim();
  }
}
