/** The checker accepts the snippets, except for names that the user still has to declare. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";

import { FOLDER, tools } from "../tools.ts";

const snippets = JSON.parse(readFileSync(path.join(FOLDER, "snippets", "yaml.code-snippets.json"), "utf8")) as Record<string, { body: string[] }>;
const UNDECLARED = /\[(unknown-tool|unknown-node|unknown-run-target)\]/;

for (const [name, { body }] of Object.entries(snippets)) {
  test(name, () => {
    const folder = mkdtempSync(path.join(tmpdir(), "nodewise-snippet-"));
    const filled = body.join("\n").replace(/\$\{\d+\|([^,|]*)[^}]*\}/g, "$1").replace(/\$\{\d+:([^}]*)\}/g, "$1").replace("$0", "");
    writeFileSync(path.join(folder, "nodewise.toml"), "");
    writeFileSync(path.join(folder, name.includes("scenario") ? "one.scenario.yaml" : "one.yaml"), filled);
    const check = () => execFileSync(tools().server, ["check", folder, "--format", "concise"], { encoding: "utf8" });
    let said: string;
    try {
      said = check();
    } catch (error) {
      said = (error as { stdout: string }).stdout;
    }
    const others = said.split("\n").filter((line) => /: (error|warning)\[/.test(line) && !UNDECLARED.test(line));
    assert.deepEqual(others, []);
    assert.match(said, / in 1 file/);
    rmSync(folder, { recursive: true });
  });
}
