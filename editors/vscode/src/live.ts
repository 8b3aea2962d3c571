/**
 * Live runs, with real models, tools and people.
 *
 * Input: the cursor, the server's runs. Output: runs in the simulation panel. Invariant: the server asks for permission
 * before it starts anything. Nothing here gives the permission.
 */

import * as vscode from "vscode";

import type { LiveRun, Wanted } from "../shared/protocol.ts";
import { plain } from "./places.ts";
import type { Server } from "./server.ts";
import type { Simulations } from "./simulation.ts";

const LENSES_MAX = 500;

/** Runs the graph around the cursor. In Liman, the graph that starts at the node there. */
export async function runLive(simulations: Simulations): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return;
  }
  const { uri } = editor.document;
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>("vscode.executeCodeLensProvider", uri, LENSES_MAX);
  const graphs = lenses.flatMap((lens) => {
    const wanted = lens.command?.command === "nodewise.simulate" ? (lens.command.arguments?.[0] as Wanted | undefined) : undefined;
    const isGraph = wanted !== undefined && wanted.only !== true && (wanted.graph == null || wanted.node == null);
    return isGraph ? [{ line: lens.range.start.line, wanted }] : [];
  });
  const above = graphs.filter(({ line }) => line <= editor.selection.active.line);
  const found = above.at(-1) ?? graphs[0];
  await simulations.run(found?.wanted ?? { uri: uri.toString(), graph: null, node: null }, "nodewise.run");
}

/** Resumes a run that has not ended, or that failed. The server asks for the decisions that it is waiting for. */
export async function resumeLive(server: Server, simulations: Simulations): Promise<void> {
  const runs = await server.command<LiveRun[]>("nodewise.runs", {});
  const open = runs.filter((run) => run.canResume);
  if (open.length === 0) {
    void vscode.window.showInformationMessage("There is no live run to resume.");
    return;
  }
  const items = open.map((run) => ({
    label: plain(run.title),
    description: run.status,
    detail: [run.run, run.begun, ...run.waiting.map((matter) => `waiting at ${matter.node}`)].join(" · "),
    run,
  }));
  const chosen = await vscode.window.showQuickPick(items, { title: "Resume Live Run", matchOnDetail: true });
  if (chosen !== undefined) {
    await simulations.resume(chosen.run);
  }
}
