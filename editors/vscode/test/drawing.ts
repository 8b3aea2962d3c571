/**
 * What tests of drawings share: a large graph, what an action draws, and how long that takes.
 *
 * Input: a page with a drawing, and an action. Output: counts and times. Invariant: a count is the same on a busy machine.
 */

import type { Frame } from "playwright-core";

import type { Workbench } from "./workbench.ts";

/** A cycgraph file with a graph of so many nodes: a tree with three branches at each node, and some edges back. */
export function largeGraph(nodes: number): string {
  const ids = Array.from({ length: nodes }, (_, index) => `step_${index}`);
  const declared = ids.map((id) => `  - {id: ${id}, type: agent, agent_id: clerk, read_keys: [claim], write_keys: [letter]}\n`);
  const edges = ids.slice(1).flatMap((id, index) => [`  - {source: step_${Math.floor(index / 3)}, target: ${id}}\n`, ...(index % 7 === 0 ? [`  - {source: ${id}, target: step_${Math.floor(index / 5)}}\n`] : [])]);
  return `id: large\nname: large\nnodes:\n${declared.join("")}edges:\n${edges.join("")}start_node: step_0\nend_nodes: [step_${nodes - 1}]\n`;
}

export function quantile(numbers: number[], part: number): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  return Math.round(sorted[Math.floor(sorted.length * part)] ?? Infinity);
}

export function median(numbers: number[]): number {
  return quantile(numbers, 0.5);
}

interface DrawingWork {
  /** The nodes that were created. */
  nodes: number;
  /** The nodes that got another place in the drawing. */
  moved: number;
}

/** What an action makes the page draw. A count is the same on a busy machine, unlike a time. */
export async function drawingWork(view: Frame, act: () => Promise<void>): Promise<DrawingWork> {
  await view.evaluate(() => {
    const work = { nodes: 0, moved: 0 };
    const observer = new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes) {
        if (type === "attributes") {
          work.moved += Number(target instanceof Element && target.matches(".node"));
        }
        for (const added of addedNodes) {
          work.nodes += added instanceof Element ? Number(added.matches(".node")) + added.querySelectorAll(".node").length : 0;
        }
      }
    });
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ["transform"] });
    Object.assign(window, { work, observer });
  });
  await act();
  return view.evaluate(() => {
    const { work, observer } = window as unknown as { work: DrawingWork; observer: MutationObserver };
    observer.disconnect();
    return work;
  });
}

/** Types a name, prints how soon each key is drawn, and returns what was drawn for it. */
export async function edited(workbench: Workbench, file: string, view: Frame, begun: string, keys: string): Promise<DrawingWork> {
  let times: Record<"drawn" | "behind", number[]> = { drawn: [], behind: [] };
  const work = await drawingWork(view, async () => {
    times = await latencies(workbench, file, view, begun, keys);
  });
  console.log(`${file}, keystroke to drawing: median ${median(times.drawn)} ms (${times.drawn.join(" ")}), behind the editor's own text ${median(times.behind)} ms`);
  return work;
}

/** The times from a key press in a name to the editor's text and to the drawing, and the difference between them. */
async function latencies(workbench: Workbench, file: string, view: Frame, begun: string, keys: string): Promise<Record<"drawn" | "behind", number[]>> {
  // Both pages record when they first show a text, with the clock of the test.
  const watch = (page: Element) => {
    const seen: Record<string, number> = {};
    Object.assign(window, { seen });
    new MutationObserver(() => {
      const wanted = page.getAttribute("data-wanted") ?? "";
      if (wanted !== "" && seen[wanted] === undefined && (page.textContent ?? "").includes(wanted)) {
        seen[wanted] = Date.now();
      }
    }).observe(page, { subtree: true, childList: true, characterData: true });
  };
  const seen = (page: Element) => (window as unknown as { seen: Record<string, number> }).seen[page.getAttribute("data-wanted") ?? ""];
  const [text, drawing] = [workbench.editor(file).locator(".view-lines"), view.locator("body")];
  await text.evaluate(watch);
  await drawing.evaluate(watch);
  const found = { drawn: [] as number[], behind: [] as number[] };
  let name = begun;
  for (const key of keys) {
    name += key;
    for (const page of [text, drawing]) {
      await page.evaluate((body, wanted) => body.setAttribute("data-wanted", wanted), name);
    }
    const pressed = Date.now();
    await workbench.page.keyboard.press(key);
    const drawn = await workbench.until(`a node named ${name}`, () => drawing.evaluate(seen));
    const typed = await workbench.until(`a text with ${name}`, () => text.evaluate(seen));
    found.drawn.push(drawn - pressed);
    found.behind.push(drawn - typed);
  }
  return found;
}

/** The durations of frames during an action. */
export async function framesDuring(view: Frame, act: () => Promise<void>): Promise<number[]> {
  await view.evaluate(() => {
    const noted = { frames: [] as number[], goesOn: true };
    Object.assign(window, { noted });
    let last = performance.now();
    const note = (now: number) => {
      noted.frames.push(now - last);
      last = now;
      if (noted.goesOn) {
        requestAnimationFrame(note);
      }
    };
    requestAnimationFrame(note);
  });
  await act();
  return view.evaluate(() => {
    const { noted } = window as unknown as { noted: { frames: number[]; goesOn: boolean } };
    noted.goesOn = false;
    return noted.frames.slice(1);
  });
}

async function middle(view: Frame): Promise<{ x: number; y: number }> {
  const box = await view.locator(".surface").boundingBox();
  return box === null ? { x: 0, y: 0 } : { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Moves the pointer over the view, which stays in place. */
async function pass(workbench: Workbench, view: Frame): Promise<void> {
  const { x, y } = await middle(view);
  for (let step = 0; step < 90; step += 1) {
    await workbench.page.mouse.move(x + 150 * Math.sin(step / 8), y + 150 * Math.cos(step / 11) - 150);
  }
}

export async function drag(workbench: Workbench, view: Frame): Promise<void> {
  const { mouse } = workbench.page;
  const { x, y } = await middle(view);
  await mouse.move(x, y);
  await mouse.down();
  await pass(workbench, view);
  await mouse.up();
}

export async function zoom(workbench: Workbench, view: Frame): Promise<void> {
  const { mouse } = workbench.page;
  const { x, y } = await middle(view);
  await mouse.move(x, y);
  for (let step = 0; step < 60; step += 1) {
    await mouse.wheel(0, step % 20 < 10 ? -40 : 40);
  }
}
