/** The first ten minutes: from an empty window to a scenario that passes, and a new document without a problem. */

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { testScenario } from "../tools.ts";
import { VsCode } from "../vscode.ts";
import { Workbench } from "../workbench.ts";

describe("the first ten minutes", () => {
  const files = mkdtempSync(path.join(tmpdir(), "nodewise-empty-"));
  /** The home folder, which the question for a folder proposes. */
  const project = () => path.join(vscode.workspace, "..", "nodewise-cycgraph");
  let vscode: VsCode;
  let workbench: Workbench;
  const test = (name: string, task: () => Promise<void>) => it(name, () => workbench.step(name, task));
  const box = () => workbench.page.locator(".quick-input-widget input.input");
  const row = (text: string) => workbench.page.locator(".quick-input-list .monaco-list-row").filter({ hasText: text }).first();

  before(async () => {
    vscode = await VsCode.open({ files });
    workbench = new Workbench(vscode, project());
    await vscode.showEmpty();
    // Its icon is there when the workbench knows the commands of the extension.
    await workbench.page.locator(".activitybar [aria-label^='nodewise']").first().waitFor();
  });
  after(async () => {
    await vscode.stop();
    rmSync(files, { recursive: true });
  });

  test("an example project is created from an empty window, and its first graph is shown", async () => {
    await workbench.command("nodewise: Create Example Project…");
    await row("Insurance claims").waitFor();
    await workbench.picture("walkthrough-example", workbench.page.locator(".quick-input-widget"));
    await row("Insurance claims").click();
    await workbench.until("the question for a folder", async () => (await box().inputValue().catch(() => "")).startsWith("/"));
    await workbench.page.locator(".quick-input-widget .monaco-button").filter({ hasText: "Create Here" }).click();
    await workbench.editor("claims.yaml").waitFor();
    assert.ok(readdirSync(project()).includes("claims.scenario.yaml"));
    await workbench.lens("claims.yaml", "id: 0b54", /^Simulate graph/);
    await workbench.screenshot("begin-example");
  });

  test("its graph is simulated with its script, and is a success", async () => {
    await workbench.clickLensUntil("claims.yaml", "id: 0b54", "Simulate graph", "the panel", () => workbench.hasTab("Simulation"));
    const view = await workbench.webview("body.simulation .stepping");
    await view.locator(".summary.good").filter({ hasText: /^completed in/ }).waitFor();
    // The board has little room here, and shows the current node.
    await workbench.until("the current node in view", async () => {
      const [room, now] = await Promise.all([view.locator(".surface").boundingBox(), view.locator(".node.now rect.box").boundingBox()]);
      return room !== null && now !== null && now.y >= room.y && now.y + now.height <= room.y + room.height;
    });
    await workbench.screenshot("begin-simulation");
  });

  test("its scenario passes in the editor", async () => {
    await workbench.open("claims.scenario.yaml");
    const hasPassed = () => workbench.hasLens("claims.scenario.yaml", "scenario:", /^Run scenario · passed/);
    await workbench.clickLensUntil("claims.scenario.yaml", "scenario:", "Run scenario", "a scenario that passed", hasPassed);
    assert.match(testScenario(path.join(project(), "claims.scenario.yaml")), /\b0 failed|passed/);
    await workbench.screenshot("begin-passed");
  });

  test("a new workflow file from File > New File begins with a list of documents, and has no problem", async () => {
    await workbench.command("Create: New File...");
    await row("Agent workflow").waitFor();
    await row("Agent workflow").click();
    const offers = workbench.page.locator(".suggest-widget.visible .monaco-list-row");
    // The system of the open folder is first.
    await offers.first().filter({ hasText: /^cycgraph graph/ }).waitFor();
    await workbench.screenshot("begin-new-file");
    const untitled = workbench.page.locator(".monaco-editor[data-uri^='untitled:']").first();
    // A row that is drawn again between press and release loses the click.
    await workbench.until("the document", async () => {
      await offers.filter({ hasText: /^cycgraph graph/ }).first().click({ timeout: 2000 }).catch(() => undefined);
      return untitled.locator(".view-line").filter({ hasText: /nodes:/ }).first().waitFor({ timeout: 5000 }).then(() => true, () => false);
    });
    await workbench.page.keyboard.press("Escape");
    await workbench.page.keyboard.press("Escape");
    await untitled.locator(".codelens-decoration a").filter({ hasText: "Simulate graph" }).first().waitFor();
    assert.equal(await untitled.locator(".squiggly-error, .squiggly-warning").count(), 0);
    await workbench.screenshot("begin-new-workflow");
  });
});
