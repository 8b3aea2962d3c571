/** The server restarts after a crash, and after its program is replaced. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync, utimesSync } from "node:fs";
import path from "node:path";
import * as vscode from "vscode";

import { eventually, extension, fileOf } from "./support.ts";

/** The processes of the server that this process started. */
function servers(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => {
      try {
        const parent = /\) \S+ (\d+)/.exec(readFileSync(`/proc/${id}/stat`, "utf8"))?.[1];
        return Number(parent) === process.pid && readFileSync(`/proc/${id}/cmdline`, "utf8").includes("\0lsp");
      } catch {
        // The process ended during the check.
        return false;
      }
    });
}

const another = (before: number[]) =>
  eventually("another server", () => {
    const now = servers();
    return now.length === 1 && !before.includes(now[0] ?? 0);
  });

const answers = () =>
  eventually("an answer", async () => {
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>("vscode.executeHoverProvider", fileOf("desk.yaml"), new vscode.Position(4, 2));
    return hovers.length > 0;
  });

describe("the server's life", () => {
  before(async () => {
    await extension().activate();
    await answers();
  });

  it("the settings of the manifest are the server's", () => {
    const groups: { properties: Record<string, unknown> }[] = extension().packageJSON.contributes.configuration;
    assert.ok(Object.keys(groups[0]?.properties ?? {}).includes("nodewise.inlayHints.overlays"));
  });

  it("one server runs", () => assert.equal(servers().length, 1));

  it("a server that dies is started again", async () => {
    const before = servers();
    process.kill(before[0] ?? 0, "SIGKILL");
    await another(before);
    await answers();
  });

  it("a server whose program is replaced is started again", async () => {
    const before = servers();
    const now = new Date();
    utimesSync(path.join(extension().extensionPath, "server", "nodewise"), now, now);
    await another(before);
    await answers();
  });

  it("the command restarts it", async () => {
    const before = servers();
    await vscode.commands.executeCommand("nodewise.restartServer");
    await another(before);
    await answers();
  });
});
