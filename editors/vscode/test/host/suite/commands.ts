/** Commands and their lenses: their effects and answers. */

import assert from "node:assert/strict";
import * as vscode from "vscode";

import { eventually, extension, fileOf } from "./support.ts";

const execute = <T>(command: string, ...parameters: unknown[]) => vscode.commands.executeCommand<T>(command, ...parameters);
const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.label));
const closeAll = () => execute("workbench.action.closeAllEditors");

interface Run {
  id: string | null;
  summary: string;
  trace: { events: { event: string }[] };
}

describe("commands", () => {
  let desk: vscode.Uri;
  let tools: vscode.Uri;
  const lenses = async (file: vscode.Uri) => {
    await vscode.workspace.openTextDocument(file);
    const found = await execute<vscode.CodeLens[]>("vscode.executeCodeLensProvider", file, 99);
    return found.flatMap(({ command, range }) => (command === undefined ? [] : [{ command, line: range.start.line }]));
  };

  before(async () => {
    [desk, tools] = [fileOf("desk.yaml"), fileOf("tools.yaml")];
    await extension().activate();
    await vscode.window.showTextDocument(desk);
    await eventually("lenses", async () => (await lenses(desk)).length > 0);
  });
  afterEach(async () => {
    await execute("nodewise.clearRuns");
    await closeAll();
  });

  it("every command of the manifest is there", async () => {
    const contributed: { command: string }[] = extension().packageJSON.contributes.commands;
    const known = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(contributed.map((one) => one.command).filter((command) => !known.has(command)), []);
  });

  it("lenses count references and offer runs", async () => {
    const inDesk = (await lenses(desk)).map(({ command, line }) => `${line} ${command.title}: ${command.command}`);
    assert.ok(inDesk.includes("0 Run node: nodewise.simulate") && inDesk.includes("0 Simulate from here: nodewise.simulate"), inDesk.join("\n"));
    const inTools = (await lenses(tools)).map(({ command, line }) => `${line} ${command.title}: ${command.command}`);
    assert.ok(inTools.includes("5 1 reference: nodewise.showReferences"), inTools.join("\n"));
  });

  it("a lens that counts references shows them", async () => {
    await vscode.window.showTextDocument(tools);
    const lens = (await lenses(tools)).find(({ command }) => command.title === "1 reference");
    assert.equal((lens?.command.arguments?.[2] as unknown[]).length, 1);
    await execute(lens?.command.command ?? "", ...(lens?.command.arguments ?? []));
    await execute("closeReferenceSearch");
  });

  it("a lens that runs a node answers with its run, in the panel", async () => {
    const lens = (await lenses(desk)).find(({ command }) => command.title === "Run node");
    const run = await execute<Run>(lens?.command.command ?? "", ...(lens?.command.arguments ?? []));
    assert.equal(run.trace.events.filter((event) => event.event === "visit-started").length, 1);
    await eventually("the panel", () => tabs().includes("Simulation"));
    // The title of the same lens shows how the run ended.
    await eventually("the end in the lens", async () => (await lenses(desk)).some(({ command }) => /^Run node · /.test(command.title)));
    await execute("nodewise.clearRuns");
    await eventually("the lens as it was", async () => (await lenses(desk)).some(({ command }) => command.title === "Run node"));
  });

  it("a run is kept as a scenario that the server writes", async () => {
    const run = await execute<Run>("nodewise.simulate", { uri: desk.toString(), node: "LLMNode/apologise" });
    const { text } = await execute<{ text: string }>("nodewise.scenario", { trace: run.id, uri: fileOf("kept.scenario.yaml").toString() });
    assert.match(text, /^scenario: .*\nfile: desk.yaml\nstart: LLMNode\/apologise\n/);
    assert.match(text, /path: \[apologise\]\n$/);
  });

  it("a run that cannot begin tells why in the panel, and nothing is thrown", async () => {
    const run = await execute<Run | undefined>("nodewise.simulate", { uri: desk.toString(), node: "LLMNode/nobody" });
    assert.equal(run, undefined);
    await eventually("the panel", () => tabs().includes("Simulation"));
  });

  it("the graph opens beside the text, once", async () => {
    await vscode.window.showTextDocument(desk);
    await execute("nodewise.showGraph");
    await execute("nodewise.showGraph");
    const inAGroup = () => vscode.window.tabGroups.all.map((group) => group.tabs.filter((tab) => tab.input instanceof vscode.TabInputWebview).length);
    await eventually("one view in the second group", () => JSON.stringify(inAGroup()) === "[0,1]");
    await eventually("the graph's name as title", () => tabs().some((label) => /desk/.test(label) && !label.endsWith(".yaml") && !label.includes("`")));
  });

  it("the simulation opens for the graph at the cursor, without running it", async () => {
    await vscode.window.showTextDocument(desk);
    await eventually("lenses of no run", async () => (await lenses(desk)).every(({ command }) => !command.title.includes("·")));
    await execute("nodewise.openSimulation");
    await eventually("the panel", () => tabs().includes("Simulation"));
    assert.ok((await lenses(desk)).every(({ command }) => !command.title.includes("·")));
  });

  it("a rule is chosen and explained as a page", async () => {
    await vscode.window.showTextDocument(desk);
    await eventually("a problem", () => vscode.languages.getDiagnostics(desk).some((one) => one.source === "nodewise"));
    const explained = execute("nodewise.explainRule");
    await eventually("the page", async () => {
      await execute("workbench.action.acceptSelectedQuickOpenItem");
      return tabs().some((label) => /Preview/.test(label));
    });
    await explained;
    const rule = /Preview (\S+)\.md/.exec(tabs().join("\n"))?.[1] ?? "";
    const page = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: "nodewise-rule", path: `/${rule}.md` }));
    assert.match(page.getText(), new RegExp(`^# ${rule}`));
  });

  it("the server says how it stands", async () => {
    const status = await execute<{ version: string; projects: { root: string | null; isComplete: boolean }[] }>("nodewise.status");
    assert.equal(status.version, extension().packageJSON.version);
    assert.ok(status.projects.some((project) => project.isComplete && project.root !== null));
  });

  it("all files are read again", () => execute("nodewise.readFilesAgain"));

  it("the log is shown", () => execute("nodewise.showLog"));
});
