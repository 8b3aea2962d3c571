// The server for coding agents in the official inspector.
//
// Input: the variables NODEWISE_SERVER (the command) and NODEWISE_EXAMPLES (a workspace). Output: a line for each test, and the exit code.
// Invariant: no tool is left out, and each structured answer fits the schema that the inspector lists.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import test, { after } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import Ajv2020 from "ajv/dist/2020.js";

import { CALLS } from "./calls.mjs";

const { NODEWISE_SERVER: command, NODEWISE_EXAMPLES: cwd } = process.env;

const home = mkdtempSync(path.join(tmpdir(), "nodewise-inspector-"));
after(() => rmSync(home, { recursive: true, force: true }));
const config = path.join(home, "servers.json");
writeFileSync(config, JSON.stringify({ mcpServers: { nodewise: { command, args: ["mcp"], cwd } } }));
const inspector = path.join(path.dirname(fileURLToPath(import.meta.url)), "node_modules/.bin/mcp-inspector");

/** What the inspector prints as the result of a method. It fails if the method does. */
async function inspect(...options) {
  const all = [inspector, "--cli", "--config", config, "--server", "nodewise", "--format", "json", "--quiet", ...options];
  const env = { ...process.env, HOME: home, MCP_INSPECTOR_SECRET_STORE: "memory" };
  const { stdout } = await promisify(execFile)(process.execPath, all, { env, maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout).result;
}

test("each tool is listed, answers, and its answer fits its schema", async () => {
  // It exits with an error if a schema has one.
  const { tools } = await inspect("--method", "tools/list", "--strict");
  assert.deepEqual(tools.map((tool) => tool.name).sort(), Object.keys(CALLS).sort());
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  for (const { name, inputSchema, outputSchema } of tools) {
    const [args, expected] = CALLS[name];
    assert.ok(ajv.validate(inputSchema, args), `${name}: ${ajv.errorsText()}`);
    const answer = await inspect("--method", "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(args));
    assert.ok(!answer.isError && answer.content[0].text.includes(expected), `${name}: ${answer.content[0].text}`);
    if (outputSchema) {
      assert.ok(ajv.validate(outputSchema, answer.structuredContent), `${name}: ${ajv.errorsText()}`);
    }
  }
});

test("resources and prompts are listed", async () => {
  const { resources } = await inspect("--method", "resources/list");
  assert.ok(resources.some((resource) => resource.uri === "nodewise://graphs/claims"));
  const { prompts } = await inspect("--method", "prompts/list");
  assert.deepEqual(prompts.map((prompt) => prompt.name).sort(), ["correct", "write-graph"]);
});
