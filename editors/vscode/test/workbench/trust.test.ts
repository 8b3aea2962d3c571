/** What works if the server cannot run, and if the workspace is not trusted. */

import assert from "node:assert/strict";
import path from "node:path";
import { describe, it } from "node:test";

import { FOLDER } from "../tools.ts";
import { type Opened, VsCode } from "../vscode.ts";
import { Workbench } from "../workbench.ts";

const files = path.join(FOLDER, "test", "files", "desk");

async function inWorkbench(name: string, opened: Omit<Opened, "files">, task: (workbench: Workbench) => Promise<void>): Promise<void> {
  const vscode = await VsCode.open({ files, ...opened });
  try {
    const workbench = new Workbench(vscode);
    await workbench.step(name, async () => {
      await vscode.show("desk.yaml");
      await workbench.line("desk.yaml", "name: desk").waitFor();
      await task(workbench);
    });
  } finally {
    await vscode.stop();
  }
}

describe("control", () => {
  it("with a dead server nothing is underlined, and one message says why", () =>
    inWorkbench("dead", { settings: { "nodewise.server.path": "/bin/false" } }, async (workbench) => {
      const toast = workbench.page.locator(".notification-toast").filter({ hasText: /nodewise server exited before|Cannot start the nodewise server: the program ended at once/ });
      await toast.first().waitFor();
      assert.equal(await workbench.page.locator(".notification-toast").filter({ hasText: "nodewise" }).count(), 1);
      const squiggle = workbench.editor("desk.yaml").locator(".squiggly-error").first();
      await assert.rejects(squiggle.waitFor({ timeout: 3000 }), /Timeout/);
      await workbench.screenshot("dead");
    }));

  it("a path that is not an executable file is reported, and the bundled server takes over", () =>
    inWorkbench("missing", { settings: { "nodewise.server.path": "/nowhere/nodewise" } }, async (workbench) => {
      const toast = workbench.page.locator(".notification-toast").filter({ hasText: "is not an executable file: /nowhere/nodewise" }).first();
      await toast.locator(".monaco-button").filter({ hasText: "Use Bundled Server" }).click();
      await workbench.editor("desk.yaml").locator(".squiggly-error").first().waitFor();
    }));
});

describe("a workspace without trust", () => {
  it("is analysed, and nothing runs", () =>
    inWorkbench("untrusted", { isUntrusted: true }, async (workbench) => {
      await workbench.editor("desk.yaml").locator(".squiggly-error").first().waitFor();
      const refusal = workbench.page.locator(".notification-toast").filter({ hasText: "Trust this workspace to run its graphs." });
      await workbench.clickLensUntil("desk.yaml", "kind: LLMNode", "Run node", "a refusal", async () => (await refusal.count()) > 0);
      await workbench.screenshot("untrusted");
      assert.equal(await workbench.page.locator(".tab").filter({ hasText: "Simulation" }).count(), 0);
    }));
});
