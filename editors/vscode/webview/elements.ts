/**
 * Creates the elements of a drawing.
 *
 * Input: names, attributes, texts. Output: elements. Invariant: a text becomes a text node, and is never parsed as
 * markup.
 */

const SVG = "http://www.w3.org/2000/svg";

type Attributes = Record<string, string | number>;

export function svg<K extends keyof SVGElementTagNameMap>(name: K, attributes: Attributes = {}, ...inside: (Node | string)[]): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, String(value));
  }
  element.append(...inside);
  return element;
}

export function html<K extends keyof HTMLElementTagNameMap>(name: K, attributes: Attributes = {}, ...inside: (Node | string)[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, String(value));
  }
  element.append(...inside);
  return element;
}

/** A text up to a maximum length, with an ellipsis if it is cut. */
export function shortened(text: string, most: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  const characters = [...line];
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join("")}…`;
}
