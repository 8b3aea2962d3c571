/** Dry runs and graphs of the other systems: Liman, whose graph consists of many files, and AgentOS. */

import assert from "node:assert/strict";
import path from "node:path";
import { describe, it } from "node:test";

import { REPOSITORY, testScenario } from "../tools.ts";
import { VsCode } from "../vscode.ts";
import { Workbench } from "../workbench.ts";

interface Case {
  example: string;
  file: string;
  scenario: string;
  first: string;
  visited: string;
  /** An edge that the scenario follows. */
  followed?: string;
  /** The text of a chip in the first node. */
  chip?: string;
}

const CASES: Case[] = [
  { example: "liman", file: "desk.yaml", scenario: "desk.scenario.yaml", first: "LLMNode/desk", visited: "LLMNode/desk", chip: "3 tools" },
  { example: "agentos", file: "refunds.yaml", scenario: "refunds.scenario.yaml", first: "screen", visited: "score", followed: "lane → history" },
];

for (const { example, file, scenario, first, visited, followed, chip } of CASES) {
  describe(example, () => {
    it("draws its graph and a scenario's path, and keeps the run as a scenario that holds", async () => {
      const vscode = await VsCode.open({ files: path.join(REPOSITORY, "examples", example) });
      const workbench = new Workbench(vscode);
      try {
        await workbench.step(example, async () => {
          await vscode.show(file);
          await workbench.editor(file).locator(".codelens-decoration a").first().waitFor();
          await workbench.command("nodewise: Show Graph to the Side");
          const graph = await workbench.webview(`body.graph .node[data-node="${first}"]`);
          assert.ok((await graph.locator(".edge .way").count()) > 3);
          if (chip !== undefined) {
            await graph.locator(`.node[data-node="${first}"] .chip`).filter({ hasText: chip }).waitFor();
          }
          await workbench.screenshot(`graph-${example}`);
          await workbench.focusEditor(file);
          await workbench.open(scenario);
          await workbench.clickLensUntil(scenario, "scenario:", "Run scenario", "the panel", () => workbench.hasTab("Simulation"));
          const panel = await workbench.webview("body.simulation .stepping");
          await panel.locator(".summary.good").filter({ hasText: "passed" }).waitFor();
          await panel.locator(`.node.visited[data-node="${visited}"]`).waitFor();
          if (followed !== undefined) {
            await panel.locator(".edge.followed").filter({ has: panel.locator("title", { hasText: followed }) }).waitFor();
          }
          await workbench.screenshot(`simulation-${example}`);
          await panel.locator("button", { hasText: "Save as Scenario" }).click();
          const saved = await workbench.saveAs(file.replace(".yaml", "-2.scenario.yaml"));
          assert.match(testScenario(saved), /1 passed/);
        });
      } finally {
        await vscode.stop();
      }
    });
  });
}
