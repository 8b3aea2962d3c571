/**
 * What a person sees and does in the workbench, in the words of the tests.
 *
 * Input: a page with the workbench; output: locators, and assertions that wait. Invariant: nothing waits for a time, only
 * for something to be seen.
 */

import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";

import type { Frame, Locator, Page } from "playwright-core";

import type { VsCode } from "./vscode.ts";

const TIMEOUT_MS = 25_000;
/** How often something is looked at that gives no sign when it changes. */
const LOOK_MS = 50;

export class Workbench {
  readonly page: Page;
  private readonly vscode: VsCode;

  constructor(vscode: VsCode) {
    this.vscode = vscode;
    this.page = vscode.page;
    this.page.setDefaultTimeout(TIMEOUT_MS);
  }

  editor(file: string): Locator {
    return this.page.locator(`.monaco-editor[data-uri$='/${file}']`).first();
  }

  /** A line of an editor, by what it holds. */
  line(file: string, text: string): Locator {
    // The editor writes blanks as no-break spaces.
    const pattern = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/ /g, "\\s"));
    return this.editor(file).locator(".view-line").filter({ hasText: pattern }).first();
  }

  /** The innermost part of a line that holds a text. */
  word(file: string, text: string): Locator {
    return this.editor(file).locator(".view-line span span").filter({ hasText: text }).first();
  }

  async command(title: string): Promise<void> {
    await this.page.keyboard.press("F1");
    const input = this.page.locator(".quick-input-widget input.input");
    await input.fill(`>${title}`);
    await this.page.locator(".quick-input-list .monaco-list-row").filter({ hasText: title }).first().click();
  }

  /** Waits until every lens in view says something, for a picture: one that never does spoils no test. */
  async lensesToldIn(file: string): Promise<void> {
    const lenses = this.editor(file).locator(".codelens-decoration");
    const told = async () => (await lenses.count()) > 0 && (await lenses.filter({ hasNot: this.page.locator("a") }).count()) === 0;
    await this.until(`lenses in ${file}`, told).catch(() => undefined);
  }

  /** Gives an editor the keyboard, wherever its cursor is. */
  async focusEditor(file: string): Promise<void> {
    await this.editor(file).locator(".margin").first().click();
    await this.editor(file).locator(".cursors-layer .cursor, .native-edit-context:focus, textarea.inputarea:focus").first().waitFor({ state: "attached" });
  }

  async open(file: string): Promise<void> {
    await this.page.keyboard.press("Control+P");
    await this.page.locator(".quick-input-widget input.input").fill(file);
    await this.page.locator(".quick-input-list .monaco-list-row").filter({ hasText: path.basename(file) }).first().click();
    await this.editor(file).waitFor();
  }

  /** Puts the cursor at a place, from 1. */
  async go(line: number, column: number): Promise<void> {
    const answer = this.page.locator(".quick-input-list .monaco-list-row").first();
    await this.until(`an editor to go to line ${line} in`, async () => {
      await this.page.keyboard.press("Control+G");
      await this.page.locator(".quick-input-widget input.input").fill(`:${line}:${column}`);
      if (!/text editor first/.test(await answer.innerText())) {
        return true;
      }
      // A webview says late that it was given the keyboard, and counts as the active editor then.
      await this.page.keyboard.press("Escape");
      await this.page.keyboard.press("Control+1");
      return false;
    });
    await this.page.keyboard.press("Enter");
    await this.cursorAt(line, column);
  }

  async cursorAt(line: number, column?: number): Promise<void> {
    const at = column === undefined ? `Ln ${line},` : `Ln ${line}, Col ${column}`;
    await this.page.locator("#status\\.editor\\.selection").filter({ hasText: at }).waitFor();
  }

  async save(): Promise<void> {
    await this.page.keyboard.press("Control+S");
    await this.page.locator(".tab.active:not(.dirty)").waitFor();
  }

  /** Saves what a dialog for saving offers, and gives back the name of the file. */
  async saveAs(offered: string): Promise<string> {
    const input = this.page.locator(".quick-input-widget input.input");
    await this.until(`the name ${offered}`, async () => (await input.inputValue().catch(() => "")).endsWith(offered));
    await this.page.keyboard.press("Enter");
    await this.page.locator(".tab.active").filter({ hasText: offered }).waitFor();
    return path.join(this.vscode.workspace, offered);
  }

  onDisk(file: string): string {
    return readFileSync(path.join(this.vscode.workspace, file), "utf8");
  }

  /** The number of the first line on disk that holds a text, from 1. */
  lineOf(file: string, text: string): number {
    const index = this.onDisk(file).split("\n").findIndex((line) => line.includes(text));
    if (index < 0) {
      throw new Error(`${file} has no line with ${text}`);
    }
    return index + 1;
  }

  /** The document of a webview, known by something that it holds. */
  async webview(selector: string): Promise<Frame> {
    return this.until(`a webview with ${selector}`, async () => {
      for (const frame of this.page.frames()) {
        if ((await frame.locator(selector).count().catch(() => 0)) > 0) {
          return frame;
        }
      }
      return undefined;
    });
  }

  /** Waits until something is there. */
  async until<T>(what: string, look: () => Promise<T | undefined | false> | T | undefined | false): Promise<T> {
    const end = Date.now() + TIMEOUT_MS;
    while (Date.now() < end) {
      const found = await look();
      if (found !== undefined && found !== false) {
        return found;
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    throw new Error(`waited in vain for ${what}`);
  }

  /** Runs a step, with a picture of what was seen where it fails. */
  async step(name: string, task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      await this.screenshot(`failed: ${name}`.replace(/[^\w-]+/g, "-"));
      throw error;
    }
  }

  async screenshot(name: string): Promise<void> {
    const folder = this.vscode.tools.results;
    mkdirSync(folder, { recursive: true });
    await this.page.screenshot({ path: path.join(folder, `${name}.png`) });
  }
}
