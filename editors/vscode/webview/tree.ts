/**
 * Values as a tree, with the parts that changed marked.
 *
 * Input: named values, the paths that changed. Output: elements. Invariant: a part is created when it is opened, so a
 * large value costs nothing until then.
 */

import { html } from "./elements.ts";

const PREVIEW_MAX = 80;

/** Changed paths, with the texts of the values before. */
export type Changed = Map<string, string>;

const NOTHING: Changed = new Map();

/** A list of named values. Parts with changes are open. */
export function tree(value: unknown, changed = NOTHING, kind = "", path = ""): HTMLElement {
  return html("ul", { class: `tree ${kind}`.trim() }, ...entriesOf(value).map(([key, one]) => item(key, one, changed, path === "" ? key : `${path}.${key}`)));
}

/** Whether a value has named parts. */
export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function item(key: string, value: unknown, changed: Changed, path: string): HTMLElement {
  const made = html("li");
  const before = changed.get(path);
  if (before !== undefined) {
    made.classList.add("changed");
    made.title = `Before: ${before}`;
  }
  const name = html("span", { class: "key" }, key);
  if (!isBranch(value)) {
    made.append(name, html("span", { class: `value ${value === null ? "null" : typeof value}` }, leaf(value)));
    return made;
  }
  const details = html("details", {}, html("summary", {}, name, html("span", { class: "value preview" }, preview(value))));
  const open = () => {
    if (details.open && details.childElementCount === 1) {
      details.append(tree(value, changed, "", path));
    }
  };
  details.addEventListener("toggle", open);
  details.open = [...changed.keys()].some((one) => one === path || one.startsWith(`${path}.`));
  open();
  made.append(details);
  return made;
}

function entriesOf(value: unknown): [string, unknown][] {
  return isBranch(value) ? Object.entries(value) : [["", value]];
}

function isBranch(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function leaf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
}

function preview(value: object): string {
  const text = JSON.stringify(value);
  return text.length <= PREVIEW_MAX ? text : `${text.slice(0, PREVIEW_MAX - 1)}…`;
}
