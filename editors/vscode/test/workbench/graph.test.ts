/** The graph view next to its text, as a person sees it. */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { REPOSITORY } from "../tools.ts";
import { violations } from "../axe.ts";
import { lowContrasts } from "../contrast.ts";
import { drag, drawingWork, edited, framesDuring, largeGraph, median, quantile, zoom } from "../drawing.ts";
import { checkThemes } from "../themes.ts";
import { VsCode } from "../vscode.ts";
import { Workbench } from "../workbench.ts";

/** A graph of AgentOS that reads a request, looks in two places at the same time, and answers. */
const BRANCHES = `id: graph-branches
name: branches
nodes:
${["read", "orders", "refunds", "law", "answer"].map((id) => `  - {id: ${id}, type: gmi, executorConfig: {type: gmi, instructions: Work.}, executionMode: single_turn, effectClass: pure, checkpoint: none}\n`).join("")}edges:
${["__START__ read", "read orders", "read law", "orders refunds", "refunds answer", "law answer", "answer __END__"].map((ends, index) => `  - {id: e${index}, source: ${ends.replace(" ", ", target: ")}, type: static}\n`).join("")}stateSchema: {input: {}, scratch: {}, artifacts: {}}
reducers: {}
checkpointPolicy: none
memoryConsistency: live
`;

describe("the graph of an insurance claim", () => {
  let vscode: VsCode;
  let workbench: Workbench;
  const test = (name: string, task: () => Promise<void>) => it(name, () => workbench.step(name, task));
  const node = (id: string) => `.node[data-node="${id}"]`;

  before(async () => {
    vscode = await VsCode.open({ files: path.join(REPOSITORY, "examples", "cycgraph") });
    workbench = new Workbench(vscode);
    writeFileSync(path.join(vscode.workspace, "branches.yaml"), BRANCHES);
    await vscode.show("claims.yaml");
    await workbench.line("claims.yaml", "name: claims").waitFor();
    await workbench.editor("claims.yaml").locator(".codelens-decoration a").first().waitFor();
  });
  after(() => vscode.stop());

  test("it is drawn with its nodes, conditions and state", async () => {
    await workbench.command("nodewise: Show Graph to the Side");
    const view = await workbench.webview(node("intake"));
    assert.equal(await view.locator(".node").count() > 10, true);
    assert.match(await view.locator(node("policy")).first().textContent() ?? "", /policy.*tool.*reads claim/s);
    assert.equal(await view.locator("h1").textContent(), "graph “claims” in claims.yaml");
  });

  test("its lines and texts can be seen in every default theme, and nothing is red that is not wrong", async () => {
    const view = await workbench.webview(node("intake"));
    await checkThemes(vscode, workbench, view, "graph");
  });

  test("edges say why they are followed, and a legend names the kinds of nodes", async () => {
    const view = await workbench.webview(node("intake"));
    for (const word of ["each item", "rejected"]) {
      await view.locator(".edge .condition.word").filter({ hasText: word }).waitFor();
    }
    const cut = view.locator(".edge").filter({ has: view.locator(".condition", { hasText: /^number.*fire'$/ }) });
    assert.match((await cut.locator("title").textContent()) ?? "", /number\(memory.amount\) < 500 and memory.category != 'fire'/);
    assert.deepEqual(await view.locator(".legend li").allTextContents(), ["Model", "Tool", "Person", "Check", "Parallel", "Subgraph"]);
  });

  test("a click on a node shows its line", async () => {
    const view = await workbench.webview(node("intake"));
    await view.locator(`${node("release")} .box`).click();
    // The board keeps the focus, so that keys edit the board and not the text.
    assert.ok(await view.evaluate(() => document.hasFocus()));
    await workbench.leaveView();
    await workbench.cursorAt(workbench.lineOf("claims.yaml", "id: release"));
  });

  test("it follows the cursor", async () => {
    await workbench.focusEditor("claims.yaml");
    await workbench.go(workbench.lineOf("claims.yaml", "type: map"), 5);
    const view = await workbench.webview(node("intake"));
    await view.locator(`${node("value_damage")}.current`).waitFor();
    await workbench.lensesReadyIn("claims.yaml");
    await workbench.screenshot("graph");
    await workbench.picture("walkthrough-graph", workbench.column(1));
  });

  test("the keyboard walks and chooses", async () => {
    const view = await workbench.webview(node("intake"));
    await view.locator(".surface").focus();
    await workbench.page.keyboard.press("Home");
    await workbench.page.keyboard.press("ArrowDown");
    await view.locator(".node.focused").waitFor();
    const before = await view.locator(".board").getAttribute("style");
    await workbench.page.keyboard.press("+");
    assert.notEqual(await view.locator(".board").getAttribute("style"), before);
    await workbench.page.keyboard.press("0");
    await workbench.page.keyboard.press("Enter");
    await workbench.cursorAt(workbench.lineOf("claims.yaml", "id: intake"));
  });

  test("a subgraph is opened in its node, walked through, and collapsed again", async () => {
    const view = await workbench.webview(node("intake"));
    const named = (label: string) => view.locator(".node").filter({ has: view.locator(".label", { hasText: new RegExp(`^${label}$`) }) });
    const shown = () => view.locator(".surface").getAttribute("data-nodes");
    const before = await shown();
    await named("settle").locator(".toggle").click();
    await named("weigh").waitFor();
    assert.equal(await named("settle").getAttribute("aria-expanded"), "true");
    const box = async (label: string) => (await named(label).locator("rect.box").boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const [outer, inner] = [await box("settle"), await box("weigh")];
    assert.ok(inner.x > outer.x && inner.y > outer.y && inner.x + inner.width < outer.x + outer.width && inner.y + inner.height < outer.y + outer.height, "it is inside");
    assert.deepEqual(await violations(view), []);
    assert.deepEqual(await view.evaluate(lowContrasts), []);
    await workbench.screenshot("graph-subgraph");
    // The source of a node inside of it is shown, and the board stays.
    await named("weigh").locator("rect.box").click();
    await workbench.editor("settlement.yaml").waitFor();
    await workbench.leaveView();
    await workbench.cursorAt(workbench.lineOf("settlement.yaml", "id: weigh"));
    await view.locator(".node.current").filter({ has: view.locator(".label", { hasText: /^weigh$/ }) }).waitFor();
    assert.equal(await named("intake").count(), 1);
    // Graphs inside of nodes are not edited here: the keys do nothing.
    await named("weigh").locator("rect.box").click();
    await workbench.page.keyboard.press("Delete");
    await workbench.page.keyboard.press("F2");
    assert.equal(await view.locator(".port:not(.hidden)").count(), 0);
    // The keyboard collapses and opens it, and the node keeps its place and the focus.
    const head = { position: { x: 60, y: 10 } };
    await named("settle").locator("rect.box").click(head);
    await workbench.page.keyboard.press("o");
    await named("weigh").waitFor({ state: "detached" });
    assert.equal(await shown(), before);
    const collapsed = await box("settle");
    await workbench.page.keyboard.press("o");
    await named("weigh").waitFor();
    const opened = await box("settle");
    assert.ok(Math.abs(opened.x - collapsed.x) < 2 && Math.abs(opened.y - collapsed.y) < 2, "it keeps its place");
    await view.locator(".node.focused.expanded").waitFor();
    await workbench.page.keyboard.press("o");
    await named("weigh").waitFor({ state: "detached" });
    assert.equal(await workbench.page.locator(".tab.dirty").count(), 0);
    await workbench.leaveView();
    await workbench.open("claims.yaml");
  });

  test("an edit elsewhere leaves every place as it is, a new node joins", async () => {
    const view = await workbench.webview(node("intake"));
    const places = () => view.locator(".node").evaluateAll((all) => all.map((one) => `${(one as HTMLElement).dataset["node"]} ${one.getAttribute("transform")}`));
    const before = await places();
    await workbench.focusEditor("claims.yaml");
    await workbench.go(workbench.lineOf("claims.yaml", "description:"), 3);
    await workbench.page.keyboard.press("End");
    await workbench.page.keyboard.type(" And more.");
    await workbench.line("claims.yaml", "And more.").waitFor();
    assert.deepEqual(await places(), before);
    await workbench.go(workbench.lineOf("claims.yaml", "{id: decline"), 3);
    await workbench.page.keyboard.press("End");
    await workbench.page.keyboard.press("Enter");
    await workbench.page.keyboard.type(`- {type: agent, agent_id: clerk, id: more`);
    await view.locator(node("more")).waitFor();
  });

  test("an edit is drawn, and changes nothing else", async () => {
    const view = await workbench.webview(node("intake"));
    const { nodes, moved } = await edited(workbench, "claims.yaml", view, "more", "abcdefghijklmnopqrst");
    // The node with the name, and now and then one beside it, because names have a width.
    assert.ok(nodes <= 60 && moved === 0, `20 keystrokes create ${nodes} nodes and move ${moved}`);
    await workbench.command("File: Revert File");
  });

  test("branches that run at the same time are in lanes", async () => {
    await workbench.focusEditor("claims.yaml");
    await workbench.open("branches.yaml");
    const view = await workbench.webview(node("refunds"));
    await view.locator(".lane").nth(1).waitFor({ state: "attached" });
    assert.equal(await view.locator(".lane").count(), 2);
    // A band is around each node of a branch, and around no other.
    const banded = await view.evaluate(() => {
      const places = (selector: string) => [...document.querySelectorAll<SVGElement>(selector)].map((element) => ({ element, place: element.getBoundingClientRect() }));
      const bands = places(".lane rect");
      const isIn = (inner: DOMRect, outer: DOMRect) => inner.left > outer.left && inner.right < outer.right && inner.top > outer.top && inner.bottom < outer.bottom;
      return places(".node .box").filter(({ place }) => bands.some((band) => isIn(place, band.place))).map(({ element }) => element.closest<SVGElement>(".node")?.dataset["node"]).sort();
    });
    assert.deepEqual(banded, ["law", "orders", "refunds"]);
    assert.equal(await view.locator(".lane path").count(), 1);
    // Bands on one another are not darker than one.
    assert.deepEqual(await view.locator(".lane").evaluateAll((all) => [...new Set(all.map((one) => getComputedStyle(one).opacity))]), ["1"]);
    await view.locator(".legend li").filter({ hasText: "Branches that run at the same time" }).waitFor();
    assert.deepEqual(await violations(view), []);
    await workbench.screenshot("graph-lanes");
  });
});

describe("a graph of a thousand nodes", () => {
  let vscode: VsCode;
  let workbench: Workbench;
  before(async () => {
    vscode = await VsCode.open({ files: path.join(REPOSITORY, "examples", "cycgraph") });
    workbench = new Workbench(vscode);
    const file = path.join(vscode.workspace, "large.yaml");
    writeFileSync(file, largeGraph(1000));
    await vscode.show("large.yaml");
    await workbench.line("large.yaml", "name: large").waitFor();
    await workbench.editor("large.yaml").locator(".codelens-decoration a").first().waitFor();
  });
  after(() => vscode.stop());

  const test = (name: string, task: () => Promise<void>) => it(name, () => workbench.step(name, task));
  const shown = () => workbench.webview("body.graph[data-drawn-in]");

  test("all of it is drawn", async () => {
    await workbench.command("nodewise: Show Graph to the Side");
    const view = await shown();
    assert.equal(await view.locator(".surface").getAttribute("data-nodes"), "1002");
    console.log(`1,000 nodes are drawn in ${await view.locator("body").getAttribute("data-drawn-in")} ms`);
    await workbench.screenshot("graph-large");
  });

  test("it is dragged and zoomed as a whole", async () => {
    const view = await shown();
    await view.locator(".surface").focus();
    for (const [what, keys] of [["all of it seen", ["0"]], ["in letters that can be read", ["Home", ...Array(14).fill("+")]]] as const) {
      for (const key of keys) {
        await workbench.page.keyboard.press(key);
      }
      assert.equal(await view.locator(".node .label").first().isVisible(), keys.length > 1);
      for (const [name, act] of [["dragged", drag], ["zoomed", zoom]] as const) {
        let frames: number[] = [];
        const { nodes, moved } = await drawingWork(view, async () => {
          frames = await framesDuring(view, () => act(workbench, view));
        });
        console.log(`1,000 nodes, ${what}, ${name}: ${frames.length} frames, median ${median(frames)} ms, 95 % ${quantile(frames, 0.95)} ms; created ${nodes}, moved ${moved}`);
        assert.equal(moved, 0, `${what}, ${name}: nodes move in the drawing, which moves itself`);
      }
    }
    await workbench.screenshot("graph-large-zoomed");
  });

  test("an edit of it is drawn without drawing all of it again", async () => {
    await workbench.focusEditor("large.yaml");
    await workbench.go(workbench.lineOf("large.yaml", "{id: step_999"), 18);
    const view = await shown();
    const { nodes, moved } = await edited(workbench, "large.yaml", view, "step_999", "abcdefghij");
    // The name gets wider, which can move what is beside it.
    assert.ok(nodes + moved < 2000, `10 keystrokes create ${nodes} nodes of 1,002, and move ${moved}`);
  });
});
