/**
 * Parts of the views: buttons, labelled fields, tables of texts.
 *
 * Input: texts and actions. Output: elements. Invariant: every control has a name.
 */

import { html, svg } from "./elements.ts";

export function button(text: string, name: string, act: () => void, kind = ""): HTMLButtonElement {
  // A text is the name, and the title describes it. Without a text, the title is the name.
  const made = html("button", { type: "button", title: name, class: kind, ...(text === "" ? { "aria-label": name } : {}) }, text);
  made.addEventListener("click", act);
  return made;
}

/** A button with an icon: the `d` attribute of a path in a square of 16 units. */
export function iconButton(icon: string, name: string, act: () => void): HTMLButtonElement {
  const made = button("", name, act, "icon");
  made.append(svg("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, svg("path", { d: icon })));
  return made;
}

export function label(text: string, field: HTMLElement): HTMLElement {
  return html("label", {}, html("span", {}, text), field);
}

/** A table of names and values. */
export function table(rows: [name: string, value: string][], kind = ""): HTMLElement {
  const row = ([name, value]: [string, string]) => html("tr", {}, html("th", { scope: "row" }, name), html("td", {}, value));
  return html("table", { class: kind }, html("tbody", {}, ...rows.map(row)));
}
