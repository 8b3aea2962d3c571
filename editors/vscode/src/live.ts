/**
 * Live runs, with real models, tools and people.
 *
 * Input: the cursor, the server's runs. Output: runs in the simulation panel. Invariant: the server asks for permission
 * before it starts anything. Nothing here gives the permission, and an engine is asked only if the user chooses it.
 */

import * as vscode from "vscode";

import type { LiveRun, Status, Wanted } from "../shared/protocol.ts";
import { plain } from "./places.ts";
import type { Server } from "./server.ts";
import type { Simulations } from "./simulation.ts";

const LENSES_MAX = 500;

/** Runs the graph around the cursor, on this computer or on an engine. In Liman, the graph that starts at the node there. */
export async function runLive(server: Server, simulations: Simulations): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return;
  }
  const { uri } = editor.document;
  const { line: cursor } = editor.selection.active;
  const place = await whereToRun(server);
  if (place === undefined) {
    return;
  }
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>("vscode.executeCodeLensProvider", uri, LENSES_MAX);
  const graphs = lenses.flatMap((lens) => {
    const wanted = lens.command?.command === "nodewise.simulate" ? (lens.command.arguments?.[0] as Wanted | undefined) : undefined;
    const isGraph = wanted !== undefined && wanted.only !== true && (wanted.graph == null || wanted.node == null);
    return isGraph ? [{ line: lens.range.start.line, wanted }] : [];
  });
  const above = graphs.filter(({ line }) => line <= cursor);
  const found = above.at(-1) ?? graphs[0];
  const wanted = found?.wanted ?? { uri: uri.toString(), graph: null, node: null };
  await simulations.run({ ...wanted, ...place }, "nodewise.run");
}

/** Resumes a run that has not ended, or that failed; or follows one on an engine. The server asks for the decisions that it is waiting for. */
export async function resumeLive(server: Server, simulations: Simulations): Promise<void> {
  const runs = await server.command<LiveRun[]>("nodewise.runs", {});
  const engines = await enginesOf(server);
  const items = [
    ...runs.filter((run) => run.canResume).map(itemOf),
    ...engines.map((on) => ({ label: `$(server) Runs on ${plain(on)}…`, description: "durable engine", detail: "", run: undefined, on })),
  ];
  if (items.length === 0) {
    void vscode.window.showInformationMessage("There is no live run to resume.");
    return;
  }
  const chosen = await vscode.window.showQuickPick(items, { title: "Resume Live Run", matchOnDetail: true });
  if (chosen?.run !== undefined) {
    await simulations.resume(chosen.run);
  } else if (chosen?.on !== undefined) {
    await resumeOn(server, simulations, chosen.on);
  }
}

/** Follows a run of an engine. Only now the engine is asked for its runs. */
async function resumeOn(server: Server, simulations: Simulations, on: string): Promise<void> {
  const runs = await server.command<LiveRun[]>("nodewise.runs", { on });
  const open = runs.filter((run) => run.canResume).map(itemOf);
  if (open.length === 0) {
    void vscode.window.showInformationMessage(`There is no unfinished run on ${plain(on)}.`);
    return;
  }
  const chosen = await vscode.window.showQuickPick(open, { title: `Runs on ${plain(on)}`, matchOnDetail: true });
  if (chosen !== undefined) {
    await simulations.resume(chosen.run);
  }
}

function itemOf(run: LiveRun) {
  return {
    label: plain(run.title),
    description: run.status,
    detail: [run.run, run.begun, ...run.waiting.map((matter) => `waiting at ${matter.node}`)].join(" · "),
    run,
    on: run.on,
  };
}

/** The engines that the configurations of the open projects name. */
async function enginesOf(server: Server): Promise<string[]> {
  const { projects } = await server.command<Status>("nodewise.status", {});
  return [...new Set(projects.flatMap((project) => project.engines ?? []))].sort();
}

/** Where a run goes: a part of the argument of `nodewise.run`. Nobody is asked if there is only this computer. */
async function whereToRun(server: Server): Promise<{ on?: string } | undefined> {
  const engines = await enginesOf(server);
  if (engines.length === 0) {
    return {};
  }
  const here = { label: "$(vm) This computer", description: "", place: {} };
  const items = [here, ...engines.map((on) => ({ label: `$(server) ${plain(on)}`, description: "durable engine", place: { on } }))];
  return (await vscode.window.showQuickPick(items, { title: "Run Graph (Live)" }))?.place;
}
