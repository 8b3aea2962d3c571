/**
 * Accessibility of a view, as axe-core checks it.
 *
 * Input: the document of a webview. Output: violations, each with its rule and the first elements. Invariant: the whole
 * document is checked with the rules of WCAG 2.1 A and AA and the best practices.
 */

import axe from "axe-core";
import type { Frame } from "playwright-core";

/** Rules about whole pages, which do not apply to a view inside of an editor. */
const OF_PAGES = ["landmark-one-main", "region", "page-has-heading-one", "document-title"];

export async function violations(view: Frame): Promise<string[]> {
  await view.evaluate(axe.source);
  return view.evaluate(async (ignored) => {
    const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
    const found = await axe.run(document, { rules: Object.fromEntries(ignored.map((rule) => [rule, { enabled: false }])) });
    return found.violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`);
  }, OF_PAGES);
}
