/** The debug adapter, as a client that is not part of nodewise sees it: the test client of VS Code's adapters. */

import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";

import { DebugClient } from "@vscode/debugadapter-testsupport";
import type { DebugProtocol } from "@vscode/debugprotocol";

import { REPOSITORY } from "../tools.ts";

const SERVER = process.env["NODEWISE_SERVER"] ?? "nodewise";
const EXAMPLE = path.join(REPOSITORY, "examples", "cycgraph");
const GRAPH = path.join(EXAMPLE, "claims.yaml");
const SCENARIO = path.join(EXAMPLE, "claims.scenario.yaml");
const SETTLE = 55;
const POLICY = 24;
const DECLINE = 85;

async function debugging(check: (client: DebugClient) => Promise<unknown>): Promise<void> {
  const client = new DebugClient(SERVER, "dap", "nodewise", { cwd: EXAMPLE, shell: false });
  await client.start();
  try {
    await check(client);
  } finally {
    await client.stop();
  }
}

async function top(client: DebugClient): Promise<DebugProtocol.StackFrame> {
  const { body } = await client.stackTraceRequest({ threadId: 1 });
  const frame = body.stackFrames[0];
  assert.ok(frame !== undefined);
  return frame;
}

test("a breakpoint is hit, and its variables are those of the state", () =>
  debugging(async (client) => {
    await client.hitBreakpoint({ program: SCENARIO }, { path: GRAPH, line: SETTLE });
    const frame = await top(client);
    assert.equal(frame.name, "settle");
    const { body } = await client.scopesRequest({ frameId: frame.id });
    const state = body.scopes.find((scope) => scope.name === "State");
    assert.ok(state !== undefined);
    const { body: found } = await client.variablesRequest({ variablesReference: state.variablesReference });
    assert.equal(found.variables.find((variable) => variable.name === "amount")?.value, "1200");
    const { body: evaluated } = await client.evaluateRequest({ expression: "memory.amount / 2", frameId: frame.id, context: "watch" });
    assert.equal(evaluated.result, "600");
  }));

test("a step back leads to where the step began", () =>
  debugging(async (client) => {
    await client.hitBreakpoint({ program: SCENARIO }, { path: GRAPH, line: SETTLE });
    await Promise.all([client.stepBackRequest({ threadId: 1 }), client.assertStoppedLocation("step", { path: GRAPH, line: 100 })]);
    await Promise.all([client.nextRequest({ threadId: 1 }), client.assertStoppedLocation("breakpoint", { path: GRAPH, line: SETTLE })]);
    await Promise.all([client.reverseContinueRequest({ threadId: 1 }), client.waitForEvent("stopped")]);
    const stopped = await top(client);
    assert.equal(stopped.name, "graph claims");
  }));

test("a part below a key of the state is watched", () =>
  debugging(async (client) => {
    await client.hitBreakpoint({ program: SCENARIO }, { path: GRAPH, line: SETTLE });
    const frame = await top(client);
    const { body: info } = await client.dataBreakpointInfoRequest({ name: "memory.claim.text", frameId: frame.id });
    const dataId = info.dataId ?? "";
    assert.match(dataId, /^state:[^:]+:claim\/text$/);
    await client.setDataBreakpointsRequest({ breakpoints: [{ dataId, accessType: "read" }] });
    await Promise.all([client.reverseContinueRequest({ threadId: 1 }), client.assertStoppedLocation("data breakpoint", { path: GRAPH, line: POLICY })]);
  }));

test("another answer leads the run another way, and the first run is kept", () =>
  debugging(async (client) => {
    const breakpoints = [{ name: "tool:look_up_policy" }, { name: "decline" }];
    await Promise.all([
      client.waitForEvent("initialized").then(async () => {
        await client.setFunctionBreakpointsRequest({ breakpoints });
        await client.configurationDoneRequest();
      }),
      client.launch({ program: SCENARIO }),
      client.waitForEvent("stopped"),
    ]);
    const frame = await top(client);
    assert.equal(frame.name, "asks tool look_up_policy");
    await client.customRequest("setExpression", { expression: "answer", value: '{"status": "lapsed"}', frameId: frame.id });
    await Promise.all([client.continueRequest({ threadId: 1 }), client.assertStoppedLocation("function breakpoint", { path: GRAPH, line: DECLINE })]);
    const { body: branches } = await client.evaluateRequest({ expression: ".branches", context: "repl" });
    assert.match(branches.result, /^ {2}0 {2}as scripted\n\* 1 {2}policy: answer of tool look_up_policy/);
  }));

test("the client's check of a breakpoint fails with an adapter that ignores breakpoints", () =>
  debugging(async (client) => {
    await assert.rejects(client.hitBreakpoint({ program: SCENARIO, noDebug: true }, { path: GRAPH, line: SETTLE }));
  }));

test("a run without breakpoints ends", () =>
  debugging(async (client) => {
    const ended = Promise.all([client.waitForEvent("terminated"), client.waitForEvent("exited")]);
    await Promise.all([client.configurationSequence(), client.launch({ program: SCENARIO, stopAtEnd: false })]);
    const [, exited] = await ended;
    assert.equal(exited.body.exitCode, 0);
  }));

test("what is announced is what VS Code shows buttons for", () =>
  debugging(async (client) => {
    const { body } = await client.initializeRequest();
    assert.ok(body?.supportsStepBack && body.supportsDataBreakpoints && body.supportsSetVariable && body.supportsGotoTargetsRequest);
  }));
