/** Marks on the graph: the changes since the last commit, the path of a finding, the lineage of a state key. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { violations } from "../axe.ts";
import { lowContrasts } from "../contrast.ts";
import { checkThemes } from "../themes.ts";
import { FOLDER } from "../tools.ts";
import { VsCode } from "../vscode.ts";
import { Workbench } from "../workbench.ts";

const FLOW = `id: refunds
name: refunds
description: Answers mail.
nodes:
  - {id: read, type: agent, agent_id: reader, tools: [{type: mcp, server_id: mail}], write_keys: [request]}
  - {id: sort, type: agent, agent_id: sorter, read_keys: [request], write_keys: [kind]}
  - {id: pay, type: agent, agent_id: payer, read_keys: [kind], tools: [{type: custom, name: refund_order}]}
  - {id: reply, type: tool, tool_id: reply, read_keys: [kind]}
edges:
  - {source: read, target: sort}
  - {source: sort, target: pay, condition: {type: conditional, condition: "memory.kind == 'refund'"}}
  - {source: sort, target: reply}
start_node: read
end_nodes: [pay, reply]
`;

describe("marks on the graph", () => {
  let vscode: VsCode;
  let workbench: Workbench;
  const test = (name: string, task: () => Promise<void>) => it(name, () => workbench.step(name, task));
  const node = (id: string, marks = "") => `.node[data-node="${id}"]${marks}`;
  const git = (...words: string[]) => {
    const role = (name: string) => ({ [`GIT_${name}_NAME`]: "a", [`GIT_${name}_EMAIL`]: "a@example.org" });
    const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", ...role("AUTHOR"), ...role("COMMITTER") };
    execFileSync("git", words, { cwd: vscode.workspace, env });
  };
  const write = (text: string) => writeFileSync(path.join(vscode.workspace, "refunds.yaml"), text);

  before(async () => {
    vscode = await VsCode.open({ files: path.join(FOLDER, "test", "files", "desk") });
    workbench = new Workbench(vscode);
    write(FLOW);
    git("init", "--quiet");
    git("add", ".");
    git("commit", "--quiet", "-m", "one");
    write(FLOW.replace("{id: reply, type: tool, tool_id: reply,", "{id: answer, type: tool, tool_id: mail,").replaceAll("target: reply", "target: answer").replace("pay, reply]", "pay, answer]").replace("== 'refund'", "== 'money'"));
    await vscode.show("refunds.yaml");
    await workbench.line("refunds.yaml", "name: refunds").waitFor();
    await workbench.editor("refunds.yaml").locator(".codelens-decoration a").first().waitFor();
  });
  after(() => vscode.stop());

  test("the graph is compared with the last commit, in colours, words and a legend", async () => {
    await workbench.command("nodewise: Compare Graph with Last Commit");
    const view = await workbench.webview(node("answer", ".mark-added"));
    await view.locator(node("reply", ".mark-removed")).waitFor();
    await view.locator(".edge.mark-changed").waitFor();
    assert.equal(await view.locator(node("reply")).locator(".tag").textContent(), "removed");
    assert.equal(await view.locator(".marks h2").textContent(), "Changes since the last commit");
    const lines = await view.locator(".marks li").allTextContents();
    assert.ok(lines.some((line) => /\+ node “answer” \(tool\)/.test(line)), lines.join("\n"));
    const legend = await view.locator(".legend li").allTextContents();
    assert.deepEqual(legend.slice(-3), ["Added", "Removed", "Changed"]);
    assert.equal(await view.locator(".legend .mark-removed .swatch").evaluate((swatch) => getComputedStyle(swatch).borderStyle), "dashed");
  });

  test("its lines and texts can be seen in every default theme, and nothing is red that is not wrong", async () => {
    const view = await workbench.webview(node("answer", ".mark-added"));
    await checkThemes(vscode, workbench, view, "marks");
  });

  test("a button leads back to the plain graph", async () => {
    const view = await workbench.webview(node("answer", ".mark-added"));
    await view.locator(".marks button", { hasText: "Back to Plain Graph" }).click();
    await view.locator(node("reply")).waitFor({ state: "detached" });
    await view.locator(".marks").waitFor({ state: "hidden" });
    assert.equal(await view.locator(".marked").count(), 0);
  });

  test("the path of a finding is numbered on the graph, and everything else steps back", async () => {
    await workbench.focusEditor("refunds.yaml");
    await workbench.go(workbench.lineOf("refunds.yaml", "id: pay"), 10);
    const board = await workbench.webview(node("pay"));
    await workbench.chooseFix("Show the path on the graph", board.locator(node("pay", ".mark-step")));
    const view = await workbench.webview(node("pay", ".mark-step"));
    const numbers = await Promise.all(["read", "sort", "pay"].map((id) => view.locator(node(id)).locator(".tag").textContent()));
    assert.deepEqual(numbers, ["1", "2", "3"]);
    assert.equal(await view.locator(".edge.mark-step").count(), 2);
    await view.locator(".surface.dims").waitFor();
    assert.equal(await view.locator(node("answer", ".marked")).count(), 0);
    assert.deepEqual(await view.evaluate(lowContrasts), []);
    assert.deepEqual(await violations(view), []);
    await workbench.screenshot("marks-path");
    // A line of the words leads to its place.
    await view.locator(".marks .line").nth(1).click();
    await workbench.cursorAt(workbench.lineOf("refunds.yaml", "id: sort"));
  });

  test("a key at the cursor is followed, and Escape ends it", async () => {
    await workbench.focusEditor("refunds.yaml");
    const line = FLOW.split("\n").find((text) => text.includes("write_keys: [kind]")) ?? "";
    await workbench.go(workbench.lineOf("refunds.yaml", "write_keys: [kind]"), line.indexOf("[kind]") + 3);
    await workbench.command("nodewise: Show State Key on Graph");
    const view = await workbench.webview(node("sort", ".mark-writes"));
    for (const id of ["pay", "answer"]) {
      await view.locator(node(id, ".mark-reads")).waitFor();
    }
    await view.locator(".edge.mark-tests").waitFor();
    assert.equal(await view.locator(node("read", ".marked")).count(), 0);
    assert.deepEqual((await view.locator(".legend li").allTextContents()).slice(-3), ["Writes the key", "Reads the key", "Decides by the key"]);
    assert.deepEqual(await view.evaluate(lowContrasts), []);
    await workbench.screenshot("marks-key");
    await view.locator(".surface").focus();
    await workbench.page.keyboard.press("Escape");
    await view.locator(".marked").first().waitFor({ state: "detached" });
  });

  test("a key of a node's box is followed, and an edit of the text ends it", async () => {
    const view = await workbench.webview(node("read"));
    await workbench.chooseInMenu(view.locator(`${node("read")} .box`), "Show State Key on Graph", view.locator(node("read", ".mark-writes")));
    await view.locator(node("sort", ".mark-reads")).waitFor();
    await workbench.focusEditor("refunds.yaml");
    await workbench.go(1, 1);
    await workbench.page.keyboard.type("# x");
    await view.locator(".marked").first().waitFor({ state: "detached" });
  });
});

describe("a workspace without trust", () => {
  it("does not start git", async () => {
    const vscode = await VsCode.open({ files: path.join(FOLDER, "test", "files", "desk"), isUntrusted: true });
    try {
      const workbench = new Workbench(vscode);
      await workbench.step("untrusted-compare", async () => {
        await vscode.show("desk.yaml");
        await workbench.editor("desk.yaml").locator(".codelens-decoration a").first().waitFor();
        const rows = await workbench.commandsFor("nodewise: Compare", "Compare Runs");
        assert.equal(await rows.filter({ hasText: "Compare Graph" }).count(), 0);
      });
    } finally {
      await vscode.stop();
    }
  });
});
