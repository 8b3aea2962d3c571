/**
 * The fields for the input of a run, from its JSON Schema.
 *
 * Input: a schema, values, texts of fields. Output: fields, their texts, and a value or the problems. Invariant: a value
 * that the fields can show is read back as the same value.
 */

export type Kind = "text" | "number" | "integer" | "boolean" | "choice" | "group" | "json" | "any";

/** A part of the input. */
export interface Field {
  /** Its keys from the outermost. */
  path: string[];
  kind: Kind;
  isRequired: boolean;
  description: string;
  schema: Keywords;
  /** The values of a choice. */
  choices: unknown[];
  /** The members of a group. */
  fields: Field[];
}

/** The texts of fields, by their names. An empty text means that there is no value. */
export type Texts = Map<string, string>;

export interface Problem {
  field: Field;
  text: string;
}

type Keywords = Record<string, unknown>;

/** Objects that are deeper than this are written as JSON. */
const DEPTH_MAX = 4;

/** The fields of an input. Undefined if it is not an object with known members. */
export function fieldsOf(schema: unknown): Field[] | undefined {
  const found = isObject(schema) ? fieldOf([], schema, true) : undefined;
  return found?.kind === "group" ? found.fields : undefined;
}

/** The name of a field, which no other field has. */
export function nameOf({ path }: Field): string {
  return JSON.stringify(path);
}

/** The fields without groups, in order. */
export function leaves(fields: Field[]): Field[] {
  return fields.flatMap((field) => (field.kind === "group" ? leaves(field.fields) : [field]));
}

function fieldOf(path: string[], schema: Keywords, isRequired: boolean): Field {
  const field: Field = { path, kind: "any", isRequired, description: textOf(schema["description"]), schema, choices: [], fields: [] };
  if (Array.isArray(schema["enum"]) && schema["enum"].length > 0) {
    return { ...field, kind: "choice", choices: schema["enum"] };
  }
  if ("const" in schema) {
    return { ...field, kind: "choice", choices: [schema["const"]] };
  }
  if (["$ref", "anyOf", "oneOf", "allOf", "not", "if"].some((word) => word in schema)) {
    return { ...field, kind: "any" };
  }
  const members = isObject(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  const kind = kindOf(schema["type"] ?? (members.length > 0 ? "object" : undefined));
  if (kind !== "group") {
    return { ...field, kind };
  }
  if (members.length === 0 || path.length >= DEPTH_MAX) {
    return { ...field, kind: "json" };
  }
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const fields = members.map(([key, member]) => fieldOf([...path, key], isObject(member) ? member : {}, required.includes(key)));
  return { ...field, kind: "group", fields };
}

function kindOf(type: unknown): Kind {
  const words = (Array.isArray(type) ? type : [type]).filter((word) => word !== "null");
  if (words.length !== 1) {
    return "any";
  }
  switch (words[0]) {
    case "string":
      return "text";
    case "number":
      return "number";
    case "integer":
      return "integer";
    case "boolean":
      return "boolean";
    case "object":
      return "group";
    case "array":
      return "json";
    default:
      return "any";
  }
}

/** The value that the schema gives if nobody writes one: the defaults of the fields. */
export function defaultsOf(fields: Field[]): Keywords | undefined {
  const found: Keywords = {};
  for (const field of fields) {
    const value = "default" in field.schema ? field.schema["default"] : field.kind === "group" ? defaultsOf(field.fields) : undefined;
    if (value !== undefined) {
      found[field.path.at(-1) ?? ""] = value;
    }
  }
  return Object.keys(found).length === 0 ? undefined : found;
}

/** The texts that show a value, and the members that no field shows. A text says why the fields cannot show it. */
export function textsOf(fields: Field[], value: unknown): { texts: Texts; others: Keywords } | string {
  if (!isObject(value)) {
    return "The fields show only objects.";
  }
  const texts: Texts = new Map();
  const others: Keywords = {};
  for (const [key, member] of Object.entries(value)) {
    const field = fields.find((one) => one.path.at(-1) === key);
    if (field === undefined) {
      others[key] = member;
      continue;
    }
    if (field.kind === "group") {
      const inner = textsOf(field.fields, member);
      if (typeof inner === "string" || Object.keys(inner.others).length > 0 || inner.texts.size === 0) {
        return `The fields cannot show this value of “${field.path.join(".")}”.`;
      }
      inner.texts.forEach((text, name) => texts.set(name, text));
      continue;
    }
    const text = textFor(field, member);
    if (text === undefined) {
      return `The field “${field.path.join(".")}” cannot show ${JSON.stringify(member)}.`;
    }
    texts.set(nameOf(field), text);
  }
  return { texts, others };
}

/** The text that is read as this value. Undefined if there is none. */
function textFor(field: Field, value: unknown): string | undefined {
  const text = field.kind === "text" || (field.kind === "any" && typeof value === "string" && parsed(value) === undefined) ? String(value) : JSON.stringify(value, null, field.kind === "choice" ? 0 : 2);
  const read = readText(field, text);
  return text !== "" && "value" in read && same(read.value, value) ? text : undefined;
}

/** The value of the texts. Undefined if every field is empty. */
export function valueOf(fields: Field[], texts: Texts): Keywords | undefined {
  const found: Keywords = {};
  for (const field of fields) {
    const read = field.kind === "group" ? { value: valueOf(field.fields, texts) } : readText(field, texts.get(nameOf(field)) ?? "");
    if ("value" in read && read.value !== undefined) {
      found[field.path.at(-1) ?? ""] = read.value;
    }
  }
  return Object.keys(found).length === 0 ? undefined : found;
}

/** What is wrong with the texts. A group that is not required may be empty. */
export function problemsOf(fields: Field[], texts: Texts): Problem[] {
  return fields.flatMap((field) => {
    if (field.kind === "group") {
      return field.isRequired || isWritten(field, texts) ? problemsOf(field.fields, texts) : [];
    }
    const text = texts.get(nameOf(field)) ?? "";
    if (text === "") {
      return field.isRequired ? [{ field, text: "Enter a value." }] : [];
    }
    const read = readText(field, text);
    return "problem" in read ? [{ field, text: read.problem }] : [];
  });
}

function isWritten(group: Field, texts: Texts): boolean {
  return leaves(group.fields).some((field) => (texts.get(nameOf(field)) ?? "") !== "");
}

type Read = { value: unknown } | { problem: string };

/** The value of a text. An empty text has none. */
function readText(field: Field, text: string): Read {
  if (text === "") {
    return { value: undefined };
  }
  switch (field.kind) {
    case "text":
      return checkText(field.schema, text);
    case "number":
    case "integer":
      return readNumber(field, text);
    case "boolean":
      return text === "true" || text === "false" ? { value: text === "true" } : { problem: "Choose yes or no." };
    case "choice":
      return field.choices.some((choice) => JSON.stringify(choice) === text) ? { value: parsed(text) } : { problem: "Choose one of the values." };
    case "any":
      return { value: parsed(text) ?? text.trim() };
    default:
      return readJson(field, text);
  }
}

function checkText(schema: Keywords, text: string): Read {
  const [least, most, pattern] = [schema["minLength"], schema["maxLength"], schema["pattern"]];
  const { length } = [...text];
  if (typeof least === "number" && length < least) {
    return { problem: `Write at least ${least} characters.` };
  }
  if (typeof most === "number" && length > most) {
    return { problem: `Write at most ${most} characters.` };
  }
  if (typeof pattern === "string" && matches(pattern, text) === false) {
    return { problem: `The text does not match ${pattern}.` };
  }
  return { value: text };
}

/** Undefined if the pattern is not a regular expression of JavaScript. */
function matches(pattern: string, text: string): boolean | undefined {
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return undefined;
  }
}

function readNumber({ kind, schema }: Field, text: string): Read {
  const value = Number(text.trim());
  if (text.trim() === "" || !Number.isFinite(value)) {
    return { problem: "Write a number." };
  }
  if (kind === "integer" && !Number.isInteger(value)) {
    return { problem: "Write a whole number." };
  }
  const bounds: [word: string, isOutside: (bound: number) => boolean, said: string][] = [
    ["minimum", (bound) => value < bound, "at least"],
    ["maximum", (bound) => value > bound, "at most"],
    ["exclusiveMinimum", (bound) => value <= bound, "more than"],
    ["exclusiveMaximum", (bound) => value >= bound, "less than"],
  ];
  for (const [word, isOutside, said] of bounds) {
    const bound = schema[word];
    if (typeof bound === "number" && isOutside(bound)) {
      return { problem: `Write a number of ${said} ${bound}.` };
    }
  }
  return { value };
}

function readJson({ schema }: Field, text: string): Read {
  const value = parsed(text);
  if (value === undefined) {
    return { problem: "This is not JSON." };
  }
  const words = Array.isArray(schema["type"]) ? schema["type"] : [schema["type"]];
  if (value === null ? words.includes("null") : words.includes("array") === Array.isArray(value) && typeof value === "object") {
    return { value };
  }
  return { problem: words.includes("array") ? "Write a list in square brackets." : "Write an object in braces." };
}

/** The value of a JSON text. Undefined if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether two values are equal, in whatever order their members are. */
export function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one, sorted) === JSON.stringify(other, sorted);
}

function sorted(_: string, value: unknown): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))) : value;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isObject(value: unknown): value is Keywords {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
