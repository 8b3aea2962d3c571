/** Graphs in TypeScript beside VS Code's own extension for TypeScript: each says what it knows, and nothing twice. */

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { FOLDER } from "../tools.ts";
import { VsCode } from "../vscode.ts";
import { Workbench } from "../workbench.ts";

const FILE = "article.ts";
/** The types of the package, as far as the file needs them. */
const TYPES = "export function node<Spec extends { id: string }>(spec: Spec): Spec;\nexport function graph(spec: object): object;\n";

describe("graphs in TypeScript", () => {
  let vscode: VsCode;
  let workbench: Workbench;
  const test = (name: string, task: () => Promise<void>) => it(name, () => workbench.step(name, task));
  const hover = () => workbench.page.locator(".monaco-hover:not(.hidden)").filter({ visible: true });
  const node = (id: string) => `.node[data-node="${id}"]`;

  before(async () => {
    vscode = await VsCode.open({ files: path.join(FOLDER, "test", "files", "modules") });
    const home = path.join(vscode.workspace, "node_modules", "@cycgraph", "orchestrator");
    mkdirSync(home, { recursive: true });
    writeFileSync(path.join(home, "package.json"), JSON.stringify({ name: "@cycgraph/orchestrator", version: "1.4.0", types: "index.d.ts" }));
    writeFileSync(path.join(home, "index.d.ts"), TYPES);
    workbench = new Workbench(vscode);
    await vscode.show(FILE);
    await workbench.line(FILE, "export const article").waitFor();
    await workbench.editor(FILE).locator(".codelens-decoration a").first().waitFor();
  });
  after(() => vscode.stop());

  /** Replaces the name at a place, and waits for a line that has the new one. */
  async function rename(line: number, column: number, name: string, changed: string): Promise<void> {
    await workbench.focusEditor(FILE);
    await workbench.go(line, column);
    await workbench.rename(name, workbench.line(FILE, changed));
    await workbench.command("File: Save All Files");
    await workbench.until("the module on disk", () => workbench.onDisk(FILE).includes(changed));
  }

  test("both extensions underline what they find, and each finding is listed once", async () => {
    await workbench.editor(FILE).locator(".squiggly-warning").first().waitFor();
    await workbench.editor(FILE).locator(".squiggly-error").first().waitFor();
    await workbench.command("Problems: Focus on Problems View");
    const rows = workbench.page.locator(".markers-panel .monaco-list-row[aria-level='2']");
    const found = async () => (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, " "));
    await workbench.until("two problems", async () => (await rows.count()) === 2);
    const texts = await found();
    assert.equal(texts.filter((text) => text.includes("no node writes `outline`")).length, 1, texts.join("\n"));
    assert.equal(texts.filter((text) => text.includes("not assignable")).length, 1, texts.join("\n"));
    await workbench.screenshot("modules-problems");
    await workbench.command("View: Toggle Panel Visibility");
  });

  test("the hover of a state key is ours, that of a constant is TypeScript's", async () => {
    await workbench.hover(workbench.word(FILE, "'notes'"), hover().filter({ hasText: "notes" }).filter({ hasText: "research" }).first());
    await workbench.screenshot("modules-hover");
    await workbench.hover(workbench.word(FILE, "article"), hover().filter({ hasText: "const article: object" }).first());
    const [shown] = await hover().allInnerTexts();
    assert.doesNotMatch(shown ?? "", /nodewise|state key/);
    await workbench.page.keyboard.press("Escape");
  });

  test("an agent is renamed in the module and in the YAML file that declares it", async () => {
    const line = workbench.lineOf(FILE, "const research");
    await rename(line, workbench.onDisk(FILE).split("\n")[line - 1]!.indexOf("'ada'") + 2, "eve", "agent: 'eve'");
    await workbench.until("both files on disk", () =>
      workbench.onDisk("agents.yaml").startsWith("id: eve\n") && !workbench.onDisk(FILE).includes("'ada'"));
  });

  test("a constant is renamed by TypeScript, and no text with it", async () => {
    await workbench.open(FILE);
    const line = workbench.lineOf(FILE, "const write");
    await rename(line, "const w".length, "compose", "const compose = node({ id: 'write'");
    assert.match(workbench.onDisk(FILE), /to: compose, when: "memory\.notes != ''"/);
  });

  test("the graph of the module is drawn, and follows the text", async () => {
    await workbench.focusEditor(FILE);
    await workbench.command("nodewise: Show Graph to the Side");
    const graph = await workbench.webview(`body.graph ${node("research")}`);
    await graph.locator(node("write")).waitFor();
    await workbench.screenshot("modules-graph");
    await workbench.focusEditor(FILE);
    const line = workbench.lineOf(FILE, "const compose");
    await workbench.go(line, workbench.onDisk(FILE).split("\n")[line - 1]!.indexOf("'write'") + 2);
    await workbench.page.keyboard.type("re");
    await graph.locator(node("rewrite")).waitFor();
    await workbench.command("File: Revert File");
    await graph.locator(node("write")).waitFor();
  });

  test("a lens runs the graph of the module dry", async () => {
    await workbench.clickLensUntil(FILE, "export const article", "Simulate graph", "the panel", () => workbench.hasTab("Simulation"));
    const panel = await workbench.webview("body.simulation .stepping");
    await panel.locator(`${node("research")}.visited`).waitFor();
    await panel.locator(`${node("write")}.visited`).waitFor();
    await workbench.screenshot("modules-simulation");
  });
});
