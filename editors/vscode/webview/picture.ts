/**
 * The drawing as a picture for other programs.
 *
 * Input: elements that the page styles, a format, and the colours. Output: SVG as text, or PNG in base64. Invariant: the
 * picture needs nothing else: every colour and font is written into it.
 */

import type { ExportForm } from "../shared/messages.ts";
import { reasonOf } from "../shared/reason.ts";
import { svg } from "./elements.ts";

/** All parts of a drawing, and its size. */
export interface Whole {
  parts: SVGElement[];
  width: number;
  height: number;
}

const PROPERTIES = ["opacity", "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "stroke-linecap", "font-family", "font-size", "font-weight", "font-style"] as const;
const MARGIN = 16;
/** The number of pixels for each unit of the drawing. Lower if a side would otherwise exceed `POINTS_MAX` pixels. */
const POINTS = 2;
const POINTS_MAX = 16_000;
/** The maximum time to wait until the page has the focus. */
const FOCUS_MS = 2000;

export async function picture(whole: Whole, form: ExportForm, colours: "theme" | "print"): Promise<string> {
  const { text, width, height } = written(whole, colours);
  return form === "svg" ? text : points(text, width, height);
}

/** Copies a picture in base64. Returns why that is not possible, or null. */
export async function copyPoints(data: string): Promise<string | null> {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  await focused();
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": new Blob([bytes], { type: "image/png" }) })]);
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

/** A page without the focus must not write to the clipboard. The focus comes some time after the panel. */
async function focused(): Promise<void> {
  window.focus();
  if (!document.hasFocus()) {
    await new Promise<void>((resolve) => {
      window.addEventListener("focus", () => resolve(), { once: true });
      setTimeout(resolve, FOCUS_MS);
    });
  }
}

function written({ parts, width, height }: Whole, colours: "theme" | "print"): { text: string; width: number; height: number } {
  const box = { width: Math.ceil(width + 2 * MARGIN), height: Math.ceil(height + 2 * MARGIN) };
  const root = svg("svg", { viewBox: `${-MARGIN} ${-MARGIN} ${box.width} ${box.height}`, ...box });
  const held = document.createElement("div");
  held.className = `board picture ${colours}`;
  held.append(root);
  root.append(svg("rect", { class: "ground", x: -MARGIN, y: -MARGIN, ...box }), ...parts.map((part) => part.cloneNode(true)));
  document.body.append(held);
  root.querySelectorAll<SVGElement>("[class]").forEach((element) => element.classList.remove("current", "focused", "found", "target"));
  inline(root);
  held.remove();
  root.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return { text: new XMLSerializer().serializeToString(root), ...box };
}

/** Writes the styles of the page into the elements, and takes out what only the page needs. */
function inline(root: SVGSVGElement): void {
  const heads = new Map<string, string>();
  const all = [...root.querySelectorAll<SVGElement>("*")];
  // All styles are read before anything is written, so the page computes them once.
  const styles = all.map((element) => {
    const style = getComputedStyle(element);
    return { display: style.display, marker: style.getPropertyValue("marker-end"), values: PROPERTIES.map((name) => [name, style.getPropertyValue(name)] as const) };
  });
  all.forEach((element, index) => {
    const style = styles[index];
    if (style === undefined || style.display === "none" || element.classList.contains("reach") || element.classList.contains("toggle")) {
      element.remove();
      return;
    }
    if (["path", "rect", "circle", "text", "tspan"].includes(element.tagName) || element.classList.contains("lanes")) {
      style.values.forEach(([name, value]) => value !== "" && element.setAttribute(name, value));
    }
    if (style.marker !== "none" && style.marker !== "") {
      const colour = element.getAttribute("stroke") ?? "";
      const id = heads.get(colour) ?? `arrow-${heads.size}`;
      heads.set(colour, id);
      element.setAttribute("marker-end", `url(#${id})`);
    }
  });
  all.forEach((element) => {
    [...element.attributes].filter(({ name }) => ["class", "id", "role", "tabindex", "style"].includes(name) || name.startsWith("data-") || name.startsWith("aria-")).forEach(({ name }) => element.removeAttribute(name));
  });
  const size = { viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 11, markerHeight: 11, markerUnits: "userSpaceOnUse", orient: "auto" };
  root.prepend(svg("defs", {}, ...[...heads].map(([colour, id]) => svg("marker", { id, ...size }, svg("path", { fill: colour, d: "M0 0 8 4 0 8z" })))));
}

async function points(text: string, width: number, height: number): Promise<string> {
  const scale = Math.min(POINTS, POINTS_MAX / Math.max(width, height));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.ceil(width * scale), Math.ceil(height * scale)];
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const url = canvas.toDataURL("image/png");
  if (!url.startsWith("data:image/png;base64,")) {
    throw new Error("The picture is too large for PNG. Export it as SVG.");
  }
  return url.slice(url.indexOf(",") + 1);
}
