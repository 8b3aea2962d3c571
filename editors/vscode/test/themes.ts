/**
 * The default themes of VS Code, and what must hold of a graph in each.
 *
 * Input: a workbench with a graph. Output: failed assertions. Invariant: afterwards the theme is the first one again.
 */

import assert from "node:assert/strict";

import type { Frame } from "playwright-core";

import { violations } from "./axe.ts";
import { lowContrasts, reds } from "./contrast.ts";
import type { VsCode } from "./vscode.ts";
import type { Workbench } from "./workbench.ts";

/** Each theme, and the class of a page that has it. */
const THEMES = [
  ["Dark Modern", "vscode-dark"],
  ["Light Modern", "vscode-light"],
  ["Default High Contrast", "vscode-high-contrast"],
  ["Default High Contrast Light", "vscode-high-contrast-light"],
] as const;

/** Checks that a graph can be seen in each theme, and that nothing is red that is not wrong. Keeps a picture of each. */
export async function checkThemes(vscode: VsCode, workbench: Workbench, view: Frame, name: string): Promise<void> {
  const change = async ([theme, kind]: (typeof THEMES)[number]) => {
    vscode.change({ "workbench.colorTheme": theme });
    await view.locator(`body.${kind}`).waitFor();
  };
  for (const theme of THEMES) {
    await change(theme);
    await workbench.screenshot(`${name}-${theme[1]}`);
    assert.deepEqual(await view.evaluate(lowContrasts), [], theme[0]);
    assert.deepEqual(await view.evaluate(reds), [], theme[0]);
    assert.deepEqual(await violations(view), [], theme[0]);
  }
  await change(THEMES[0]);
}
