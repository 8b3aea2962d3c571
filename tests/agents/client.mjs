// The server for coding agents in the official client.
//
// Input: the variables NODEWISE_SERVER (the command) and NODEWISE_EXAMPLES (a workspace). Output: a line for each test, and the exit code.
// Invariant: no tool is left out; the client refuses a structured answer that does not fit the tool's schema.

import assert from "node:assert/strict";
import test from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

import { CALLS } from "./calls.mjs";

const { NODEWISE_SERVER: command, NODEWISE_EXAMPLES: cwd } = process.env;

async function connected(use) {
  const client = new Client({ name: "nodewise-tests", version: "0.1.0" });
  await client.connect(new StdioClientTransport({ command, args: ["mcp"], cwd, stderr: "inherit" }));
  try {
    await use(client);
  } finally {
    await client.close();
  }
}

test("each tool is listed and answers", () =>
  connected(async (client) => {
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map((tool) => tool.name).sort(), Object.keys(CALLS).sort());
    for (const [name, [args, expected]] of Object.entries(CALLS)) {
      const answer = await client.callTool({ name, arguments: args });
      const text = answer.content[0].text;
      assert.ok(!answer.isError && text.includes(expected), `${name}: ${text}`);
    }
  }));

test("a path outside of the workspace is refused in words", () =>
  connected(async (client) => {
    const answer = await client.callTool({ name: "check", arguments: { paths: ["../.."] } });
    assert.ok(answer.isError && answer.content[0].text.includes("is outside of the workspace"));
  }));

test("resources and prompts are listed and read", () =>
  connected(async (client) => {
    const { resources } = await client.listResources();
    assert.ok(resources.some((resource) => resource.uri === "nodewise://graphs/claims"));
    for (const { uri } of resources) {
      const { contents } = await client.readResource({ uri });
      assert.ok(contents[0].text.length > 20, uri);
    }
    const { prompts } = await client.listPrompts();
    assert.deepEqual(prompts.map((prompt) => prompt.name).sort(), ["correct", "write-graph"]);
    const { messages } = await client.getPrompt({ name: "correct", arguments: { path: "claims.yaml" } });
    assert.ok(messages[0].content.text.includes("`claims.yaml`"));
  }));
