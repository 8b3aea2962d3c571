/**
 * Contrasts in the page of a view, as WCAG 2.1 computes them.
 *
 * Input: a page with a drawing. Output: what has too little contrast, or the colour of errors without being wrong.
 * Invariant: every function runs in the page, so it uses nothing outside of it.
 */

/** Lines below 3:1 and texts below 4.5:1, each with what it is and its contrast. */
export function lowContrasts(): string[] {
  type Colour = [number, number, number, number];
  const read = (text: string): Colour => {
    const numbers = (text.match(/[\d.]+(e-?\d+)?/g) ?? []).map(Number);
    const scale = text.startsWith("color(") ? 1 : 255;
    const [red = 0, green = 0, blue = 0, alpha = 1] = numbers;
    return [red / scale, green / scale, blue / scale, text === "none" || text === "transparent" ? 0 : alpha];
  };
  const over = (top: Colour, below: Colour): Colour => {
    const mix = (at: 0 | 1 | 2) => top[at] * top[3] + below[at] * (1 - top[3]);
    return [mix(0), mix(1), mix(2), 1];
  };
  const luminance = (colour: Colour) => {
    const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
  };
  const contrast = (one: Colour, other: Colour) => {
    const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
  };
  const page = read(getComputedStyle(document.body).backgroundColor);
  const colour = (element: Element, property: "fill" | "stroke" | "color", below: Colour): Colour => {
    let opacity = 1;
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      opacity *= Number(getComputedStyle(at).opacity);
    }
    const found = read(getComputedStyle(element)[property]);
    return over([found[0], found[1], found[2], found[3] * opacity], below);
  };
  const low = new Set<string>();
  const check = (selector: string, property: "fill" | "stroke" | "color", least: number, behind?: string) => {
    for (const element of document.querySelectorAll(selector)) {
      const back = behind === undefined ? null : element.closest(".chip, .node, .edge")?.querySelector(behind);
      const below = back == null ? page : colour(back, "fill", page);
      const ratio = contrast(colour(element, property, below), below);
      if (ratio < least) {
        low.add(`${selector}: ${ratio.toFixed(2)}`);
      }
    }
  };
  check(".node .box", "stroke", 3);
  check(".node .bar", "fill", 3, ".box");
  check(".node .icon", "stroke", 3, ".box");
  check(".node .label", "fill", 4.5, ".box");
  check(".node .detail", "fill", 4.5, ".box");
  check(".chip rect", "stroke", 3);
  check(".chip text", "fill", 4.5, "rect");
  check(".edge .way", "stroke", 3);
  check(".edge .condition", "fill", 4.5, ".plate");
  check(".legend li", "color", 4.5);
  check(".legend .icon", "stroke", 3);
  return [...low];
}

/** What is red in a drawing without a problem. */
export function reds(): string[] {
  const isRed = (text: string) => {
    const scale = text.startsWith("color(") ? 1 : 1 / 255;
    const [red = 0, green = 0, blue = 0] = (text.match(/[\d.]+(e-?\d+)?/g) ?? []).map((number) => Number(number) * scale);
    const saturation = red - Math.min(green, blue);
    // Within 15 degrees of pure red in the circle of hues.
    return red === Math.max(red, green, blue) && saturation > 0.3 && Math.abs(green - blue) < saturation / 4;
  };
  const parts = document.querySelectorAll(".node:not(.wrong, .doubtful, .unknown) *, .edge:not(.unknown) *, .legend *");
  return [...parts].flatMap((part) => {
    const { fill, stroke, color } = getComputedStyle(part);
    return [fill, stroke, color].some(isRed) ? [part.getAttribute("class") ?? part.tagName] : [];
  });
}
