/** Live runs as a user sees them: permissions, path and cost, decisions in messages, waiting runs, stored runs. */

import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { violations } from "../axe.ts";
import { Models } from "../models.ts";
import { recordedRuns, testScenario } from "../tools.ts";
import { VsCode } from "../vscode.ts";
import { Workbench } from "../workbench.ts";

/** A model's answer after an injected instruction: markup, which cycgraph removes, and a link to a command. */
const LETTER = "<img src=x onerror=document.body.dataset.broken=1> <b>Dear</b> [all](command:workbench.action.closeWindow).";
const KEPT = "Dear [all](command:workbench.action.closeWindow).";
const FLOW = `id: letters
name: Letters
description: A letter is written, looked at, and sent or shelved.
nodes:
  - {id: write, type: agent, agent_id: writer, write_keys: [letter]}
  - {id: look, type: approval, read_keys: ['*'], approval_config: {prompt_message: 'Send it?', rejection_node_id: shelve}}
  - {id: send, type: agent, agent_id: clerk, read_keys: [letter], write_keys: [note]}
  - {id: shelve, type: agent, agent_id: clerk, read_keys: [letter], write_keys: [note]}
edges:
  - {source: write, target: look}
  - {source: look, target: send}
start_node: write
end_nodes: [send, shelve]
---
id: writer
name: Writer
model: small
provider: near
system_prompt: Write a letter.
---
id: clerk
name: Clerk
model: small
provider: near
system_prompt: Note what became of it.
`;
/** Longer than the maximum length of a notification. */
const LONG = "far/".repeat(300);

/** An answer has 30 input tokens and 10 output tokens, which cost 0.05 dollars. */
const config = (models: Models) => `[live.providers.near]
kind = "openai"
base_url = "${models.origin}/${LONG}v1"

[live.models.small]
id = "small-1"
input_usd = 1000
output_usd = 2000
`;

describe("live runs of letters", () => {
  const files = mkdtempSync(path.join(tmpdir(), "nodewise-live-"));
  const state = mkdtempSync(path.join(tmpdir(), "nodewise-state-"));
  const allowed = path.join(state, "nodewise", "trust.json");
  let models: Models;
  let vscode: VsCode;
  let workbench: Workbench;
  const test = (name: string, task: () => Promise<void>) => it(name, () => workbench.step(name, task));
  const panel = () => workbench.webview("body.simulation .stepping");
  const dialog = () => workbench.page.locator(".monaco-dialog-box");
  const message = () => workbench.page.locator(".notification-toast").filter({ hasText: "`look` asks" });
  /** Waits for a decision that is wanted. The workbench hides a message after ten seconds, unless the pointer is on it. */
  const isAsked = () => message().hover();
  const waits = () => workbench.page.locator(".statusbar-item").filter({ hasText: "nodewise waits for your answer" });
  const choose = (title: string) => message().locator(".monaco-button").filter({ hasText: title }).click();
  const statuses = () => recordedRuns(vscode.workspace).map((run) => run.status);
  const lenses = () => workbench.editor("letters.yaml").locator(".codelens-decoration a").filter({ hasText: "Run node (live)" });

  /** Runs the node `write`, after all nodes have a lens for it. */
  async function clickLens(what: string, look: () => Promise<boolean>): Promise<void> {
    // Soon after the start, the lenses may be drawn again between press and release, which loses the click.
    await workbench.until("the lenses of all nodes", async () => (await lenses().count()) === 4);
    await workbench.clickLensUntil("letters.yaml", "id: write,", "Run node (live)", what, look);
  }

  /** Moves the cursor into the graph, after its commands are available. */
  async function atGraph(): Promise<void> {
    await workbench.focusEditor("letters.yaml");
    await workbench.go(1, 1);
    await workbench.page.locator(".editor-actions [aria-label*='Simulate Graph']").first().waitFor();
  }

  /** The nodes that the panel paints as visited. */
  async function visited(): Promise<string[]> {
    const nodes = (await panel()).locator(".node.visited");
    return nodes.evaluateAll((drawn) => drawn.map((node) => (node as SVGElement).dataset["node"] ?? "").sort());
  }

  before(async () => {
    models = await Models.start({ "Write a letter.": LETTER, "Note what became of it.": "It is done." });
    writeFileSync(path.join(files, "nodewise.toml"), config(models));
    writeFileSync(path.join(files, "letters.yaml"), FLOW);
    vscode = await VsCode.open({ files, environment: { XDG_STATE_HOME: state } });
    workbench = new Workbench(vscode);
    await vscode.show("letters.yaml");
    await workbench.line("letters.yaml", "name: Letters").waitFor();
    await workbench.command("View: Toggle Primary Side Bar Visibility");
  });
  after(async () => {
    try {
      await vscode.stop();
    } finally {
      // An open server would keep the process of the tests alive.
      models.stop();
      rmSync(files, { recursive: true });
      rmSync(state, { recursive: true });
    }
  });

  test("a click on a lens asks first, with all that would be called, and a refusal starts nothing", async () => {
    await clickLens("the question", async () => (await dialog().count()) > 0);
    const question = await dialog().innerText();
    assert.ok(question.includes(`A live run in ${vscode.workspace}`), question);
    // A long address is cut in the middle: its host and its end are shown.
    assert.ok(question.includes(`models of \`near\`: ${models.origin}/${LONG.slice(0, 40)}`), question);
    assert.match(question, /…\(\d+ characters left out\)….*\/v1$/m);
    assert.ok(question.includes("Allow this here, from now on?"), question);
    await workbench.screenshot("live-permission");
    await dialog().locator(".monaco-button").filter({ hasText: "Cancel" }).click();
    const view = await panel();
    await workbench.until("an end", async () => !/^(Running…)?$/.test((await view.locator(".summary").textContent()) ?? ""));
    const left = [".nodewise", allowed].filter((file) => existsSync(path.resolve(vscode.workspace, file)));
    assert.deepEqual([models.asked, left], [[], []]);
    assert.match(await view.locator(".summary.bad").innerText(), /^you have not allowed yet what this run starts and calls/);
    assert.equal(await view.locator(".node.visited").count(), 0);
  });

  test("what is allowed runs, and the panel shows its path and its cost", async () => {
    await clickLens("the question", async () => (await dialog().count()) > 0);
    await dialog().locator(".monaco-button").filter({ hasText: "Allow" }).click();
    const view = await panel();
    await view.locator(".summary.good").filter({ hasText: /^completed in 1 step · .* · \$0\.05 · 40 tokens$/ }).waitFor();
    await workbench.until("its path", async () => (await visited()).join() === "write");
    await view.locator(".state .hint").filter({ hasText: "40 tokens · $0.05" }).waitFor();
    await workbench.lens("letters.yaml", "id: write,", /^Run node \(live\) · completed in 1 step/);
    assert.deepEqual(models.asked.map((body) => JSON.parse(body).model), ["small-1"]);
    assert.deepEqual(Object.keys(JSON.parse(readFileSync(allowed, "utf8")).folders), [vscode.workspace]);
    // The run stopped before the next node, and can be resumed.
    assert.deepEqual(statuses(), ["interrupted"]);
    assert.equal(workbench.onDisk(".nodewise/.gitignore"), "*\n");
    await workbench.command("File: Focus on Files Explorer");
    const files = workbench.page.locator(".explorer-folders-view .monaco-list-row");
    await files.filter({ hasText: "letters.yaml" }).first().waitFor();
    assert.equal(await files.filter({ hasText: ".nodewise" }).count(), 0);
  });

  test("a person decides in a message, in which what a model said is text", async () => {
    await atGraph();
    await workbench.command("nodewise: Run Graph (Live)");
    await isAsked();
    assert.equal(await dialog().count(), 0, "what was allowed is not asked again");
    const asks = message().locator(".notification-list-item-message");
    // An invisible character prevents the link.
    assert.equal((await asks.innerText()).replaceAll("\u2060", "").replace(/\s+/g, " "), `\`look\` asks: Send it? { "letter": "${KEPT}" }`);
    assert.equal(await asks.locator("a").count(), 0);
    await workbench.screenshot("live-decision");
    // A message that nobody answers is hidden, and the status bar leads to it.
    await workbench.page.mouse.move(10, 10);
    await message().waitFor({ state: "hidden" });
    await waits().click();
    await workbench.page.locator(".notifications-center .notification-list-item").filter({ hasText: "`look` asks" }).locator(".monaco-button").filter({ hasText: "Approve" }).click();
    const view = await panel();
    await view.locator(".summary.good").filter({ hasText: /^completed in 3 steps · .* · \$0\.1 · 80 tokens$/ }).waitFor();
    await workbench.until("its path", async () => (await visited()).join() === "look,send,write");
    assert.ok((await view.locator(".edge.followed").count()) >= 3);
    assert.deepEqual(statuses(), ["completed", "interrupted"]);
    assert.equal(await waits().count(), 0);
    assert.equal(recordedRuns(vscode.workspace)[0]?.spent.cost_usd, 0.1);
  });

  test("a run is drawn while it goes on, and the text of a model is seen before it is complete", async () => {
    models.hold();
    await atGraph();
    await workbench.command("nodewise: Run Graph (Live)");
    const view = await panel();
    await view.locator(".saying .said").filter({ hasText: LETTER.slice(0, 7) }).waitFor();
    assert.equal(await view.locator(".saying .said").innerText(), LETTER.slice(0, 7));
    assert.match(await view.locator(".saying h2").innerText(), /^write is answering$/);
    assert.match(await view.locator(".summary").innerText(), /^Running… · 1 step$/);
    assert.equal(await view.locator(".mode.live").innerText(), "Live run");
    const open = async () => (await view.locator(".node.open").evaluateAll((nodes) => nodes.map((node) => (node as SVGElement).dataset["node"]))).join();
    await workbench.until("the node that asks", async () => (await open()) === "write");
    assert.deepEqual(statuses()[0], "running");
    await workbench.screenshot("live");
    models.release();
    await isAsked();
    // The state has what the node wrote, while the run continues.
    await view.locator(".state .keys .key").filter({ hasText: /^letter$/ }).waitFor();
    await view.locator(".state .keys .value").filter({ hasText: KEPT }).waitFor();
    assert.deepEqual(await violations(view), []);
    // The node has ended, and its cost is included, while the run continues.
    await view.locator(".summary").filter({ hasText: /^Running… · 2 steps · 40 tokens · \$0\.05/ }).waitFor();
    await workbench.until("the node that waits", async () => (await open()) === "look");
    await choose("Approve");
    await view.locator(".summary.good").filter({ hasText: /^completed in 3 steps/ }).waitFor();
    assert.equal(await view.locator(".saying .said, .going-on").count(), 0);
  });

  test("what a model said is text in the panel", async () => {
    const view = await panel();
    await view.locator(".steps li .text").filter({ hasText: "“<img src=x onerror=" }).first().click();
    await view.locator(".fork textarea").waitFor();
    assert.ok((await view.locator(".fork textarea").inputValue()).includes("<b>Dear</b>"));
    await view.locator(".steps li .text").filter({ hasText: `letter = ${KEPT}` }).first().click();
    await view.locator(".changes td").filter({ hasText: KEPT }).waitFor();
    await view.locator(".state .keys .value").filter({ hasText: KEPT }).waitFor();
    assert.equal(await view.locator("a, b, img, body[data-broken]").count(), 0);
    await workbench.screenshot("live-text");
  });

  test("a decision that is put off leaves the run waiting", async () => {
    await atGraph();
    await workbench.command("nodewise: Run Graph (Live)");
    await choose("Later");
    const view = await panel();
    await view.locator(".summary").filter({ hasText: /^waiting for a person in 2 steps/ }).waitFor();
    await workbench.until("its path", async () => (await visited()).join() === "look,write");
    assert.deepEqual(statuses(), ["waiting", "completed", "completed", "interrupted"]);
  });

  test("a window that is opened later lists the run, and the decision ends it", async () => {
    const earlier = models.asked.length;
    await vscode.show("letters.yaml");
    await lenses().first().waitFor();
    await atGraph();
    await workbench.command("nodewise: Resume Live Run…");
    const rows = workbench.page.locator(".quick-input-list .monaco-list-row");
    await rows.filter({ hasText: "waiting at look" }).waitFor();
    assert.equal(await rows.count(), 2);
    await workbench.screenshot("live-resume");
    await rows.filter({ hasText: "waiting at look" }).click();
    await choose("Reject");
    const view = await panel();
    await view.locator(".summary.good").filter({ hasText: /^completed in 3 steps/ }).waitFor();
    await workbench.until("its path", async () => (await visited()).join() === "look,shelve,write");
    // The graph is requested after the run has ended.
    await view.locator("h1").filter({ hasText: /in letters\.yaml$/ }).waitFor();
    assert.deepEqual(statuses(), ["completed", "completed", "completed", "interrupted"]);
    // Recorded answers are not requested again. Only the clerk was called.
    assert.deepEqual(models.asked.slice(earlier).map((body) => body.includes("Note what became of it.")), [true]);
  });

  test("a resumed run is saved as a scenario that passes, without model calls", async () => {
    const earlier = models.asked.length;
    const view = await panel();
    await view.locator("button", { hasText: "Save as Scenario" }).click();
    const file = await workbench.saveAs("letters.scenario.yaml");
    const text = workbench.onDisk("letters.scenario.yaml");
    assert.match(text, /file: letters.yaml\n/);
    assert.match(text, /path: \[write, look, shelve\]/);
    assert.ok(text.includes("<b>Dear</b>"), text);
    assert.match(testScenario(file), /1 passed/);
    assert.equal(models.asked.length, earlier);
  });

  test("a run begins again from a step, and asks nobody about what came before", async () => {
    const earlier = models.asked.length;
    await workbench.open("letters.yaml");
    const view = await panel();
    await view.locator(".steps li .text").filter({ hasText: "“It is done.”" }).first().click();
    await view.locator("button", { hasText: "Run Again from Here" }).click();
    await workbench.until("another run", () => statuses().join() === "completed,completed,completed,completed,interrupted");
    await view.locator(".summary.good").filter({ hasText: /^completed in 3 steps/ }).waitFor();
    assert.deepEqual(models.asked.slice(earlier).map((body) => body.includes("Note what became of it.")), [true]);
  });

  test("a pinned node is not asked, until it is unpinned", async () => {
    const earlier = models.asked.length;
    await workbench.open("letters.yaml");
    await workbench.focusEditor("letters.yaml");
    await workbench.go(5, 12);
    await workbench.command("nodewise: Pin Output of Node");
    const toast = workbench.page.locator(".notification-toast").filter({ hasText: "Later live runs take the output of write" });
    const run = /from the run (\S+)\./.exec(await toast.innerText())?.[1];
    assert.ok(recordedRuns(vscode.workspace).some(({ id }) => id === run), run);
    const unpin = `Unpin output (of ${run})`;
    await workbench.lens("letters.yaml", "id: write,", /^Unpin output/);
    const runs = statuses().length;
    await clickLens("a run", async () => statuses().length > runs);
    await workbench.until("a run with the pinned output", () => statuses().length > runs && statuses()[0] === "interrupted");
    const view = await panel();
    await view.locator(".summary.good").filter({ hasText: /^completed in 1 step/ }).waitFor();
    assert.equal(models.asked.length, earlier);
    await workbench.clickLensUntil("letters.yaml", "id: write,", unpin, "no lens of a pin", async () =>
      !(await workbench.hasLens("letters.yaml", "id: write,", /Unpin output/)));
    await clickLens("a call", async () => models.asked.length === earlier + 1);
    const whole = workbench.page.viewportSize();
    await workbench.page.setViewportSize({ width: 1440, height: 420 });
    await workbench.until("its end", () => statuses().length > runs + 1 && statuses()[0] === "interrupted");
    // In a window with little height, the node that ran is in view.
    await view.locator(".summary.good").filter({ hasText: /^completed in 1 step/ }).waitFor();
    await workbench.until("the node in view", async () => {
      const [room, node] = await Promise.all([view.locator(".canvas").boundingBox(), view.locator('.node.visited[data-node="write"]').boundingBox()]);
      return room !== null && node !== null && node.height > 5 && node.y + node.height > room.y && node.y < room.y + room.height && node.x + node.width > room.x && node.x < room.x + room.width;
    });
    await workbench.screenshot("live-low");
    await workbench.page.setViewportSize(whole ?? { width: 1440, height: 900 });
  });

  test("a run is stopped in the panel while a model is silent, and can be resumed", async () => {
    const earlier = models.asked.length;
    models.isSilent = true;
    await workbench.open("letters.yaml");
    await atGraph();
    await workbench.command("nodewise: Run Graph (Live)");
    await workbench.until("a call", () => models.asked.length > earlier);
    const [run] = recordedRuns(vscode.workspace);
    const view = await panel();
    await view.locator("button", { hasText: "Stop" }).click();
    await workbench.page.locator(".notification-toast").filter({ hasText: `The run ${run?.id} was stopped.` }).waitFor();
    await view.locator(".summary").filter({ hasText: /^Stopped\.$/ }).waitFor();
    await workbench.until("the end in the record", () => statuses()[0] === "interrupted");
  });

  test("a stored run that is opened while another one goes on stays in the panel when the other one ends", async () => {
    const earlier = models.asked.length;
    const rows = workbench.page.locator(".pane-body .monaco-list-row").filter({ hasText: /live · / });
    await workbench.page.locator(".activitybar [aria-label^='nodewise']").first().click();
    await rows.filter({ hasText: "completed in 3 steps" }).first().waitFor();
    await workbench.open("letters.yaml");
    await atGraph();
    await workbench.command("nodewise: Run Graph (Live)");
    await workbench.until("a call", () => models.asked.length > earlier);
    const [run] = recordedRuns(vscode.workspace);
    const view = await panel();
    await rows.filter({ hasText: "completed in 3 steps" }).first().click();
    await workbench.page.locator(".notification-toast").filter({ hasText: `The run ${run?.id} was stopped.` }).waitFor();
    await view.locator(".summary.good").filter({ hasText: /^completed in 3 steps/ }).waitFor();
    // The list is read again after the panel knows about the end.
    await workbench.until("the stopped run in the list", async () => /interrupted|stopped/.test((await rows.first().innerText()).toLowerCase()));
    assert.match(await view.locator(".summary.good").innerText(), /^completed in 3 steps/);
  });

  test("a stored run of a project that is a folder in the workspace opens in the debugger", async () => {
    const inner = path.join(vscode.workspace, "inner");
    mkdirSync(inner);
    for (const name of ["letters.yaml", "nodewise.toml", ".nodewise"]) {
      renameSync(path.join(vscode.workspace, name), path.join(inner, name));
    }
    const completed = recordedRuns(inner).find(({ status }) => status === "completed");
    const rows = workbench.page.locator(".quick-input-list .monaco-list-row");
    await workbench.until("the run in the list", async () => {
      await workbench.command("nodewise: Debug Stored Run");
      return rows.filter({ hasText: completed?.id ?? "" }).first().click({ timeout: 5000 }).then(() => true, () => false);
    });
    await workbench.page.locator(".debug-toolbar .codicon-debug-step-back").waitFor();
    assert.equal(existsSync(path.join(vscode.workspace, ".nodewise")), false);
  });
});
