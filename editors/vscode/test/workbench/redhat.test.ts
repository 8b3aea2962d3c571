/** The extension beside Red Hat's: nothing is offered twice, and one formatter formats. */

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { createVSIX } from "@vscode/vsce";
import { build } from "esbuild";

import { FOLDER } from "../tools.ts";
import { VsCode } from "../vscode.ts";
import { Workbench } from "../workbench.ts";

const FILE = "flow.yaml";

describe("beside Red Hat's extension for YAML", () => {
  let vscode: VsCode;
  let workbench: Workbench;
  const folder = mkdtempSync(path.join(tmpdir(), "nodewise-redhat-"));
  const test = (name: string, task: () => Promise<void>) => it(name, () => workbench.step(name, task));

  before(async () => {
    const source = path.join(FOLDER, "test", "files", "redhat");
    const stage = path.join(folder, "stage");
    cpSync(source, stage, { recursive: true });
    writeFileSync(path.join(stage, "README.md"), "Starts Red Hat's language server.\n");
    await build({ entryPoints: [path.join(source, "extension.ts")], outfile: path.join(stage, "extension.js"), bundle: true, platform: "node", format: "cjs", external: ["vscode"], logLevel: "error" });
    const packagePath = path.join(folder, "redhat.vsix");
    await createVSIX({ cwd: stage, packagePath, dependencies: false, skipLicense: true });
    const server = createRequire(import.meta.url).resolve("yaml-language-server/out/server/src/server.js");
    vscode = await VsCode.open({
      files: path.join(FOLDER, "test", "files", "board"),
      extensions: [packagePath],
      environment: { NODEWISE_YAML_SERVER: server },
      settings: { "[yaml]": { "editor.defaultFormatter": "nodewise.nodewise" } },
    });
    workbench = new Workbench(vscode);
    await vscode.show(FILE);
    await workbench.line(FILE, "name: flow").waitFor();
    await workbench.editor(FILE).locator(".codelens-decoration a").first().waitFor();
    await workbench.page.locator(".statusbar-item", { hasText: "Red Hat YAML is ready" }).waitFor();
  });
  after(async () => {
    await vscode.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("its server is there, and alone reports a file of nobody's", async () => {
    writeFileSync(path.join(vscode.workspace, "other.yaml"), "key: 1\nkey: 2\n");
    await workbench.open("other.yaml");
    await workbench.editor("other.yaml").locator(".squiggly-error").first().waitFor();
    await workbench.open(FILE);
  });

  test("no completion is offered twice", async () => {
    await workbench.focusEditor(FILE);
    await workbench.go(workbench.lineOf(FILE, "type: router"), 1);
    await workbench.page.keyboard.press("End");
    await workbench.page.keyboard.press("Enter");
    await workbench.page.keyboard.press("Control+Space");
    const rows = workbench.page.locator(".suggest-widget.visible .monaco-list-row .label-name");
    await workbench.until("completions", async () => (await rows.count()) > 3);
    const names = await rows.allTextContents();
    assert.deepEqual(names.filter((name, index) => names.indexOf(name) !== index), []);
    await workbench.screenshot("redhat-completion");
    await workbench.page.keyboard.press("Escape");
    await workbench.command("File: Revert File");
  });

  test("a problem is reported once", async () => {
    await workbench.focusEditor(FILE);
    await workbench.go(workbench.lineOf(FILE, "start_node:"), 13);
    await workbench.page.keyboard.press("Shift+End");
    await workbench.page.keyboard.type("nobody");
    await workbench.editor(FILE).locator(".squiggly-error").first().waitFor();
    await workbench.command("Problems: Focus on Problems View");
    const rows = workbench.page.locator(".markers-panel .monaco-list-row").filter({ hasText: "nobody" });
    await rows.first().waitFor();
    assert.equal(await rows.count(), 1);
    await workbench.focusEditor(FILE);
    await workbench.command("File: Revert File");
  });

  test("the chosen formatter formats, without a question", async () => {
    await workbench.focusEditor(FILE);
    await workbench.go(workbench.lineOf(FILE, "name: flow"), 6);
    await workbench.page.keyboard.type("   ");
    await workbench.command("Format Document");
    await workbench.line(FILE, "name: flow").waitFor();
    await workbench.until("the formatted text", async () => {
      await workbench.page.keyboard.press("Control+S");
      return workbench.onDisk(FILE).includes("\nname: flow\n");
    });
    assert.equal(await workbench.page.locator(".notification-toast", { hasText: "formatter" }).count(), 0);
  });
});
