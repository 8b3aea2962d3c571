/** The view of runs: listed, found, opened, repeated, compared and saved. */

import assert from "node:assert/strict";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { REPOSITORY, testScenario } from "../tools.ts";
import { VsCode } from "../vscode.ts";
import { Workbench } from "../workbench.ts";

describe("the history of runs", () => {
  let vscode: VsCode;
  let workbench: Workbench;
  const test = (name: string, task: () => Promise<void>) => it(name, () => workbench.step(name, task));
  const rows = () => workbench.page.locator(".pane-body .monaco-list-row").filter({ hasText: /dry · / });
  const panel = () => workbench.webview("body.simulation .stepping");
  const summaries = async () => (await rows().allInnerTexts()).map((text) => text.replace(/\s+/g, " "));
  const atLeast = (count: number) => workbench.until(`${count} runs`, async () => (await rows().count()) === count);

  /** Presses a button of a row. A row that is drawn again meanwhile, because it was selected, loses a click. */
  const press = (row: number, label: string, isDone: () => Promise<boolean>) =>
    workbench.until(`what “${label}” does`, async () => {
      if (await isDone()) {
        return true;
      }
      await rows().nth(row).hover();
      await rows().nth(row).locator(`.action-label[aria-label^='${label}']`).click({ timeout: 2000 }).catch(() => undefined);
      for (let wait = 0; wait < 50 && !(await isDone()); wait += 1) {
        await workbench.page.waitForTimeout(100);
      }
      return isDone();
    });

  before(async () => {
    vscode = await VsCode.open({ files: path.join(REPOSITORY, "examples", "cycgraph") });
    workbench = new Workbench(vscode);
    await vscode.show("claims.yaml");
    await workbench.line("claims.yaml", "name: claims").waitFor();
    await workbench.page.locator(".activitybar [aria-label^='nodewise']").first().click();
    await workbench.page.locator(".pane-body").filter({ hasText: "No runs yet" }).first().waitFor();
  });
  after(() => vscode.stop());

  test("runs of the session appear with their results", async () => {
    await workbench.clickLensUntil("claims.yaml", "id: 0b54", "Simulate graph", "the panel", () => workbench.hasTab("Simulation"));
    await atLeast(1);
    const view = await panel();
    await view.locator(".summary.good").waitFor();
    await view.locator(".given > summary").click();
    await view.locator(".given select").selectOption("");
    await view.locator("button", { hasText: "Run Dry" }).click();
    await view.locator(".summary.doubtful").waitFor();
    await atLeast(2);
    const [made, scripted] = await summaries();
    assert.match(made ?? "", /dry · completed in \d+ steps .*answers are made up/);
    assert.match(scripted ?? "", /dry · completed in \d+ steps/);
    await workbench.screenshot("history");
  });

  test("words find runs", async () => {
    await workbench.page.locator(".action-label[aria-label^='Search Runs']").first().click();
    await workbench.page.locator(".quick-input-widget input.input").fill("live");
    await workbench.page.keyboard.press("Enter");
    await workbench.page.locator(".pane-body").filter({ hasText: "No runs with “live”" }).first().waitFor();
    await workbench.page.locator(".action-label[aria-label^='Clear Search of Runs']").first().click();
    await atLeast(2);
  });

  test("a run is opened again, and repeated with the same input", async () => {
    const view = await panel();
    await rows().nth(1).click();
    await view.locator(".summary.good").filter({ hasText: /^completed in/ }).waitFor();
    await press(1, "Run Again", async () => (await rows().count()) === 3);
    const [again, , first] = await summaries();
    assert.equal(again?.split("·")[1], first?.split("·")[1]);
  });

  test("two runs are compared side by side, with what differs above", async () => {
    await rows().nth(2).click();
    await rows().nth(1).click({ modifiers: ["Control"] });
    const sides = workbench.page.locator(".monaco-diff-editor .editor.modified .view-lines").filter({ hasText: /Differences/ }).first();
    await press(1, "Compare Runs", () => sides.isVisible());
    const text = (await sides.innerText()).replace(/\s+/g, " ");
    assert.match(text, /Differences .*answers: answered differently at/);
    // Their column is wide enough only after it was maximized.
    await workbench.until("they are side by side", async () => {
      const [left, right] = await Promise.all(["original", "modified"].map((side) => workbench.page.locator(`.monaco-diff-editor .editor.${side}`).boundingBox()));
      return left != null && right != null && left.width > 200 && left.x + left.width <= right.x + 1;
    });
    await workbench.screenshot("compare");
    await workbench.picture("walkthrough-runs", workbench.page.locator(".part.editor"));
  });

  test("a run of the list is saved as a scenario that passes", async () => {
    await rows().nth(0).click();
    const name = workbench.page.locator(".quick-input-widget input.input");
    await workbench.chooseInMenu(rows().nth(2), "Save Run as Scenario", name);
    const file = await workbench.saveAs("claims-2.scenario.yaml");
    assert.match(testScenario(file), /1 passed/);
    assert.equal(await workbench.page.locator(".notification-toast .codicon-error").count(), 0);
  });
});
