/**
 * What a person sees and does in the workbench, as functions for the tests.
 *
 * Input: a page with the workbench. Output: locators, and assertions that wait. Invariant: tests wait for visible
 * changes, never for a fixed time.
 */

import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";

import type { ElementHandle, Frame, Locator, Page } from "playwright-core";

import type { VsCode } from "./vscode.ts";

/** The maximum time to wait. What is not visible by then never will be. */
const TIMEOUT_MS = 60_000;
/** After this time without an effect, a key or click is repeated, because something else has taken the focus. */
const AGAIN_MS = 5_000;
/** The time between two checks of a view whether it has the focus. */
const VIEW_LOOK_MS = 250;
/** The time between two checks of something that sends no event when it changes. */
const LOOK_MS = 50;

export class Workbench {
  readonly page: Page;
  private readonly vscode: VsCode;
  private readonly folder: string;

  /** `folder` is the open one, if it is not the copy of the test's files. */
  constructor(vscode: VsCode, folder = vscode.workspace) {
    this.vscode = vscode;
    this.folder = folder;
    this.page = vscode.page;
    this.page.setDefaultTimeout(TIMEOUT_MS);
  }

  editor(file: string): Locator {
    return this.page.locator(`.monaco-editor[data-uri$='/${file}']`).first();
  }

  /** A line of an editor, by a text in it. */
  line(file: string, text: string): Locator {
    // The editor writes spaces as no-break spaces.
    const pattern = new RegExp(literal(text).replace(/ /g, "\\s"));
    return this.editor(file).locator(".view-line").filter({ hasText: pattern }).first();
  }

  /** The innermost part of a line that contains a text. */
  word(file: string, text: string): Locator {
    return this.editor(file).locator(".view-line span span").filter({ hasText: text }).first();
  }

  async command(title: string): Promise<void> {
    await this.until(`the command ${title}`, () => this.choose("F1", `>${title}`, title));
  }

  /** Lists the commands for a text, when one with a title is among them. */
  async commandsFor(text: string, title: string): Promise<Locator> {
    const rows = this.page.locator(".quick-input-list .monaco-list-row");
    await this.until(`the command ${title}`, async () => {
      const isListed = (await this.write("F1", `>${text}`)) && (await rows.filter({ hasText: title }).first().waitFor({ timeout: AGAIN_MS }).then(() => true, () => false));
      if (!isListed) {
        await this.page.keyboard.press("Escape");
      }
      return isListed;
    });
    return rows;
  }

  /** Clicks a lens of the line with a text, in an editor whose file is saved. It first goes to the line, which scrolls. */
  async clickLens(file: string, text: string, title: string): Promise<void> {
    await this.focusEditor(file);
    await this.go(this.lineOf(file, text), 1);
    await this.until(`a click on the lens ${title} of ${text}`, async () => {
      const lens = await this.lensNow(file, text, new RegExp(`^${literal(title)}( ·|$)`));
      // If the lens was created again meanwhile, click it again.
      return lens !== undefined && lens.click({ timeout: AGAIN_MS }).then(() => true, () => false);
    });
  }

  /**
   * Clicks a lens until the click has an effect. A lens that is drawn again between press and release loses the click,
   * and a person clicks again then.
   */
  async clickLensUntil(file: string, text: string, title: string, what: string, look: () => Promise<boolean>): Promise<void> {
    await this.until(what, async () => {
      await this.clickLens(file, text, title);
      const end = Date.now() + AGAIN_MS;
      while (!(await look())) {
        if (Date.now() > end) {
          return false;
        }
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
      return true;
    });
  }

  /** Waits until a visible line has a lens with a text. */
  async lens(file: string, text: string, said: RegExp): Promise<void> {
    await this.until(`the lens ${said} of ${text}`, () => this.hasLens(file, text, said));
  }

  /** Whether a visible line has a lens with a text now. */
  async hasLens(file: string, text: string, said: RegExp): Promise<boolean> {
    return (await this.lensNow(file, text, said)) !== undefined;
  }

  /** The lens directly above a line. Lenses in the page are in any order, and can belong to lines that are not visible. */
  private async lensNow(file: string, text: string, said: RegExp): Promise<ElementHandle<HTMLElement> | undefined> {
    const find = (editor: Element, { text, said }: { text: string; said: RegExp }) => {
      const plain = (element: Element) => (element.textContent ?? "").replace(/\s/g, " ");
      const place = (element: Element) => element.getBoundingClientRect();
      const lines = [...editor.querySelectorAll(".view-line")].filter((line) => plain(line).includes(text));
      const [line] = lines.sort((one, other) => place(one).top - place(other).top);
      return [...editor.querySelectorAll<HTMLElement>(".codelens-decoration a")].find((lens) => {
        const isAbove = line !== undefined && Math.abs(place(lens).bottom - place(line).top) < place(line).height / 2;
        return isAbove && said.test(plain(lens));
      });
    };
    const editor = this.editor(file);
    const found = (await editor.count()) > 0 ? await editor.evaluateHandle(find, { text, said }).catch(() => undefined) : undefined;
    return (found?.asElement() ?? undefined) as ElementHandle<HTMLElement> | undefined;
  }

  /** Types into the box at the top that a key opens. Returns whether the box accepted it. */
  private async write(key: string, text: string): Promise<boolean> {
    await this.viewsReported();
    await this.page.keyboard.press(key);
    return this.page.locator(".quick-input-widget input.input").fill(text, { timeout: AGAIN_MS }).then(() => true, () => false);
  }

  /**
   * Accepts the first item for a text in the box at the top. Returns whether that was possible. The box closes whenever
   * something else takes the focus. A click would not work, because a row gets another item while the search continues.
   */
  private async choose(key: string, text: string, title: string): Promise<boolean> {
    if (!(await this.write(key, text))) {
      return false;
    }
    const first = this.page.locator(".quick-input-list .monaco-list-row.focused").filter({ hasText: title });
    const taken = first.waitFor({ timeout: AGAIN_MS }).then(() => this.enter());
    return taken.then(() => true, async () => {
      // An open box does not notice commands that come later, for instance those of an extension that starts.
      await this.page.keyboard.press("Escape");
      return false;
    });
  }

  /** Types only into the box at the top while it has the focus, because elsewhere a line break would change a text. */
  private enter(): Promise<void> {
    return this.page.locator(".quick-input-widget input.input:focus").press("Enter", { timeout: AGAIN_MS });
  }

  /**
   * Waits until every visible lens is complete: the number of references comes last, behind a line. Only while the editor has the
   * focus: when it leaves, VS Code cancels a request for lenses that waits, and repeats it when the focus is back.
   */
  async lensesReadyIn(file: string): Promise<void> {
    const areReady = (editor: Element) => {
      const view = editor.getBoundingClientRect();
      const isInView = ({ top, bottom }: DOMRect) => top >= view.top && bottom <= view.bottom;
      const inView = [...editor.querySelectorAll(".codelens-decoration")].filter((lens) => isInView(lens.getBoundingClientRect()));
      return inView.length > 0 && inView.every((lens) => /[^|\s]\s*$/.test(lens.textContent ?? ""));
    };
    await this.until(`the references of the lenses in ${file}`, () => this.editor(file).evaluate(areReady));
  }

  /** Whether a view has the focus. */
  private isInView(): Promise<boolean> {
    return this.page.evaluate(() => document.activeElement instanceof HTMLIFrameElement);
  }

  /**
   * Waits until the view with the focus has reported it to the workbench. A view checks its focus only four times a
   * second. A report after the next action would make its column active again, and the next key would go there.
   */
  private async viewsReported(): Promise<void> {
    if (await this.isInView()) {
      const view = await (await this.page.evaluateHandle(() => document.activeElement as Element)).contentFrame();
      // A timer that starts now in the view ends after its next check. After that, the workbench handles the report.
      await view?.evaluate((time) => new Promise((resolve) => setTimeout(resolve, time)), VIEW_LOOK_MS).catch(() => undefined);
      await this.page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    }
  }

  /** Gives the focus to an editor, whose column is then the active one. */
  async focusEditor(file: string): Promise<void> {
    await this.viewsReported();
    await this.editor(file).locator(".margin").first().click();
    await this.editor(file).locator(".cursors-layer .cursor, .native-edit-context:focus, textarea.inputarea:focus").first().waitFor({ state: "attached" });
  }

  /** Opens a file in the active column, or in the first one if a view has the focus. */
  async open(file: string): Promise<void> {
    if (await this.isInView()) {
      await this.leaveView();
    }
    await this.until(`${file} is open`, async () =>
      (await this.choose("Control+P", file, path.basename(file))) && this.editor(file).waitFor({ timeout: AGAIN_MS }).then(() => true, () => false));
  }

  /** Moves the cursor to a place, from 1. */
  async go(line: number, column: number): Promise<void> {
    const answer = this.page.locator(".quick-input-list .monaco-list-row").first();
    await this.until(`an editor to go to line ${line} in`, async () => {
      if (!(await this.write("Control+G", `:${line}:${column}`))) {
        return false;
      }
      if (/text editor first/.test(await answer.innerText({ timeout: AGAIN_MS }).catch(() => "text editor first"))) {
        // A webview reports its focus late, and is then the active editor.
        await this.page.keyboard.press("Escape");
        await this.page.keyboard.press("Control+1");
        return false;
      }
      return this.enter().then(() => this.cursorAt(line, column, AGAIN_MS)).then(() => true, () => false);
    });
  }

  async cursorAt(line: number, column?: number, timeout = TIMEOUT_MS): Promise<void> {
    const at = column === undefined ? `Ln ${line},` : `Ln ${line}, Col ${column}`;
    await this.page.locator("#status\\.editor\\.selection").filter({ hasText: at }).waitFor({ timeout });
  }

  /** Goes from a view in the second column to the text in the first one. */
  async leaveView(): Promise<void> {
    await this.viewsReported();
    await this.page.keyboard.press("Control+1");
    await this.column(0).and(this.page.locator(".active")).locator(":focus").first().waitFor({ state: "attached" });
  }

  /** Whether a tab has a title. */
  async hasTab(title: string): Promise<boolean> {
    return (await this.page.locator(".tab").filter({ hasText: title }).count()) > 0;
  }

  async save(): Promise<void> {
    await this.page.keyboard.press("Control+S");
    await this.page.locator(".tab.active:not(.dirty)").waitFor();
  }

  /** Chooses an item of the menu of something, until what it leads to is visible. */
  async chooseInMenu(of: Locator, item: string, next: Locator): Promise<void> {
    const found = this.page.locator(".monaco-menu .action-label").filter({ hasText: item });
    // A menu closes when something else takes the focus, and ignores clicks just after it opened: then it is still there.
    await this.until(`what “${item}” leads to`, async () => {
      if (!(await found.isVisible())) {
        await of.click({ button: "right", timeout: AGAIN_MS }).catch(() => undefined);
      }
      return (await this.clickMenuItem(found)) && next.waitFor({ timeout: AGAIN_MS }).then(() => true, () => false);
    });
  }

  /** Clicks an item of a menu, and waits until the menu is closed. To open it again before that would undo what the click did. */
  private async clickMenuItem(item: Locator): Promise<boolean> {
    await item.click({ timeout: 1000 }).catch(() => undefined);
    return item.waitFor({ state: "hidden", timeout: 1000 }).then(() => true, () => false);
  }

  /** Opens the menu of fixes at the cursor. It closes whenever something else takes the focus. */
  async showFix(title: string): Promise<Locator> {
    const item = this.page.locator(".action-widget .monaco-list-row").filter({ hasText: title }).first();
    await this.until(`the fix ${title}`, async () => {
      if (!(await item.isVisible())) {
        await this.page.keyboard.press("Control+.");
      }
      return item.waitFor({ timeout: AGAIN_MS }).then(() => true, () => false);
    });
    return item;
  }

  /** Chooses a fix at the cursor, until what it leads to is visible. */
  async chooseFix(title: string, next: Locator): Promise<void> {
    await this.until(`what the fix “${title}” leads to`, async () => {
      const item = await this.showFix(title);
      return (await this.clickMenuItem(item)) && next.waitFor({ timeout: 2 * AGAIN_MS }).then(() => true, () => false);
    });
  }

  /** Renames what is at the cursor, until a line has the new name. The box closes whenever something else takes the focus. */
  async rename(name: string, changed: Locator): Promise<void> {
    const box = this.page.locator(".rename-box input");
    await this.until(`the new name ${name}`, async () => {
      await this.page.keyboard.press("F2");
      const isWritten = await box.fill(name, { timeout: AGAIN_MS }).then(() => box.press("Enter", { timeout: AGAIN_MS })).then(() => true, () => false);
      return isWritten && changed.waitFor({ timeout: 2 * AGAIN_MS }).then(() => true, () => false);
    });
  }

  /** Opens a row of a tree. A row that is drawn again between press and release loses the click. */
  async expand(row: Locator): Promise<void> {
    const open = row.and(this.page.locator("[aria-expanded='true']"));
    await this.until("an open row", async () => {
      if ((await open.count()) > 0) {
        return true;
      }
      await row.locator(".monaco-tl-twistie").click({ timeout: AGAIN_MS }).catch(() => undefined);
      // A second click before the first one has an effect would undo it.
      return open.waitFor({ timeout: AGAIN_MS }).then(() => true, () => false);
    });
  }

  /** Moves the pointer to something, until what that shows is visible. */
  async hover(of: Locator, shown: Locator): Promise<void> {
    await this.until("what the pointer shows", async () => {
      // The pointer comes from elsewhere, so that the editor asks again if lines moved below it.
      await this.page.mouse.move(10, 10);
      await of.hover({ timeout: AGAIN_MS }).catch(() => undefined);
      return shown.waitFor({ timeout: AGAIN_MS }).then(() => true, () => false);
    });
  }

  /** Saves with the default of a save dialog, and returns the name of the file. */
  async saveAs(offered: string): Promise<string> {
    const input = this.page.locator(".quick-input-widget input.input");
    await this.until(`the name ${offered}`, async () => (await input.inputValue().catch(() => "")).endsWith(offered));
    // The box stays when a menu that closes gives the focus back to its list.
    await input.press("Enter");
    await this.page.locator(".tab.active").filter({ hasText: offered }).waitFor();
    return path.join(this.folder, offered);
  }

  onDisk(file: string): string {
    return readFileSync(path.join(this.folder, file), "utf8");
  }

  /** The number of the first line on disk that contains a text, from 1. */
  lineOf(file: string, text: string): number {
    const index = this.onDisk(file).split("\n").findIndex((line) => line.includes(text));
    if (index < 0) {
      throw new Error(`${file} has no line with ${text}`);
    }
    return index + 1;
  }

  /** The document of a webview, by something that it contains. */
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

  /** Waits until something exists. */
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

  /** Runs a step, and takes a screenshot if it fails. */
  async step(name: string, task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      await this.screenshot(`failed: ${name}`.replace(/[^\w-]+/g, "-"));
      throw error;
    }
  }

  async screenshot(name: string): Promise<void> {
    await this.page.screenshot({ path: this.pictureFile(name) });
  }

  /** A picture of a part of the workbench, for the walkthrough. */
  async picture(name: string, part: Locator): Promise<void> {
    await part.screenshot({ path: this.pictureFile(name) });
  }

  /** The part with the editors of a column, from 0. */
  column(number: number): Locator {
    return this.page.locator(".editor-group-container").nth(number);
  }

  private pictureFile(name: string): string {
    const folder = this.vscode.tools.results;
    mkdirSync(folder, { recursive: true });
    return path.join(folder, `${name}.png`);
  }
}

/** A pattern that matches exactly this text. */
function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
