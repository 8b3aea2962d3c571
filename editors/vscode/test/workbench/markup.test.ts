/** Text from files and runs that looks like markup stays text everywhere, and only the views' own scripts run. */

import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import type { Frame } from "playwright-core";

import { VsCode } from "../vscode.ts";
import { Workbench } from "../workbench.ts";

const NODE = "<img src=x onerror=document.body.dataset.broken=1>";
const ANSWER = "<script>document.body.dataset.broken=2</script><b>bold</b>";
const GRAPH = `id: markup
name: ${NODE}
description: ''
nodes:
  - id: ${NODE}
    type: agent
    agent_id: clerk
    read_keys: ['${NODE}']
    write_keys: [letter]
  - {id: tell, type: agent, agent_id: clerk, read_keys: [letter], write_keys: [reply]}
edges:
  - source: ${NODE}
    target: tell
    condition: {type: conditional, condition: "memory.letter != '<b>bold</b>'"}
start_node: ${NODE}
end_nodes: [tell]
`;
const SCENARIO = `scenario: ${NODE}
file: markup.yaml
memory: {'${NODE}': '${ANSWER}'}
nodes:
  '${NODE}': ['${ANSWER}']
`;
/** What VS Code adds to every webview, before the policy applies. */
const EDITORS_OWN = "#_vscodeApiScript, #_defaultStyles, html";

describe("names and answers that look like markup", () => {
  let vscode: VsCode;
  let workbench: Workbench;
  const nonces: string[] = [];
  const test = (name: string, task: () => Promise<void>) => it(name, () => workbench.step(name, task));

  before(async () => {
    const files = mkdtempSync(path.join(tmpdir(), "nodewise-markup-"));
    for (const [name, text] of [["nodewise.toml", ""], ["markup.yaml", GRAPH], ["markup.scenario.yaml", SCENARIO]] as const) {
      writeFileSync(path.join(files, name), text);
    }
    vscode = await VsCode.open({ files });
    workbench = new Workbench(vscode);
    await vscode.show("markup.yaml");
    await workbench.editor("markup.yaml").locator(".codelens-decoration a").first().waitFor();
  });
  after(() => vscode.stop());

  test("they are text in the graph and in its tooltips", async () => {
    await workbench.command("nodewise: Show Graph to the Side");
    const view = await workbench.webview("body.graph .node");
    const drawn = view.locator(".node").filter({ hasText: "<img" }).first();
    assert.match((await drawn.locator("title").textContent()) ?? "", /<img src=x onerror=/);
    assert.match((await drawn.locator(".label").textContent()) ?? "", /<img src=x onerror=/);
    assert.match((await view.locator("h1").textContent()) ?? "", /<img src=x/);
    assert.match((await view.locator(".edge .condition").first().textContent()) ?? "", /<b>bold/);
    nonces.push(await strictPolicy(view));
  });

  test("they are text in a hover", async () => {
    const name = workbench.editor("markup.yaml").locator(".view-line").filter({ hasText: /source:/ }).locator("span span").filter({ hasText: "<img" }).first();
    const hover = workbench.page.locator(".monaco-hover:not(.hidden)").filter({ hasText: "onerror" }).first();
    await workbench.hover(name, hover);
    assert.equal(await hover.locator("img, script").count(), 0);
    assert.equal(await workbench.page.locator("body[data-broken]").count(), 0);
    await workbench.screenshot("markup-hover");
  });

  test("they are text in a run: its steps, its state, its title", async () => {
    await workbench.open("markup.scenario.yaml");
    await workbench.clickLensUntil("markup.scenario.yaml", "scenario:", "Run scenario", "the panel", () => workbench.hasTab("Simulation"));
    const view = await workbench.webview("body.simulation .stepping");
    await view.locator(".node.visited").first().waitFor();
    await view.locator(".steps li .text").filter({ hasText: "<img src=x" }).first().waitFor();
    await view.locator(".state .value").filter({ hasText: "<script>" }).first().waitFor();
    await view.locator(".steps li.answered").first().click();
    await view.locator(".fork textarea").waitFor();
    await workbench.screenshot("markup-simulation");
    nonces.push(await strictPolicy(view));
    assert.equal(new Set(nonces).size, 2, "each page has a nonce of its own");
  });
});

/** Checks that no text from a file became an element or could run or load anything. Returns the nonce. */
async function strictPolicy(view: Frame): Promise<string> {
  const { policy, scripts, handlers, styled, foreign, broken } = await view.evaluate((own) => {
    const elements = [...document.querySelectorAll("*")].filter((element) => !element.matches(own));
    return {
      policy: document.querySelector("meta[http-equiv='Content-Security-Policy']")?.getAttribute("content") ?? "",
      scripts: elements.filter((element) => element instanceof HTMLScriptElement).map((script) => [script.nonce !== "", script.src !== "", script.textContent]),
      handlers: elements.filter((element) => element.getAttributeNames().some((name) => name.startsWith("on"))).length,
      styled: elements.filter((element) => element.matches("style, [style]:not(.board, [style=''])")).map((element) => element.outerHTML.slice(0, 200)),
      foreign: elements.filter((element) => element.matches("img, iframe, object, embed, b")).length,
      broken: document.body.dataset["broken"],
    };
  }, EDITORS_OWN);
  assert.deepEqual([scripts, handlers, styled, foreign, broken], [[[true, true, ""]], 0, [], 0, undefined]);

  const directives = new Map(policy.split("; ").map((directive) => [directive.split(" ")[0] ?? "", directive.split(" ").slice(1)]));
  assert.deepEqual([...directives.keys()].sort(), ["base-uri", "default-src", "form-action", "img-src", "script-src", "style-src"]);
  for (const nothing of ["default-src", "base-uri", "form-action"]) {
    assert.deepEqual(directives.get(nothing), ["'none'"]);
  }
  // The board draws itself into a picture for an export, which no address is needed for.
  assert.deepEqual(directives.get("img-src"), ["data:"]);
  assert.doesNotMatch(policy.replace("img-src data:", ""), /unsafe|data:|blob:|\s\*/);
  const [source, ...others] = directives.get("script-src") ?? [];
  const nonce = /^'nonce-([\w-]{20,})'$/.exec(source ?? "")?.[1];
  assert.ok(nonce !== undefined && others.length === 0, policy);

  const refused = await view.evaluate(async () => {
    const found = new Set<string>();
    document.addEventListener("securitypolicyviolation", (violation) => found.add(violation.effectiveDirective));
    const host = document.createElement("div");
    host.innerHTML = "<img src=x onerror='document.body.dataset.broken=3'><b style='color: red'>bold</b>";
    document.body.append(host);
    while (found.size < 3) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    host.remove();
    return [...found].sort();
  });
  assert.deepEqual(refused, ["img-src", "script-src-attr", "style-src-attr"]);
  assert.equal(await view.locator("body[data-broken]").count(), 0);
  return nonce;
}
