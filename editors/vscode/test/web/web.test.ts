/** The extension in the host of web extensions, where the server is a WebAssembly module in a worker. */

import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { FOLDER, REPOSITORY } from "../tools.ts";
import { VsCode } from "../vscode.ts";
import { Workbench } from "../workbench.ts";

describe("a project of Liman in a page", () => {
  let vscode: VsCode;
  let workbench: Workbench;
  const test = (name: string, task: () => Promise<void>) => it(name, () => workbench.step(name, task));

  before(async () => {
    vscode = await VsCode.open({ files: path.join(FOLDER, "test", "files", "desk") });
    workbench = new Workbench(vscode);
    await vscode.show("desk.yaml");
    await workbench.line("desk.yaml", "name: desk").waitFor();
  });
  after(() => vscode.stop());

  test("the host is a worker of the page, and says what it cannot do", async () => {
    await workbench.editor("desk.yaml").locator(".squiggly-error").first().waitFor();
    const item = workbench.page.locator("[id^='status.languageStatus']").first();
    await item.waitFor();
    const status = workbench.page.locator(".hover-language-status").filter({ hasText: /nodewise \d/ }).first();
    await workbench.hover(item, status);
    assert.match(await status.innerText(), /In this page\. Live runs and the debugger need VS Code on your computer\./);
    await workbench.editor("desk.yaml").locator(".view-line").first().hover();
  });

  test("a file that appears on disk counts, and no longer when it is gone", async () => {
    const mistakes = workbench.editor("desk.yaml").locator(".squiggly-error");
    const more = path.join(vscode.workspace, "more.yaml");
    const tools = readFileSync(path.join(vscode.workspace, "tools.yaml"), "utf8");
    writeFileSync(more, (tools.split("\n---\n")[0] ?? "").replace("find_customer", "find_custommer"));
    await mistakes.first().waitFor({ state: "detached" });
    rmSync(more);
    await mistakes.first().waitFor();
  });

  test("a quick fix puts the right name in", async () => {
    await workbench.line("desk.yaml", "find_custommer").click();
    await workbench.go(6, 6);
    await workbench.chooseFix("find_customer", workbench.line("desk.yaml", "- find_customer"));
    await workbench.editor("desk.yaml").locator(".squiggly-error").first().waitFor({ state: "detached" });
    await workbench.save();
    assert.match(workbench.onDisk("desk.yaml"), /- find_customer\n {2}- open_ticket/);
  });

  test("F12 leads to the declaration in another file, which was not open", async () => {
    await workbench.go(6, 8);
    await workbench.page.keyboard.press("F12");
    await workbench.page.locator(".tab.active").filter({ hasText: "tools.yaml" }).waitFor();
    await workbench.cursorAt(2, 7);
  });

  test("renaming changes both files", async () => {
    await workbench.line("tools.yaml", "find_customer").click();
    await workbench.go(2, 7);
    await workbench.rename("look_up_customer", workbench.line("tools.yaml", "look_up_customer"));
    await workbench.until("the other file", async () => (await workbench.hasTab("desk.yaml")));
    await workbench.page.locator(".tab").filter({ hasText: "desk.yaml" }).click();
    await workbench.line("desk.yaml", "look_up_customer").waitFor();
  });
});

describe("a project of cycgraph in a page", () => {
  let vscode: VsCode;
  let workbench: Workbench;
  const test = (name: string, task: () => Promise<void>) => it(name, () => workbench.step(name, task));
  const node = (id: string) => `.node[data-node="${id}"]`;

  before(async () => {
    vscode = await VsCode.open({ files: path.join(REPOSITORY, "examples", "cycgraph") });
    workbench = new Workbench(vscode);
    await vscode.show("claims.yaml");
    await workbench.line("claims.yaml", "name: claims").waitFor();
    await workbench.command("View: Toggle Primary Side Bar Visibility");
  });
  after(() => vscode.stop());

  test("the graph is drawn", async () => {
    await workbench.editor("claims.yaml").locator(".codelens-decoration a").first().waitFor();
    await workbench.command("nodewise: Show Graph to the Side");
    const view = await workbench.webview(node("intake"));
    assert.match(await view.locator(node("policy")).first().textContent() ?? "", /policy.*tool.*reads claim/s);
    await workbench.screenshot("web-graph");
  });

  test("a dry run follows its path", async () => {
    await workbench.clickLensUntil("claims.yaml", "id: 0b54", "Simulate graph", "the panel", () => workbench.hasTab("Simulation"));
    const view = await workbench.webview("body.simulation .stepping");
    await view.locator(`${node("intake")}.visited`).waitFor();
    await view.locator(".summary.good").filter({ hasText: "completed" }).waitFor();
    await workbench.screenshot("web-simulation");
  });

  test("a live run says in one sentence what it needs", async () => {
    await workbench.command("nodewise: Run Graph (Live)");
    const said = workbench.page.getByText("live runs need the program `nodewise`, which an editor in a web page cannot start; use the editor on your computer");
    await workbench.until("the sentence", async () => {
      const frames = workbench.page.frames();
      const counts = await Promise.all(frames.map((frame) => frame.getByText("which an editor in a web page cannot start").count().catch(() => 0)));
      return (await said.count()) > 0 || counts.some((count) => count > 0);
    });
  });
});
