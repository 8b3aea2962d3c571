/** Runs the tests of `suite` in the extension host, with the packaged extension. */

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";

import { build } from "esbuild";

import { FOLDER } from "../tools.ts";
import { VsCode } from "../vscode.ts";

const TIMEOUT_MS = 600_000;

interface Report {
  stats: { passes: number; failures: number };
  failures: { fullTitle: string; err: { message?: string } }[];
}

test("the extension in its host", async () => {
  // Next to the npm packages, where the bundle searches for its test runner.
  const bundle = path.join(FOLDER, "dist", "host-tests", "index.js");
  await build({
    entryPoints: [path.join(import.meta.dirname, "suite", "index.ts")],
    outfile: bundle,
    bundle: true,
    external: ["vscode", "mocha"],
    format: "cjs",
    platform: "node",
    target: "node20",
    logLevel: "warning",
  });
  const results = path.join(mkdtempSync(path.join(tmpdir(), "nodewise-host-")), "results.json");
  const vscode = await VsCode.open({
    files: path.join(FOLDER, "test", "files", "desk"),
    environment: { NODEWISE_HOST_RESULTS: results },
    options: ["--vscode-option", "enable-smoke-test-driver"],
  });
  try {
    const ended = new Promise<number>((resolve, reject) => {
      setTimeout(() => reject(new Error("the tests in the host do not end")), TIMEOUT_MS).unref();
      void vscode.page.exposeFunction("codeAutomationExit", resolve);
    });
    await vscode.page.exposeFunction("codeAutomationLog", () => {});
    const remote = (file: string) => `vscode-remote://${vscode.origin.replace("http://", "")}${file}`;
    await vscode.show("desk.yaml", [
      ["extensionDevelopmentPath", remote(path.join(import.meta.dirname, "extension"))],
      ["extensionTestsPath", remote(bundle)],
    ]);
    const code = await ended;
    const report = JSON.parse(readFileSync(results, "utf8")) as Report;
    assert.deepEqual(report.failures.map((failure) => `${failure.fullTitle}: ${failure.err.message ?? ""}`), []);
    assert.ok(report.stats.passes > 25, `only ${report.stats.passes} tests ran`);
    assert.equal(code, 0);
  } finally {
    await vscode.stop();
  }
});
