/** A board of five thousand nodes: the page has only what is near the window. */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import type { Frame } from "playwright-core";

import { drag, drawingWork, edited, framesDuring, largeGraph, median, quantile } from "../drawing.ts";
import { REPOSITORY } from "../tools.ts";
import { VsCode } from "../vscode.ts";
import { Workbench } from "../workbench.ts";

const NODES = 5000;
/** A node that leads nowhere. */
const LEAF = "step_4998";
/** The most nodes that are near the window at a scale at which texts can be read. */
const NEAR_MAX = 300;
/** Nodes farther away than this part of the window's size are not in the page, wherever the board was moved to. */
const FAR = 1.25;

describe("a board of five thousand nodes", () => {
  let vscode: VsCode;
  let workbench: Workbench;
  const test = (name: string, task: () => Promise<void>) => it(name, () => workbench.step(name, task));
  const shown = () => workbench.webview("body.graph[data-drawn-in]");

  before(async () => {
    vscode = await VsCode.open({ files: path.join(REPOSITORY, "examples", "cycgraph") });
    workbench = new Workbench(vscode);
    writeFileSync(path.join(vscode.workspace, "large.yaml"), largeGraph(NODES));
    await vscode.show("large.yaml");
    await workbench.line("large.yaml", "name: large").waitFor();
    await workbench.editor("large.yaml").locator(".codelens-decoration a").first().waitFor();
  });
  after(() => vscode.stop());

  /** Expects that the page has some nodes, and none far outside of the window. */
  async function expectNear(view: Frame): Promise<void> {
    const { inside, far, elements } = await view.evaluate((limit) => {
      const window = document.querySelector(".surface")?.getBoundingClientRect() ?? new DOMRect();
      const [across, down] = [limit * window.width, limit * window.height];
      const boxes = [...document.querySelectorAll(".node")].map((node) => node.getBoundingClientRect());
      const isNear = (box: DOMRect) => box.right > window.left - across && box.left < window.right + across && box.bottom > window.top - down && box.top < window.bottom + down;
      return { inside: boxes.filter(isNear).length, far: boxes.filter((box) => !isNear(box)).length, elements: document.querySelectorAll("*").length };
    }, FAR);
    console.log(`${NODES} nodes: ${inside} of them and ${elements} elements are in the page`);
    assert.equal(far, 0, "nodes far outside of the window are in the page");
    assert.ok(inside > 0 && inside <= NEAR_MAX, `${inside} nodes are in the page`);
  }

  test("only what is near the window is in the page", async () => {
    await workbench.command("nodewise: Show Graph to the Side");
    const view = await shown();
    assert.equal(await view.locator(".surface").getAttribute("data-nodes"), String(NODES + 2));
    console.log(`${NODES} nodes are drawn in ${await view.locator("body").getAttribute("data-drawn-in")} ms`);
    await expectNear(view);
    await workbench.screenshot("graph-larger");
  });

  test("what is dragged into the window is created, and nothing else", async () => {
    const view = await shown();
    let frames: number[] = [];
    const { nodes, moved } = await drawingWork(view, async () => {
      frames = await framesDuring(view, () => drag(workbench, view));
    });
    console.log(`${NODES} nodes, dragged: ${frames.length} frames, median ${median(frames)} ms, 95 % ${quantile(frames, 0.95)} ms; created ${nodes}, moved ${moved}`);
    assert.equal(moved, 0, "nodes move in the drawing, which moves itself");
    assert.ok(nodes <= NEAR_MAX, `${nodes} nodes are created`);
    await expectNear(view);
  });

  test("a keystroke creates only nodes that are near", async () => {
    await workbench.focusEditor("large.yaml");
    await workbench.go(workbench.lineOf("large.yaml", `{id: ${LEAF},`), `  - {id: ${LEAF}`.length + 1);
    const view = await shown();
    await view.locator(`.node.current[data-node="${LEAF}"]`).waitFor();
    const { nodes, moved } = await edited(workbench, "large.yaml", view, LEAF, "abcde");
    console.log(`${NODES} nodes, 5 keystrokes: created ${nodes}, moved ${moved}`);
    // The name gets wider, which moves what is beside it.
    assert.ok(nodes <= 5 * NEAR_MAX, `5 keystrokes create ${nodes} nodes`);
    await expectNear(view);
  });
});
