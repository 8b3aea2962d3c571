/** Language features as a person sees them: problems, completion, hover, definition, rename, fix, format. */

import assert from "node:assert/strict";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { FOLDER } from "../tools.ts";
import { VsCode } from "../vscode.ts";
import { Workbench } from "../workbench.ts";

describe("a project of Liman", () => {
  let vscode: VsCode;
  let workbench: Workbench;

  before(async () => {
    vscode = await VsCode.open({ files: path.join(FOLDER, "test", "files", "desk") });
    workbench = new Workbench(vscode);
    await vscode.show("desk.yaml");
    await workbench.line("desk.yaml", "name: desk").waitFor();
  });
  after(() => vscode.stop());
  const test = (name: string, task: () => Promise<void>) => it(name, () => workbench.step(name, task));

  test("a wrong name is underlined and listed among the problems", async () => {
    await workbench.editor("desk.yaml").locator(".squiggly-error").first().waitFor();
    await workbench.lensesReadyIn("desk.yaml");
    await workbench.command("Problems: Focus on Problems View");
    const row = workbench.page.locator(".markers-panel .monaco-list-row").filter({ hasText: "find_custommer" });
    await row.waitFor();
    assert.match(await row.innerText(), /no tool is named `find_custommer`/);
    await workbench.page.locator("#status\\.problems").filter({ hasText: "1" }).waitFor();
    await workbench.screenshot("problems");
    await workbench.picture("walkthrough-check", workbench.column(0));
    await workbench.command("View: Toggle Panel Visibility");
  });

  test("the language status says that the server runs", async () => {
    const item = workbench.page.locator("[id^='status.languageStatus']").first();
    await item.waitFor();
    await workbench.hover(item, workbench.page.locator(".hover-language-status").filter({ hasText: /nodewise \d/ }).first());
    await workbench.editor("desk.yaml").locator(".view-line").first().hover();
  });

  test("hovering tells what a word means", async () => {
    await workbench.hover(workbench.word("desk.yaml", "tools"), workbench.page.locator(".monaco-hover:not(.hidden)").filter({ hasText: /tool/i }).first());
    await workbench.screenshot("hover");
  });

  test("a quick fix puts the right name in", async () => {
    await workbench.line("desk.yaml", "find_custommer").click();
    await workbench.go(6, 6);
    await workbench.showFix("find_customer");
    await workbench.screenshot("fix");
    await workbench.chooseFix("find_customer", workbench.line("desk.yaml", "- find_customer"));
    await workbench.editor("desk.yaml").locator(".squiggly-error").first().waitFor({ state: "detached" });
    await workbench.save();
    assert.match(workbench.onDisk("desk.yaml"), /- find_customer\n {2}- open_ticket/);
  });

  test("F12 leads to the declaration in another file", async () => {
    await workbench.go(6, 8);
    await workbench.page.keyboard.press("F12");
    await workbench.page.locator(".tab.active").filter({ hasText: "tools.yaml" }).waitFor();
    await workbench.cursorAt(2, 7);
  });

  test("renaming changes both files", async () => {
    await workbench.rename("look_up_customer", workbench.line("tools.yaml", "name: look_up_customer"));
    await workbench.command("File: Save All Files");
    await workbench.until("both files on disk", () =>
      workbench.onDisk("tools.yaml").includes("name: look_up_customer") && workbench.onDisk("desk.yaml").includes("- look_up_customer"));
  });

  test("a completion is accepted", async () => {
    await workbench.open("desk.yaml");
    await workbench.go(6, 5);
    await workbench.page.keyboard.press("Shift+End");
    await workbench.page.keyboard.type("look");
    await workbench.page.keyboard.press("Control+Space");
    const row = workbench.page.locator(".suggest-widget.visible .monaco-list-row").filter({ hasText: "look_up_customer" }).first();
    await row.waitFor();
    await workbench.lensesReadyIn("desk.yaml");
    await workbench.screenshot("completion");
    await workbench.page.keyboard.press("Enter");
    await workbench.line("desk.yaml", "- look_up_customer").waitFor();
    await workbench.save();
    assert.match(workbench.onDisk("desk.yaml"), /- look_up_customer\n {2}- open_ticket/);
  });

  test("a document is formatted", async () => {
    await workbench.open("untidy.yaml");
    await workbench.line("untidy.yaml", "func:      desk").waitFor();
    await workbench.command("Format Document");
    await workbench.line("untidy.yaml", "func: desk.steps.page_oncall").waitFor();
    await workbench.save();
    assert.equal(workbench.onDisk("untidy.yaml"), "kind: Node\nname: page_oncall\nfunc: desk.steps.page_oncall\n");
  });

  test("a new line below an item of a list has the columns of the item's keys", async () => {
    await workbench.open("desk.yaml");
    const line = workbench.lineOf("desk.yaml", "- target: apologise");
    await workbench.go(line, 1);
    await workbench.page.keyboard.press("End");
    await workbench.page.keyboard.press("Enter");
    // The editor alone would put it below the dash.
    await workbench.cursorAt(line + 1, 5);
    await workbench.command("File: Revert File");
  });

  test("a lens shows the references", async () => {
    await workbench.open("tools.yaml");
    const references = workbench.page.locator(".zone-widget .reference-zone-widget, .peekview-widget").first();
    await workbench.clickLensUntil("tools.yaml", "kind: ToolNode", "1 reference", "the references", () => references.isVisible());
    await workbench.screenshot("references");
    await workbench.page.keyboard.press("Escape");
  });
});
