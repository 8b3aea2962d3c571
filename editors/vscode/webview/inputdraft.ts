/**
 * What a user writes as the input of a run, in fields or as JSON.
 *
 * Input: a schema, what the run is given if the user writes nothing, what the user writes. Output: the input to send, or
 * problems. Invariant: nothing is sent if the user changed nothing and a script says what the run is given.
 */

import type { ScriptStart } from "../shared/messages.ts";
import { defaultsOf, type Field, fieldsOf, nameOf, parsed, type Problem, problemsOf, same, type Texts, textsOf, valueOf } from "./schema.ts";

/** What to send, or why not. A problem without a field is about the JSON. */
export type Reading = { input?: unknown } | { problems: (Problem | { field: null; text: string })[] };

const NOT_JSON = "This is not JSON.";

export class InputDraft {
  /** Undefined if the input has no known members. */
  readonly fields: Field[] | undefined;
  isJson: boolean;
  json = "";
  texts: Texts = new Map();
  /** Members that no field shows. They are sent too. */
  others: Record<string, unknown> = {};
  private start: ScriptStart;

  constructor(schema: unknown, start: ScriptStart, last?: unknown) {
    this.fields = fieldsOf(schema);
    this.isJson = this.fields === undefined;
    this.start = start;
    this.reset();
    if (last !== undefined) {
      this.show(last);
    }
  }

  /** Uses the input of another script, unless the user has written something. Returns whether the fields change. */
  begin(start: ScriptStart): boolean {
    if (same(start, this.start)) {
      return false;
    }
    const isEdited = this.isEdited();
    this.start = start;
    if (!isEdited) {
      this.reset();
    }
    return !isEdited;
  }

  /** Forgets what the user wrote. */
  reset(): void {
    this.isJson = this.fields === undefined;
    this.texts = new Map();
    this.others = {};
    this.json = "";
    const initial = this.initial();
    if (initial !== undefined) {
      this.show(initial);
    }
  }

  /** Whether the user has written something else. */
  isEdited(): boolean {
    return this.wrong() !== undefined || !same(this.value(), this.initial());
  }

  /** The input to send. A live run without a script needs every required field, also if the user changed nothing. */
  read(isLive: boolean): Reading {
    const isGiven = this.start.input !== undefined || this.start.turns !== undefined;
    const isEdited = this.isEdited();
    const isUsed = isEdited && (this.value() !== undefined || this.wrong() !== undefined);
    const problems = isUsed || (isLive && !isGiven) ? this.problems() : [];
    if (problems.length > 0) {
      return { problems };
    }
    const input = isEdited || !isGiven ? this.value() : undefined;
    return input === undefined ? {} : { input };
  }

  /** Changes between fields and JSON. Returns why that is not possible. */
  toggle(): string | undefined {
    if (this.fields === undefined) {
      return "The declarations do not say which members the input has.";
    }
    if (!this.isJson) {
      const wrong = this.wrong();
      if (wrong !== undefined) {
        return `${wrong.field.path.join(".")}: ${wrong.text}`;
      }
      const value = this.value();
      this.json = value === undefined ? "" : JSON.stringify(value, null, 2);
      this.isJson = true;
      return undefined;
    }
    const value = this.json.trim() === "" ? {} : parsed(this.json);
    if (value === undefined) {
      return NOT_JSON;
    }
    const found = textsOf(this.fields, value);
    if (typeof found === "string") {
      return found;
    }
    Object.assign(this, found);
    this.isJson = false;
    return undefined;
  }

  /** The problem of a field. Undefined if its text is valid or empty. */
  problemOf(field: Field): string | undefined {
    return this.isWritten(field) ? problemsOf([field], this.texts)[0]?.text : undefined;
  }

  private problems(): (Problem | { field: null; text: string })[] {
    if (!this.isJson && this.fields !== undefined) {
      return problemsOf(this.fields, this.texts);
    }
    if (this.fields === undefined || this.json.trim() === "") {
      return this.fields === undefined || !this.fields.some(({ isRequired }) => isRequired) ? [] : [{ field: null, text: "Enter a value." }];
    }
    return parsed(this.json) === undefined ? [{ field: null, text: NOT_JSON }] : [];
  }

  private value(): unknown {
    if (this.isJson || this.fields === undefined) {
      return this.json.trim() === "" ? undefined : (parsed(this.json) ?? this.json.trim());
    }
    const value = { ...this.others, ...valueOf(this.fields, this.texts) };
    return Object.keys(value).length === 0 ? undefined : value;
  }

  /** The problem of the first field whose text is not empty and not valid. */
  private wrong(): Problem | undefined {
    return this.isJson ? undefined : problemsOf(this.fields ?? [], this.texts).find(({ field }) => this.isWritten(field));
  }

  private isWritten(field: Field): boolean {
    return (this.texts.get(nameOf(field)) ?? "") !== "";
  }

  /** What the run is given if the user writes nothing. */
  private initial(): unknown {
    const { input, turns } = this.start;
    return input !== undefined || turns !== undefined || this.fields === undefined ? input : defaultsOf(this.fields);
  }

  /** Shows a value in the fields if they can, or as JSON. */
  private show(value: unknown): void {
    const found = this.fields === undefined || this.isJson ? "" : textsOf(this.fields, value);
    if (typeof found !== "string") {
      Object.assign(this, found);
      return;
    }
    this.isJson = true;
    this.json = typeof value === "string" && parsed(value) === undefined ? value : JSON.stringify(value, null, 2);
  }
}
