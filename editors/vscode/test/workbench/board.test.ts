/** Edits on the board, checked in the file, and taken back with one key. */

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import type { Frame } from "playwright-core";

import { FOLDER } from "../tools.ts";
import { VsCode } from "../vscode.ts";
import { Workbench } from "../workbench.ts";

const FILE = "flow.yaml";

describe("edits on the board", () => {
  let vscode: VsCode;
  let workbench: Workbench;
  let original = "";
  /** The places of the nodes and edges of the original graph. */
  let drawn: string[] = [];
  const test = (name: string, task: () => Promise<void>) => it(name, () => workbench.step(name, task));
  const node = (id: string) => `.node[data-node="${id}"]`;
  const view = () => workbench.webview(node("sort"));
  const places = async () => (await view()).locator(".node, .edge .way").evaluateAll((all) =>
    all.map((one) => [(one as SVGElement).dataset["node"], one.getAttribute("transform"), one.getAttribute("d")].join(" ")).sort());

  before(async () => {
    vscode = await VsCode.open({ files: path.join(FOLDER, "test", "files", "board") });
    workbench = new Workbench(vscode);
    original = workbench.onDisk(FILE);
    await vscode.show(FILE);
    await workbench.line(FILE, "name: flow").waitFor();
    await workbench.editor(FILE).locator(".codelens-decoration a").first().waitFor();
    await workbench.command("nodewise: Show Graph to the Side");
    drawn = await places();
  });
  after(() => vscode.stop());

  /** Clicks a node, which gives it the focus of the keyboard. */
  async function choose(board: Frame, id: string): Promise<void> {
    await board.locator(`${node(id)} .box`).click();
    await board.locator(`${node(id)}.focused`).waitFor();
  }

  async function answer(text: string): Promise<void> {
    const input = workbench.page.locator(".quick-input-widget:visible input.input");
    await input.fill(text);
    await workbench.page.locator(".quick-input-list .monaco-list-row.focused, .quick-input-message").filter({ visible: true }).first().waitFor();
    await input.press("Enter");
  }

  /** Saves the file, and compares it with what it was, with some replacements. */
  async function expectFile(...replaced: [string, string][]): Promise<void> {
    let expected = original;
    for (const [before, after] of replaced) {
      assert.ok(expected.includes(before), before);
      expected = expected.replace(before, after);
    }
    await workbench.until(`the text ${JSON.stringify(replaced)}`, async () => {
      await workbench.focusEditor(FILE);
      await workbench.page.keyboard.press("Control+S");
      return workbench.onDisk(FILE) === expected;
    });
  }

  /** Waits until the board shows the original graph. What is clicked there then stays in its place. */
  async function expectBoard(): Promise<void> {
    await workbench.until("the old board", async () => (await places()).join("\n") === drawn.join("\n"));
  }

  /** One key takes everything back that one edit did. */
  async function undo(): Promise<void> {
    await workbench.focusEditor(FILE);
    await workbench.page.keyboard.press("Control+Z");
    await workbench.until("the old text", async () => {
      await workbench.page.keyboard.press("Control+S");
      return workbench.onDisk(FILE) === original;
    });
    await expectBoard();
  }

  test("a node is added after another one", async () => {
    const board = await view();
    await choose(board, "check");
    await workbench.page.keyboard.press("Insert");
    await answer("router");
    await answer("wait");
    await board.locator(node("wait")).waitFor();
    await workbench.screenshot("board-added");
    await expectFile(
      ["  - {id: check, type: router}\n", "  - {id: check, type: router}\n  - {id: wait, type: router}\n"],
      ["memory.score > 3}\n", "memory.score > 3}\n  - source: check\n    target: wait\n"],
      ["end_nodes: [answer]", "end_nodes: [answer, wait]"],
    );
    await board.locator(".edge .condition", { hasText: "else" }).waitFor();
    await undo();
    assert.equal(await board.locator(node("wait")).count(), 0);
  });

  test("a node is renamed, and a name that is taken is refused while it is typed", async () => {
    const board = await view();
    await choose(board, "check");
    await workbench.page.keyboard.press("F2");
    const input = workbench.page.locator(".quick-input-widget:visible input.input");
    await input.fill("answer");
    await workbench.page.locator(".quick-input-message").filter({ hasText: "already exists" }).waitFor();
    await input.fill("judge");
    await workbench.page.locator(".quick-input-message").filter({ hasText: "The name of the node" }).waitFor();
    await input.press("Enter");
    await board.locator(node("judge")).waitFor();
    await expectFile(["id: check", "id: judge"], ["target: check", "target: judge"], ["source: check", "source: judge"]);
    await undo();
  });

  test("a node is deleted with its edges; the first one cannot be", async () => {
    const board = await view();
    await choose(board, "answer");
    await workbench.page.keyboard.press("Delete");
    await board.locator(node("answer")).waitFor({ state: "detached" });
    await expectFile(
      ["  - {id: answer, type: router}\n", ""],
      ["  - source: check\n    target: answer\n    condition: {type: conditional, condition: memory.score > 3}\n", ""],
      ["end_nodes: [answer]", "end_nodes: []"],
    );
    await undo();
    await choose(board, "sort");
    await workbench.page.keyboard.press("Delete");
    await workbench.page.locator(".notification-toast").filter({ hasText: "Runs start at" }).waitFor();
    await workbench.page.keyboard.press("Escape");
    await expectFile();
  });

  test("two nodes are connected with the keyboard; the board asks for the condition that the edge needs", async () => {
    const board = await view();
    await choose(board, "sort");
    await workbench.page.keyboard.press("c");
    await board.locator(".status").filter({ hasText: "Press Enter to connect" }).waitFor();
    await workbench.page.keyboard.press("End");
    await workbench.page.keyboard.press("ArrowUp");
    await board.locator(`${node("answer")}.focused`).waitFor();
    await workbench.page.keyboard.press("Enter");
    const field = board.locator(".condition-field input");
    await field.waitFor();
    await field.fill("memory.sc");
    await board.locator(".condition-field li", { hasText: "score" }).first().waitFor();
    await workbench.screenshot("board-condition");
    // Keys that follow at once are for the names that fit what was written before them, not for those of the list that is still shown.
    await field.fill("go");
    await board.locator(".condition-field li").first().filter({ hasText: "goal" }).waitFor();
    await field.evaluate((input: HTMLInputElement) => {
      input.value = "memory.sc";
      input.dispatchEvent(new InputEvent("input", { bubbles: true }));
      for (const key of ["ArrowDown", "Enter"]) {
        input.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      }
    });
    await workbench.until("the completed name", async () => (await field.inputValue()).includes("score"));
    await field.fill(`${await field.inputValue()} > 9`);
    await field.press("Enter");
    await expectFile(["  - {source: sort, target: check}\n", "  - {source: sort, target: answer, condition: {type: conditional, condition: memory.score > 9}}\n  - {source: sort, target: check}\n"]);
    await undo();
  });

  test("two nodes are connected by dragging from a port", async () => {
    const board = await view();
    await board.locator(`${node("answer")} .box`).hover();
    await choose(board, "check");
    const [port, target] = [await board.locator(".port:not(.hidden)").boundingBox(), await board.locator(`${node("sort")} .box`).boundingBox()];
    assert.ok(port !== null && target !== null);
    const { mouse } = workbench.page;
    await mouse.move(port.x + port.width / 2, port.y + port.height / 2);
    await mouse.down();
    await mouse.move(target.x + target.width / 2, target.y + target.height / 2, { steps: 8 });
    await board.locator(`${node("sort")}.target`).waitFor();
    await workbench.screenshot("board-drag");
    await mouse.up();
    await expectFile(["memory.score > 3}\n", "memory.score > 3}\n  - source: check\n    target: sort\n"]);
    await undo();
  });

  test("the menu of an edge changes its condition, with the values of the last run", async () => {
    await workbench.focusEditor(FILE);
    await workbench.clickLensUntil(FILE, "id: flow", "Simulate graph", "the panel", () => workbench.hasTab("Simulation"));
    await workbench.webview("body.simulation .steps li");
    await workbench.command("nodewise: Show Graph to the Side");
    const board = await view();
    const field = board.locator(".condition-field input");
    await workbench.chooseInMenu(board.locator(".edge .condition", { hasText: "memory.score" }), "Edit Condition", field);
    await board.locator(".condition-field .holds").waitFor();
    await board.locator(".condition-field .part", { hasText: "memory.score = 5" }).waitFor();
    await field.fill("memory.score > 7");
    await board.locator(".condition-field .fails").waitFor();
    await workbench.screenshot("board-condition-values");
    await board.locator(".condition-field button", { hasText: "Apply" }).click();
    await expectFile(["memory.score > 3", "memory.score > 7"]);
    await undo();
  });

  test("the board and the text stay in step while the text is broken", async () => {
    const board = await view();
    await workbench.focusEditor(FILE);
    await workbench.go(workbench.lineOf(FILE, "inputs:"), 1);
    await workbench.page.keyboard.type("? broken: [");
    await workbench.page.keyboard.press("Enter");
    await workbench.line(FILE, "? broken: [").waitFor();
    await choose(board, "check");
    await workbench.page.keyboard.press("F2");
    await answer("judge");
    await board.locator(node("judge")).waitFor();
    await workbench.line(FILE, "id: judge").waitFor();
    await workbench.focusEditor(FILE);
    await workbench.command("File: Revert File");
    await expectBoard();
  });

  /** Waits until a file has all of its content. It exists before. */
  const written = (name: string, end: RegExp) =>
    workbench.until(`the file ${name}`, () => existsSync(path.join(vscode.workspace, name)) && end.test(readFileSync(path.join(vscode.workspace, name), "latin1")));
  const SVG_END = /<\/svg>\s*$/;
  const PNG_END = /IEND[^]{4}$/;

  test("the graph is exported as SVG, PNG and Mermaid", async () => {
    await view();
    for (const [choice, name, end] of [["SVG file, in the colours of the theme", "flow.svg", SVG_END], ["PNG file, in black and white", "flow.png", PNG_END], ["Mermaid file", "flow.mmd", /\S\s*$/]] as const) {
      await workbench.focusEditor(FILE);
      await workbench.command("nodewise: Export Graph…");
      await answer(choice);
      const input = workbench.page.locator(".quick-input-widget:visible input.input");
      await workbench.until(`the name ${name}`, async () => (await input.inputValue().catch(() => "")).endsWith(name));
      await input.press("Enter");
      await written(name, end);
    }
    const svg = workbench.onDisk("flow.svg");
    assert.match(svg, /^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    for (const text of ["sort", "check", "answer", "memory.score"]) {
      assert.ok(svg.includes(text), text);
    }
    assert.doesNotMatch(svg, /var\(|class=|<script|href/);
    const png = readFileSync(path.join(vscode.workspace, "flow.png"));
    assert.deepEqual([...png.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
    // The picture has two points for each unit of the drawing.
    const [, width = "0", height = "0"] = /viewBox="\S+ \S+ (\d+) (\d+)"/.exec(svg) ?? [];
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [2 * Number(width), 2 * Number(height)]);
    assert.match(workbench.onDisk("flow.mmd"), /^flowchart TD\n[^]*memory\.score/);
  });

  test("the graph is copied as SVG and Mermaid", async () => {
    const { page } = workbench;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const text = () => page.evaluate(() => navigator.clipboard.readText()).catch(() => "");
    for (const [choice, copied] of [["Copy as SVG", /^<svg [^]*memory\.score/], ["Copy as Mermaid", /^flowchart TD\n[^]*memory\.score/]] as const) {
      await workbench.focusEditor(FILE);
      await workbench.command("nodewise: Export Graph…");
      await answer(choice);
      await workbench.until(choice, async () => copied.test(await text()));
    }
    assert.equal(await page.locator(".notification-toast .codicon-error").count(), 0);
  });

  test("the graph is copied as PNG", async () => {
    const { page } = workbench;
    const copied = page.locator(".statusbar-item", { hasText: "The graph is in the clipboard" });
    // What the last copy said is there for some seconds.
    await copied.waitFor({ state: "detached" });
    await workbench.focusEditor(FILE);
    await workbench.command("nodewise: Export Graph…");
    await answer("Copy as PNG");
    await copied.waitFor();
    // The page reads when it has the focus again.
    const size = await workbench.until("a picture in the clipboard", () =>
      page.evaluate(async () => {
        window.focus();
        const [item] = await navigator.clipboard.read();
        const picture = item?.types.includes("image/png") === true ? await createImageBitmap(await item.getType("image/png")) : undefined;
        return picture === undefined ? undefined : { width: picture.width, height: picture.height };
      }).catch(() => undefined));
    const png = readFileSync(path.join(vscode.workspace, "flow.png"));
    assert.deepEqual([size.width, size.height], [png.readUInt32BE(16), png.readUInt32BE(20)]);
  });

  test("if the browser refuses to copy, the graph can be saved", async () => {
    const { page } = workbench;
    await page.context().clearPermissions();
    // A grant refuses every other permission.
    await page.context().grantPermissions(["geolocation"]);
    await workbench.focusEditor(FILE);
    await workbench.command("nodewise: Export Graph…");
    await answer("Copy as PNG");
    const notice = page.locator(".notification-toast", { hasText: "The graph was not copied:" });
    await notice.locator(".monaco-button", { hasText: "Save as File…" }).click();
    const input = page.locator(".quick-input-widget:visible input.input");
    await workbench.until("a name for the file", async () => (await input.inputValue().catch(() => "")).endsWith("flow.png"));
    await input.fill((await input.inputValue()).replace("flow.png", "copied.png"));
    await input.press("Enter");
    await written("copied.png", PNG_END);
    const [saved, png] = ["copied.png", "flow.png"].map((file) => readFileSync(path.join(vscode.workspace, file)));
    assert.deepEqual(saved?.subarray(0, 24), png?.subarray(0, 24));
  });
});
