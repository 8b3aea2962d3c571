/** Dry runs as a person sees them: lenses, the panel, its steps, another answer, a saved scenario, the Test Explorer. */

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { violations } from "../axe.ts";
import { lowContrasts } from "../contrast.ts";
import { REPOSITORY, testScenario } from "../tools.ts";
import { VsCode } from "../vscode.ts";
import { Workbench } from "../workbench.ts";

describe("dry runs of an insurance claim", () => {
  let vscode: VsCode;
  let workbench: Workbench;
  const test = (name: string, task: () => Promise<void>) => it(name, () => workbench.step(name, task));
  const panel = () => workbench.webview("body.simulation .stepping");
  const node = (id: string) => `.node[data-node="${id}"]`;

  before(async () => {
    vscode = await VsCode.open({ files: path.join(REPOSITORY, "examples", "cycgraph") });
    const scenarios = path.join(vscode.workspace, "claims.scenario.yaml");
    writeFileSync(scenarios, `${readFileSync(scenarios, "utf8")}---\nscenario: This one does not hold.\nuses: claims.script.yaml\nfile: claims.yaml\nexpect: {path: [intake, decline]}\n`);
    mkdirSync(path.join(vscode.workspace, "more"));
    writeFileSync(path.join(vscode.workspace, "more", "rates.scenario.yaml"), "scenario: This one is in a folder.\nuses: /claims.script.yaml\nfile: /claims.yaml\n");
    workbench = new Workbench(vscode);
    await vscode.show("claims.yaml");
    await workbench.line("claims.yaml", "name: claims").waitFor();
    // Then the panel has room for its columns, as on a larger screen.
    await workbench.command("View: Toggle Primary Side Bar Visibility");
  });
  after(() => vscode.stop());

  test("a click on a lens runs the graph and shows its path", async () => {
    await workbench.clickLensUntil("claims.yaml", "id: 0b54", "Simulate graph", "the panel", () => workbench.hasTab("Simulation"));
    const view = await panel();
    await view.locator(`${node("intake")}.visited`).waitFor();
    await view.locator(".summary").filter({ hasText: /in \d+ steps/ }).waitFor();
    assert.equal(await view.locator(".edge.followed").count() > 1, true);
  });

  test("without a script, the run is no success and says that its answers are made up", async () => {
    const view = await panel();
    await view.locator(".summary.good").filter({ hasText: "completed" }).waitFor();
    await view.locator(".given > summary").click();
    const labels = await view.locator("select option").allTextContents();
    assert.deepEqual(labels, ["None: make up answers", "claims.script.yaml"]);
    const asked = await view.locator(".answers textarea").evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset["node"]));
    assert.ok(asked.includes("intake") && !asked.includes("settle"), `the node with another graph asks nobody: ${asked.join(" ")}`);
    await view.locator(".steps li").filter({ hasText: /starts\s*claims$/ }).first().waitFor({ state: "attached" });
    await view.locator("select").selectOption({ label: "None: make up answers" });
    await view.locator("button", { hasText: "Run" }).first().click();
    await view.locator(".summary.doubtful").filter({ hasText: "no script: answers are made up" }).waitFor();
  });

  test("a script is chosen, and its answers lead another way", async () => {
    const view = await panel();
    await view.locator(".given > summary").click();
    await view.locator("select").selectOption({ label: "claims.script.yaml" });
    await view.locator("button", { hasText: "Run Dry" }).click();
    await view.locator(".summary.good").filter({ hasText: "completed" }).waitFor();
    await view.locator(`${node("pay")}.visited`).waitFor();
    // The node that runs once for each photo is visited, although the node with the photos asks for it.
    await view.locator(`${node("look_at_photo")}.visited`).waitFor();
    await view.locator(".state .keys").filter({ hasText: "letter" }).first().waitFor();
    await workbench.screenshot("simulation");
    await workbench.picture("walkthrough-simulate", workbench.column(1));
    assert.deepEqual(await violations(view), []);
  });

  test("a subgraph is opened in the run's graph, and shows the path inside of it", async () => {
    const view = await panel();
    const inside = (label: string) => view.locator(".node").filter({ has: view.locator(".label", { hasText: new RegExp(`^${label}$`) }) });
    const settle = view.locator(node("settle"));
    await settle.locator(".toggle").click();
    await inside("weigh").and(view.locator(".visited")).waitFor();
    await view.locator(`${node("settle")}.expanded`).waitFor();
    // Names say how often a node was visited, also to those who do not see it.
    assert.match((await view.locator(node("intake")).getAttribute("aria-label")) ?? "", /^intake agent .*visited once$/);
    assert.match((await inside("weigh").getAttribute("aria-label")) ?? "", /visited once$/);
    assert.match((await view.locator(node("decline")).getAttribute("aria-label")) ?? "", /not visited$/);
    // A step inside of the subgraph stays on this board.
    await view.locator(".steps li").filter({ hasText: /visits\s*weigh/ }).first().click();
    await inside("weigh").and(view.locator(".now")).waitFor();
    assert.equal(await view.locator(node("intake")).count(), 1);
    assert.deepEqual(await violations(view), []);
    assert.deepEqual(await view.evaluate(lowContrasts), []);
    await workbench.screenshot("simulation-subgraph");
    await settle.locator(".toggle").click();
    await inside("weigh").waitFor({ state: "detached" });
    await view.locator(".steps").focus();
    await workbench.page.keyboard.press("End");
  });

  test("stepping back changes the state that is shown", async () => {
    const view = await panel();
    const event = () => view.locator("section.state").getAttribute("data-event");
    const end = await event();
    await view.locator(".steps li").filter({ hasText: "letter =" }).first().click();
    await view.locator(".changes").filter({ hasText: "letter" }).waitFor();
    await view.locator(".state .keys > li.changed").filter({ hasText: "letter" }).waitFor();
    // The source follows, with the value at the end of the line that names the key.
    const values = /write_keys.*\[.*letter.*\].*letter = "/;
    await workbench.until("the value in the text", async () => {
      const lines = await workbench.editor("claims.yaml").locator(".view-line").evaluateAll((shown) =>
        shown.map((line) => (line.textContent ?? "") + [...line.querySelectorAll("span")].map((span) => getComputedStyle(span, "::after").content).filter((content) => content !== "none").join("")));
      return lines.some((line) => values.test(line.replace(/\s/g, " ").replace(/\\"/g, '"')));
    });
    await workbench.screenshot("inline-values");
    await view.locator("button[title^='Step back']").click();
    await workbench.until("another state", async () => (await event()) !== end);
    await workbench.until("a state without the letter", async () =>
      (await view.locator(".state .keys > li").filter({ hasText: "letter" }).count()) === 0);
    await view.locator(".steps").focus();
    await workbench.page.keyboard.press("Home");
    await view.locator(".position").filter({ hasText: /^1 of/ }).waitFor();
    await workbench.until("no node but the first", async () => (await view.locator(".node.visited").count()) <= 1);
  });

  test("a step shows its prompt, its arguments and its reads, and bookkeeping is folded", async () => {
    const view = await panel();
    await view.locator(".steps li").filter({ hasText: "intake asks model" }).first().click();
    await view.locator(".happened pre").filter({ hasText: "You handle insurance claims. Be brief and exact." }).first().waitFor();
    await view.locator(".steps li").filter({ hasText: "policy calls look_up_policy(" }).click();
    await view.locator(".happened .tree").filter({ hasText: "look_up_policy" }).waitFor();
    await view.locator(".steps li").filter({ hasText: "policy reads claim" }).click();
    await view.locator(".happened .tree").filter({ hasText: "policy_number" }).waitFor();
    const listed = () => view.locator(".steps li").count();
    const folded = await listed();
    assert.equal(await view.locator(".steps li.visit-ended").count(), 0);
    await view.locator(".folding input").check();
    assert.ok((await listed()) > folded && (await view.locator(".steps li.visit-ended").count()) > 0);
    await view.locator(".folding input").uncheck();
  });

  test("the source follows the step, and the focus stays in the panel", async () => {
    const view = await panel();
    await view.locator(".steps li").filter({ hasText: "pay → confirm" }).click();
    const line = workbench.line("claims.yaml", "source: pay, target: confirm");
    await line.waitFor();
    const marked = workbench.editor("claims.yaml").locator(".view-overlays .cdr[class*='ced-']");
    const isMarked = async () => {
      // Marks of nodes are only below their names.
      const lines = (all: Element[]) => all.map((one) => one.getBoundingClientRect()).filter(({ width }) => width > 300).map(({ top }) => top);
      const [place, found] = [await line.boundingBox(), await marked.evaluateAll(lines)];
      return place !== null && found.length === 1 && Math.abs((found[0] ?? 0) - place.y) < 2;
    };
    await workbench.until("a mark at the line of the step", isMarked);
    await workbench.screenshot("simulation-step");
    assert.equal(await view.evaluate(() => document.hasFocus()), true);
  });

  test("the run is drawn with the conditions of its file", async () => {
    const view = await panel();
    await view.locator(".edge .condition").filter({ hasText: /'fire'$/ }).waitFor();
    await view.locator(".edge.worker .condition").filter({ hasText: "each item" }).waitFor();
    assert.equal(await view.locator(".edge").filter({ has: view.locator("title", { hasText: "value_damage → sum_up" }) }).count(), 1);
    assert.deepEqual(await view.evaluate(lowContrasts), []);
  });

  test("it says why an edge was not taken", async () => {
    const view = await panel();
    await view.locator(".steps li").filter({ hasText: "covered ⇥ decline" }).first().click();
    await view.locator(".why").filter({ hasText: "not memory.covered_verification_passed" }).waitFor();
    assert.match(await view.locator(".why").innerText(), /not next[^]*false/);
    await workbench.screenshot("why");
  });

  test("another answer forks the run", async () => {
    const view = await panel();
    await view.locator(".steps li.resumed").first().click();
    await view.locator(".fork textarea").fill("rejected");
    await view.locator(".fork button").click();
    await view.locator(`${node("decline")}.visited`).waitFor();
    assert.equal(await view.locator(`${node("pay")}.visited`).count(), 0);
  });

  test("a run is saved as a scenario that holds", async () => {
    const view = await panel();
    // An answer that is refused before is no error of what is saved.
    await view.locator(".steps li.answered").first().click();
    await view.locator(".fork textarea").fill('{"failure": 3}');
    await view.locator(".fork button").click();
    await view.locator(".summary.bad").waitFor();
    await view.locator("button", { hasText: "Save as Scenario" }).click();
    const file = await workbench.saveAs("claims-2.scenario.yaml");
    const text = workbench.onDisk("claims-2.scenario.yaml");
    assert.match(text, /^scenario: .*\nuses: claims.script.yaml\nfile: claims.yaml\n/);
    assert.match(text, /path: \[intake, .*decline\]/);
    await view.locator(".summary:not(.bad)").filter({ hasText: "Saved as claims-2.scenario.yaml" }).waitFor();
    assert.match(testScenario(file), /1 passed/);
    // It exists even if the panel has taken the focus again.
    await workbench.lens("claims-2.scenario.yaml", "scenario:", /^Run scenario$/);
    const hasPassed = () => workbench.hasLens("claims-2.scenario.yaml", "scenario:", /^Run scenario · .*passed/);
    await workbench.clickLensUntil("claims-2.scenario.yaml", "scenario:", "Run scenario", "a result in the lens", hasPassed);
  });

  test("the Test Explorer runs scenarios green and red", async () => {
    await workbench.command("Testing: Focus on Test Explorer View");
    const explorer = workbench.page.locator(".test-explorer");
    await explorer.locator(".monaco-list-row").filter({ hasText: "claims.scenario.yaml" }).first().waitFor();
    await workbench.command("Test: Run All Tests");
    await workbench.command("Testing: Focus on Test Explorer View");
    await workbench.expand(explorer.locator(".monaco-list-row").filter({ hasText: "claims.scenario.yaml" }).first());
    await explorer.locator(".monaco-list-row").filter({ hasText: "This one does not hold." }).waitFor();
    const state = (title: string) => explorer.locator(".monaco-list-row").filter({ hasText: title }).locator(".computed-state");
    await workbench.until("a red one", async () => /failed/i.test((await state("This one does not hold.").getAttribute("class")) ?? ""));
    await workbench.until("a green one", async () => /passed/i.test((await state("Nothing is paid without a policy.").getAttribute("class")) ?? ""));
    // A folder has the worst result of its files, and shows them when it is opened.
    await workbench.until("a green folder", async () => /passed/i.test((await state("more").getAttribute("class")) ?? ""));
    await workbench.expand(explorer.locator(".monaco-list-row").filter({ hasText: "more" }));
    await explorer.locator(".monaco-list-row").filter({ hasText: /^rates\.scenario\.yaml/ }).waitFor();
    await workbench.screenshot("tests");
    await workbench.picture("walkthrough-scenarios", workbench.page.locator(".part.sidebar"));
  });

  test("coverage is shown in the gutter", async () => {
    await workbench.command("Test: Run All Tests with Coverage");
    await workbench.open("claims.yaml");
    await workbench.editor("claims.yaml").locator(".coverage-deco-gutter").first().waitFor();
    await workbench.screenshot("coverage");
  });

  test("a node runs alone, and a run begins at a node", async () => {
    await workbench.open("claims.yaml");
    const view = await panel();
    // Nodes outside of the window are not in the page.
    const visited = async () => Number(await view.locator(".surface").getAttribute("data-visited"));
    await workbench.clickLensUntil("claims.yaml", "id: intake", "Run node", "one visited node", async () => (await visited()) === 1);
    await workbench.lens("claims.yaml", "id: intake", /^Run node · completed in 1 step/);
    const hasSeveral = async () => (await visited()) > 1;
    await workbench.clickLensUntil("claims.yaml", "id: intake", "Simulate from here", "several visited nodes", hasSeveral);
  });

  test("the input has a field for each key that the graph declares, with its problem", async () => {
    await workbench.open("claims.yaml");
    let view = await panel();
    const ofGraph = async () => /^graph .*claims/.test((await view.locator("h1").textContent()) ?? "");
    await workbench.clickLensUntil("claims.yaml", "id: 0b54", "Simulate graph", "the graph in the panel", ofGraph);
    await view.locator(".summary.good").filter({ hasText: "completed" }).waitFor();
    await view.locator(".given > summary").click();
    // The input of the script that is made for the file.
    const policy = () => view.getByLabel("policy_number *", { exact: true });
    const photos = () => view.getByLabel("photos", { exact: true });
    assert.deepEqual([await policy().inputValue(), JSON.parse(await photos().inputValue())], ["P-17", ["front.jpg", "roof.jpg"]]);
    await photos().fill("[1");
    await view.locator("button", { hasText: "Run Dry" }).click();
    await view.locator(".summary.bad").waitFor();
    await view.locator(".problem").filter({ hasText: "This is not JSON." }).waitFor();
    assert.deepEqual(await photos().evaluate((field) => [field.getAttribute("aria-invalid"), field === document.activeElement]), ["true", true]);
    assert.deepEqual(await violations(view), []);
    assert.deepEqual(await view.evaluate(lowContrasts), []);
    await workbench.screenshot("input-form");
    // From here with the keyboard: the field before the one with the focus is the text of the claim.
    // Not with Ctrl+A: the workbench selects all once more after the browser did, possibly when more is typed.
    await photos().selectText();
    await workbench.page.keyboard.type('["a.jpg"]');
    await policy().fill("P-18");
    await view.locator("button", { hasText: "Run Dry" }).click();
    await view.locator(".summary.good").filter({ hasText: "completed" }).waitFor();
    await view.locator(".steps li").filter({ hasText: "intake reads claim" }).first().click();
    await view.locator(".happened .tree").filter({ hasText: "P-18" }).waitFor();
    await view.locator(".given > summary").click();
    await view.locator("button", { hasText: "Write JSON" }).click();
    const json = JSON.parse(await view.getByLabel("Input", { exact: true }).and(view.locator("textarea")).inputValue()) as Record<string, unknown>;
    assert.deepEqual(json, { claim: { policy_number: "P-18", text: "Hail broke the roof window." }, photos: ["a.jpg"] });
    await view.locator("button", { hasText: "Use Fields" }).click();
    // The input comes back in a new panel, until it is reset.
    await workbench.command("View: Close All Editors");
    await workbench.until("no editor", async () => (await workbench.page.locator(".tab").count()) === 0);
    await workbench.open("claims.yaml");
    await workbench.clickLensUntil("claims.yaml", "id: 0b54", "Simulate graph", "the panel", () => workbench.hasTab("Simulation"));
    view = await panel();
    // The end of a run closes the form.
    await view.locator(".summary.good").filter({ hasText: "completed" }).waitFor();
    await view.locator(".given > summary").click();
    await workbench.until("the last input", async () => (await policy().inputValue()) === "P-18");
    await view.locator("button", { hasText: "Reset" }).click();
    assert.equal(await policy().inputValue(), "P-17");
  });
});
