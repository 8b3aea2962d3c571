/**
 * The extension: it creates the parts and connects them. The entry points are `desktop` and `web`.
 *
 * Input: the extension's context, and what starts the server. Output: commands, views and a server, which end with the extension. Invariant: before
 * the workspace is trusted, nothing from it runs, and no path from it is used.
 */

import * as vscode from "vscode";

import type { BoardAct, BoardPart } from "../shared/messages.ts";
import type { ListedRun, Wanted, WantedMarks } from "../shared/protocol.ts";
import { reasonOf } from "../shared/reason.ts";
import { withoutLinks } from "../shared/text.ts";
import { debugStoredRun, inlineValues, registerDebugger } from "./debug.ts";
import { createExample, newWorkflow, showNext } from "./begin.ts";
import { RunHistory } from "./history.ts";
import { resumeLive, runLive } from "./live.ts";
import { Paint } from "./paint.ts";
import { GraphPreview } from "./preview.ts";
import { registerReferences } from "./references.ts";
import { pinOutput, Requests, showRequest, showRequestOf, unpinOutput } from "./requests.ts";
import { explainRule, RulePages } from "./rules.ts";
import { type Launcher, Server } from "./server.ts";
import { Simulations } from "./simulation.ts";
import { showDocumentStatus, showStatus } from "./status.ts";
import { Scenarios } from "./tests.ts";

let server: Server | undefined;

export async function start(context: vscode.ExtensionContext, launcher: Launcher): Promise<void> {
  const own = new Server(launcher, {
    provideInlineValues: inlineValues,
    // Lenses have the server's command. The panel shows the result.
    executeCommand: (name, given, next) => {
      if (name === "nodewise.request") {
        return showRequestOf(own, requests, given[0] as Wanted);
      }
      // The action of a finding has the server's command too.
      if (name === "nodewise.markGraph") {
        return preview.showMarks(given[0] as WantedMarks, "The finding has no path any more.");
      }
      return name === "nodewise.simulate" || name === "nodewise.run" ? simulations.run(given[0] as Wanted, name) : next(name, given);
    },
  });
  server = own;
  const simulations = new Simulations(context.extensionUri, own, context.workspaceState);
  const pages = new RulePages();
  const requests = new Requests();
  const preview = new GraphPreview(context.extensionUri, own);
  const history = new RunHistory(own, simulations);
  const command = (name: string, run: () => unknown) =>
    vscode.commands.registerCommand(name, () => Promise.resolve(run()).catch(showError));
  const ofRun = (name: string, act: (run?: ListedRun, selected?: ListedRun[]) => Promise<void>) =>
    vscode.commands.registerCommand(name, (run?: ListedRun, selected?: ListedRun[]) => act(run, selected).catch(showError));

  context.subscriptions.push(
    own,
    showStatus(own),
    showDocumentStatus(own),
    preview,
    simulations,
    history,
    new Paint(own),
    new Scenarios(own),
    registerReferences(),
    registerDebugger(own, (places) => preview.follow(places)),
    vscode.workspace.registerTextDocumentContentProvider(RulePages.scheme, pages),
    vscode.workspace.registerTextDocumentContentProvider(Requests.scheme, requests),
    command("nodewise.restartServer", () => own.restart()),
    command("nodewise.newWorkflow", () => newWorkflow()),
    command("nodewise.createExample", () => createExample(own, context.globalState)),
    command("nodewise.showLog", () => own.log.show()),
    command("nodewise.showGraph", () => preview.open()),
    command("nodewise.exportGraph", () => preview.exportGraph()),
    command("nodewise.compareGraph", () => preview.compareWithLastCommit()),
    vscode.commands.registerCommand("nodewise.traceKey", (about?: { part?: BoardPart }) => preview.showKey(about?.part).catch(showError)),
    ...boardCommands(preview),
    command("nodewise.openSimulation", () => simulations.openHere()),
    command("nodewise.runLive", () => runLive(own, simulations)),
    command("nodewise.showRequest", () => showRequest(own, requests)),
    command("nodewise.pinOutput", () => pinOutput(own)),
    command("nodewise.unpinOutput", () => unpinOutput(own)),
    command("nodewise.debugStoredRun", () => debugStoredRun(own)),
    command("nodewise.resumeLive", () => resumeLive(own, simulations)),
    command("nodewise.refreshRuns", () => history.refresh()),
    command("nodewise.searchRuns", () => history.filter()),
    command("nodewise.clearRunSearch", () => history.searchFor("")),
    ofRun("nodewise.openRun", (run) => history.open(run)),
    ofRun("nodewise.rerun", (run) => history.rerun(run)),
    ofRun("nodewise.resumeRun", (run) => history.resume(run)),
    ofRun("nodewise.saveRunAsScenario", (run) => history.saveAsScenario(run)),
    ofRun("nodewise.compareRuns", (run, selected) => history.compare(run, selected)),
    command("nodewise.explainRule", () => explainRule(own, pages)),
    command("nodewise.readFilesAgain", () => own.command("nodewise.refresh", {})),
    command("nodewise.clearRuns", () => own.command("nodewise.clearRun", {})),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("nodewise.server")) {
        void own.restart();
      }
    }),
    // The restricted settings may name another server.
    vscode.workspace.onDidGrantWorkspaceTrust(() => own.restart()),
  );
  void showNext(context.globalState);
  await own.start();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

/** The commands in the menu of the board. The editor passes the part that the menu is about. */
function boardCommands(preview: GraphPreview): vscode.Disposable[] {
  const acts: BoardAct[] = ["addNode", "insertNode", "connect", "rename", "delete", "editCondition", "moveStart", "moveEnd", "toggleSubgraph", "showSource"];
  return acts.map((act) =>
    vscode.commands.registerCommand(`nodewise.board.${act}`, (about?: { part?: BoardPart }) => preview.act(act, about?.part).catch(showError)),
  );
}

function showError(error: unknown): void {
  void vscode.window.showErrorMessage(withoutLinks(reasonOf(error)));
}
