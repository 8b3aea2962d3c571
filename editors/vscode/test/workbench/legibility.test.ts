/** Graphs of the sizes that projects have: no text is smaller than a person can read. */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { FOLDER } from "../tools.ts";
import { VsCode } from "../vscode.ts";
import { Workbench } from "../workbench.ts";

describe("graphs of usual sizes", () => {
  let vscode: VsCode;
  let workbench: Workbench;
  const number = (index: number) => String(index).padStart(2, "0");
  const steps = (count: number) => Array.from({ length: count }, (_, index) => `step_${number(index)}`);
  /** Each step leads to the next one, and some to one further down. */
  const ways = (ids: string[]) => ids.flatMap((id, index) => [[id, ids[index + 1]], ...(index % 4 === 0 ? [[id, ids[index + 3]]] : [])]).filter((way): way is [string, string] => way[1] !== undefined);
  const cycgraph = () => {
    const ids = steps(41);
    const nodes = ids.map((id) => `  - {id: ${id}, type: agent, agent_id: clerk, read_keys: [claim], write_keys: [letter]}`);
    const edges = ways(ids).map(([source, target], index) => `  - {source: ${source}, target: ${target}, condition: {type: conditional, condition: "memory.score > ${index}"}}`);
    return `id: wide\nname: wide\nnodes:\n${nodes.join("\n")}\nedges:\n${edges.join("\n")}\nstart_node: step_00\nend_nodes: [step_40]\n`;
  };
  const agentos = () => {
    const ids = steps(20);
    const nodes = ids.map((id) => `  - {id: ${id}, type: gmi, executorConfig: {type: gmi, instructions: Work.}, executionMode: single_turn, effectClass: pure, checkpoint: none}`);
    const edges = [["__START__", "step_00"], ...ways(ids), ["step_19", "__END__"]].map(([source, target], index) => `  - {id: e${index}, source: ${source}, target: ${target}, type: static}`);
    return `id: graph-wide\nname: wide\nnodes:\n${nodes.join("\n")}\nedges:\n${edges.join("\n")}\nstateSchema: {input: {}, scratch: {}, artifacts: {}}\nreducers: {}\ncheckpointPolicy: none\nmemoryConsistency: live\n`;
  };
  const liman = (): [string, string][] => {
    const ids = steps(20);
    const tools = Array.from({ length: 9 }, (_, index): [string, string] => [`tool_${number(index)}`, `kind: ToolNode\nname: tool_${number(index)}\ndescription: {en: A tool.}\nfunc: shop.tool_${number(index)}\n`]);
    const nodes = ids.map((id, index): [string, string] => {
      const targets = ways(ids).filter(([source]) => source === id).map(([, target]) => `  - {target: ${target}, when: ticket.step == ${index}}\n`);
      return [id, `kind: LLMNode\nname: ${id}\nprompts: {system: {en: You do a step.}}\ntools: [tool_${number(index % 9)}, tool_${number((index + 4) % 9)}]\n${targets.length > 0 ? `nodes:\n${targets.join("")}` : ""}`];
    });
    return [...tools, ...nodes];
  };

  before(async () => {
    vscode = await VsCode.open({ files: path.join(FOLDER, "test", "files", "board") });
    workbench = new Workbench(vscode);
    writeFileSync(path.join(vscode.workspace, "wide.yaml"), cycgraph());
    writeFileSync(path.join(vscode.workspace, "wide-agentos.yaml"), agentos());
    liman().forEach(([name, text]) => writeFileSync(path.join(vscode.workspace, `${name}.yaml`), text));
  });
  after(() => vscode.stop());

  for (const [what, file, first, count] of [["41 nodes of cycgraph", "wide.yaml", "step_00", 41], ["29 files of Liman", "step_00.yaml", "LLMNode/step_00", 20], ["20 nodes of AgentOS", "wide-agentos.yaml", "step_00", 20]] as const) {
    it(`every text of ${what} can be read where it is shown`, () =>
      workbench.step(`usual-${file}`, async () => {
        await vscode.show(file);
        await workbench.command("nodewise: Show Graph to the Side");
        const view = await workbench.webview(`.node[data-node="${first}"]`);
        for (const key of ["", "0", "-", "-"]) {
          if (key !== "") {
            await view.locator(".surface").focus();
            await workbench.page.keyboard.press(key);
          }
          const sizes = await view.evaluate(textSizes);
          assert.ok(key !== "" || sizes.length > 0, "no text is shown at first");
          assert.deepEqual(sizes.filter(({ size }) => size < 10), [], `after the key “${key}”`);
        }
        await workbench.screenshot(`usual-${file}`);
        assert.ok(Number(await view.locator(".surface").getAttribute("data-nodes")) >= count);
      }));
  }
});

/** The texts of the drawing that are shown, with the size of their letters on the screen. Runs in the page. */
function textSizes(): { text: string; size: number }[] {
  const shown = [...document.querySelectorAll<SVGTextElement>(".surface text")].filter((text) => text.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && text.getBoundingClientRect().width > 0);
  return shown.map((text) => ({ text: text.textContent ?? "", size: Math.round(Number.parseFloat(getComputedStyle(text).fontSize) * (text.getScreenCTM()?.a ?? 0) * 10) / 10 }));
}
