/** The debugger as a person uses it: the gutter, F5, variables, steps in both directions, watched keys, a scenario that fails. */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import type { Locator } from "playwright-core";

import { REPOSITORY } from "../tools.ts";
import { VsCode } from "../vscode.ts";
import { Workbench } from "../workbench.ts";

describe("debugging an insurance claim", () => {
  let vscode: VsCode;
  let workbench: Workbench;
  const test = (name: string, task: () => Promise<void>) => it(name, () => workbench.step(name, task));
  const variable = (name: string): Locator =>
    workbench.page.locator(".debug-variables .monaco-list-row").filter({ has: workbench.page.locator(".name", { hasText: new RegExp(`^${name}\\s*[=:]?\\s*$`) }) }).first();
  const button = (name: string): Locator => workbench.page.locator(`.debug-toolbar .codicon-debug-${name}`);
  const frames = (): Locator => workbench.page.locator(".debug-call-stack .stack-frame .label");

  /** Waits until the frame at the top of the stack has a name. */
  const stopped = (name: RegExp) =>
    workbench.until(`a stop at ${name}`, async () => name.test((await frames().first().textContent({ timeout: 1000 }).catch(() => "")) ?? ""));

  /** Waits until the editor shows the place of the stop, which it selects. */
  const isShown = (file: string, text: string) => workbench.cursorAt(workbench.lineOf(file, text));

  /** Opens or closes a part of the view, or a group of variables. */
  const open = async (row: Locator, isWanted: boolean) =>
    workbench.until(`a row that is ${isWanted ? "open" : "closed"}`, async () => {
      const isOpen = async () => (await row.getAttribute("aria-expanded", { timeout: 5000 }).catch(() => null)) === "true";
      if ((await isOpen()) !== isWanted) {
        await row.click({ timeout: 5000 }).catch(() => undefined);
        // A second click before the first one has an effect would undo it.
        for (const end = Date.now() + 5000; Date.now() < end && (await isOpen()) !== isWanted; ) {
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      }
      return (await isOpen()) === isWanted;
    });
  /** Waits until the variables stay as they are. Those of a stop come in late, and then they close groups and fields. */
  const settled = async () => {
    let [shown, since] = ["", Date.now()];
    await workbench.until("variables that stay", async () => {
      const now = await workbench.page.locator(".debug-variables").innerText({ timeout: 1000 }).catch(() => "");
      if (now !== shown) {
        [shown, since] = [now, Date.now()];
      }
      return shown !== "" && Date.now() - since > 1500;
    });
  };
  const group = (name: string): Locator => workbench.page.locator(".debug-variables .monaco-list-row").filter({ hasText: new RegExp(`^${name}$`) }).first();

  before(async () => {
    vscode = await VsCode.open({ files: path.join(REPOSITORY, "examples", "cycgraph"), settings: { "debug.toolBarLocation": "floating" } });
    const scenarios = path.join(vscode.workspace, "claims.scenario.yaml");
    writeFileSync(scenarios, `${readFileSync(scenarios, "utf8")}---\nscenario: This one does not hold.\nuses: claims.script.yaml\nfile: claims.yaml\nexpect: {path: [intake, decline]}\n`);
    workbench = new Workbench(vscode);
    // In a high window, no row of a list is scrolled out of view, where it is not in the page.
    await workbench.page.setViewportSize({ width: 1440, height: 1500 });
    await vscode.show("claims.yaml");
    await workbench.line("claims.yaml", "name: claims").waitFor();
  });
  after(() => vscode.stop());

  test("a click in the gutter sets a breakpoint", async () => {
    await workbench.focusEditor("claims.yaml");
    await workbench.go(workbench.lineOf("claims.yaml", "id: settle"), 1);
    const breakpoint = workbench.editor("claims.yaml").locator(".codicon-debug-breakpoint").first();
    const line = workbench.line("claims.yaml", "id: settle");
    // Lenses that come late move the lines, so that a click may be on another one. A second click there takes it back.
    await workbench.until("a breakpoint at the line", async () => {
      const place = await line.boundingBox();
      const margin = await workbench.editor("claims.yaml").locator(".margin").first().boundingBox();
      if (place !== null && margin !== null) {
        await workbench.page.mouse.click(margin.x + 12, place.y + place.height / 2);
      }
      const isSet = await breakpoint.waitFor({ timeout: 2000 }).then(() => true, () => false);
      const [set, now] = isSet ? [await breakpoint.boundingBox(), await line.boundingBox()] : [null, null];
      if (set !== null && now !== null && Math.abs(set.y + set.height / 2 - now.y - now.height / 2) > now.height / 2) {
        await breakpoint.click({ timeout: 2000 }).catch(() => undefined);
        return breakpoint.waitFor({ state: "detached", timeout: 2000 }).then(() => false, () => false);
      }
      return isSet;
    });
  });

  test("F5 in the file of scenarios stops there, and the graph follows", async () => {
    // The palette has the command when the server has read the graph.
    await workbench.page.locator(".editor-actions [aria-label^='Show Graph']").first().waitFor();
    await workbench.command("nodewise: Show Graph to the Side");
    const graph = await workbench.webview("body.graph .surface");
    await workbench.open("claims.scenario.yaml");
    await workbench.focusEditor("claims.scenario.yaml");
    // No part of the graph is at the cursor now.
    await graph.locator(".node.current").waitFor({ state: "detached" });
    await workbench.page.keyboard.press("F5");
    await stopped(/^settle$/);
    await isShown("claims.yaml", "id: settle");
    await graph.locator(".node.current[data-node='settle']").waitFor();
    await workbench.screenshot("debug-stopped");
  });

  test("the state is shown, also at the ends of lines", async () => {
    // Then there is room for the variables.
    await open(workbench.page.locator(".pane-header").filter({ hasText: /^Watch/ }), false);
    await workbench.command("View: Toggle Panel Visibility");
    await open(group("Inputs"), false);
    await open(group("State"), true);
    await variable("amount").filter({ hasText: "1200" }).waitFor();
    // The mark of the stop stays.
    const graph = await workbench.webview("body.graph .surface");
    assert.equal(await graph.locator(".node.current[data-node='settle']").count(), 1);
    const line = workbench.line("claims.yaml", "read_keys: [amount, damage_report]");
    await workbench.until("an inline value", async () => /amount = 1200/.test(((await line.textContent()) ?? "").replace(/\s/g, " ")));
    // No node has written the payout yet, so its line shows no value.
    assert.doesNotMatch((await workbench.editor("claims.yaml").locator(".view-lines").textContent()) ?? "", /undefined/);
    await workbench.screenshot("debug-inline-values");
  });

  test("steps go forward into the inner graph, and back", async () => {
    await button("step-into").click();
    await stopped(/^graph settlement$/);
    await button("step-back").click();
    await stopped(/^settle$/);
    await button("step-back").click();
    await stopped(/^-> settle$/);
    await isShown("claims.yaml", "id: summed, source: sum_up");
    await button("step-over").click();
    await stopped(/^settle$/);
  });

  test("a watched expression and a hover have the value of the stop", async () => {
    const watch = workbench.page.locator(".pane-header").filter({ hasText: /^Watch/ });
    await open(watch, true);
    const field = workbench.page.locator(".debug-watch .monaco-inputbox input");
    await workbench.until("a field for an expression", async () => {
      await watch.hover();
      await workbench.page.locator(".pane-header [aria-label='Add Expression']").click({ timeout: 2000 }).catch(() => undefined);
      return field.waitFor({ timeout: 2000 }).then(() => true, () => false);
    });
    await field.fill("memory.amount * 2");
    await field.press("Enter");
    const watched = workbench.page.locator(".debug-watch .monaco-list-row").filter({ hasText: "memory.amount * 2" });
    await watched.filter({ hasText: "2400" }).waitFor();
    const key = workbench.line("claims.yaml", "read_keys: [amount, damage_report]").locator("span span").filter({ hasText: /^amount$/ });
    await workbench.hover(key, workbench.page.locator(".debug-hover-widget").filter({ hasText: "1200" }));
    await workbench.screenshot("debug-watch-and-hover");
    await workbench.page.mouse.move(10, 10);
    await open(watch, false);
  });

  test("the graph marks the node that asks, although its agent is in a file without a graph", async () => {
    const graph = await workbench.webview("body.graph .surface");
    // The voters are asked side by side, in an order that depends on the seed.
    const asks = /^asks model of (actuary|appraiser)$/;
    for (const frame of [/^graph settlement$/, /^weigh$/, asks]) {
      await button("step-into").click();
      await stopped(frame);
    }
    const voter = asks.exec((await frames().first().textContent()) ?? "")?.[1];
    await isShown("agents.yaml", `id: ${voter}`);
    await graph.locator(".node.current[data-node='weigh']").waitFor();
    await workbench.screenshot("debug-question");
    await button("reverse-continue").click();
    await stopped(/^settle$/);
    await graph.locator(".node.current[data-node='settle']").waitFor();
  });

  test("another answer is a session of its own beside its parent", async () => {
    await button("step-into").click();
    await stopped(/^graph settlement$/);
    await button("step-into").click();
    await stopped(/^weigh$/);
    await button("step-into").click();
    await stopped(/^asks model of /);
    const value = workbench.page.locator(".debug-variables .monaco-inputbox input");
    const child = workbench.page.locator(".debug-call-stack .monaco-list-row").filter({ has: workbench.page.locator(".session", { hasText: /: 700/ }) });
    await workbench.until("a session with the answer", async () => {
      await settled();
      await open(group("Question"), false);
      await open(group("Answer"), true);
      await workbench.chooseInMenu(variable("answer"), "Set Value", value);
      const isWritten = await value.fill("700", { timeout: 2000 }).then(() => value.press("Enter", { timeout: 2000 })).then(() => true, () => false);
      return isWritten && child.waitFor({ timeout: 15_000 }).then(() => true, () => false);
    });
    await open(child, true);
    // The child has the answer. Its parent stays where it is.
    const answered = frames().filter({ hasText: /^answer of model of / });
    const asking = frames().filter({ hasText: /^asks model of / });
    const line = workbench.lineOf("claims.yaml", "id: settle");
    await workbench.page.locator(".debug-breakpoints .monaco-list-row").filter({ hasText: "claims.yaml" }).filter({ hasText: `${line}:` }).waitFor();
    const toggle = async (row: Locator, isWanted: boolean) => {
      if ((await row.getAttribute("aria-expanded", { timeout: 1000 }).catch(() => null)) === String(!isWanted)) {
        await row.click({ timeout: 2000 }).catch(() => undefined);
      }
    };
    for (const [frame, text] of [[asking, "not answered yet"], [answered, "700"]] as const) {
      // The variables of the other session come in later, with another group open.
      await workbench.until(`the answer ${text}`, async () => {
        await frame.click({ timeout: 5000 }).catch(() => undefined);
        await toggle(group("Question"), false);
        await toggle(group("Answer"), true);
        return variable("answer").filter({ hasText: text }).waitFor({ timeout: 2000 }).then(() => true, () => false);
      });
    }
    await workbench.screenshot("debug-another-answer");
    // The child continues by itself, with the breakpoints of its parent.
    await button("continue").click();
    const failed = workbench.page.locator(".debug-call-stack .state.exception");
    await workbench.until("the end of the child's run", async () => (await asking.count()) === 1 && (await answered.count()) === 0);
    assert.equal(await failed.count(), 0, "the answer is a vote");
    await button("stop").click();
    await child.waitFor({ state: "detached" });
    await stopped(/^asks model of /);
    await button("reverse-continue").click();
    await stopped(/^settle$/);
  });

  test("a key is watched, and the run stops at its write", async () => {
    const watched = workbench.page.locator(".debug-breakpoints .monaco-list-row").filter({ hasText: "amount" });
    const item = workbench.page.locator(".monaco-menu .action-label").filter({ hasText: /^Break on Value (Change|Write)$/ }).first();
    await workbench.until("a breakpoint on the key", async () => {
      await settled();
      await open(group("Inputs"), false);
      await open(group("State"), true);
      // The menu of the keyboard belongs to the row that has the focus, also when rows move.
      await variable("amount").click({ timeout: 5000 }).catch(() => undefined);
      await workbench.page.keyboard.press("Shift+F10");
      if (!(await item.waitFor({ timeout: 3000 }).then(() => true, () => false))) {
        await workbench.page.keyboard.press("Escape");
        return false;
      }
      // A menu ignores clicks just after it opened. When it is gone, a click had an effect.
      await workbench.until("the end of the menu", async () => {
        await item.click({ timeout: 500 }).catch(() => undefined);
        return !(await item.isVisible());
      });
      return watched.waitFor({ timeout: 5000 }).then(() => true, () => false);
    });
    await button("reverse-continue").click();
    await stopped(/^intake$/);
    await isShown("claims.yaml", "id: intake");
    await workbench.screenshot("debug-value-change");
    await button("continue").click();
    await stopped(/^settle$/);
    await button("stop").click();
    await workbench.until("the end of the session", async () => !(await button("stop").isVisible()));
  });

  test("a scenario that does not hold is debugged", async () => {
    await workbench.command("Testing: Focus on Test Explorer View");
    const explorer = workbench.page.locator(".test-explorer");
    const file = explorer.locator(".monaco-list-row").filter({ hasText: "claims.scenario.yaml" }).first();
    await file.waitFor();
    await workbench.expand(file);
    const row = explorer.locator(".monaco-list-row").filter({ hasText: "This one does not hold." });
    await row.waitFor();
    await workbench.until("a session", async () => {
      await row.hover({ timeout: 5000 }).catch(() => undefined);
      await row.locator(".codicon-testing-debug-icon").click({ timeout: 5000 }).catch(() => undefined);
      return button("stop").waitFor({ timeout: 10_000 }).then(() => true, () => false);
    });
    // The key is still watched.
    await isShown("claims.yaml", "id: intake");
    await workbench.screenshot("debug-test");
    await button("stop").click();
    await workbench.until("the end of the session", async () => !(await button("stop").isVisible()));
    assert.equal(await workbench.page.locator(".notification-toast .codicon-error").count(), 0);
  });
});
