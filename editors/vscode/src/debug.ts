/**
 * The debugger: the adapter's process, configurations without a file, lenses and tests that debug.
 *
 * Input: a configuration, a lens, a test. Output: debug sessions of the adapter `nodewise dap`. Invariant: the adapter is
 * the program that is the language server, and it never runs in a folder that is not trusted.
 */

import * as path from "node:path";
import * as vscode from "vscode";

import type { Wanted } from "../shared/protocol.ts";
import { LANGUAGES, type Server } from "./server.ts";

const TYPE = "nodewise";

interface Lens {
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
  command?: { command: string; arguments?: [Wanted] };
}

/** What a lens or a test runs, as a debug configuration. */
export function configurationOf(wanted: Wanted): vscode.DebugConfiguration {
  const file = vscode.Uri.parse(wanted.uri).fsPath;
  const configuration: vscode.DebugConfiguration = {
    type: TYPE,
    request: "launch",
    name: `Debug ${path.basename(file)}`,
    program: wanted.graph == null ? file : `${file}#${wanted.graph}`,
  };
  if (wanted.scenario != null) {
    configuration.scenario = wanted.scenario;
  }
  if (wanted.node != null) {
    configuration.node = wanted.node;
  }
  if (wanted.only === true) {
    configuration.only = true;
  }
  return configuration;
}

/** Debugs what a lens or a test runs. */
export async function debug(wanted: Wanted): Promise<boolean> {
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(wanted.uri));
  return vscode.debug.startDebugging(folder, configurationOf(wanted));
}

/** Registers the debugger. */
export function registerDebugger(server: Server): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.debug.registerDebugAdapterDescriptorFactory(TYPE, { createDebugAdapterDescriptor: (session) => adapter(server, session) }),
    vscode.debug.registerDebugConfigurationProvider(TYPE, { resolveDebugConfiguration: (_, configuration) => resolved(configuration) }),
    vscode.languages.registerCodeLensProvider(LANGUAGES, new DebugLenses(server)),
    vscode.commands.registerCommand("nodewise.debug", (wanted?: Wanted) => debug(wanted ?? here())),
    vscode.commands.registerCommand("nodewise.stepBackInto", () => say(".back in")),
  );
}

function adapter(server: Server, session: vscode.DebugSession): vscode.DebugAdapterDescriptor {
  if (!vscode.workspace.isTrusted) {
    throw new Error("Trust this workspace to debug its graphs.");
  }
  if (server.state.is !== "running") {
    throw new Error("The nodewise program is not running: see the log of nodewise.");
  }
  const cwd = session.workspaceFolder?.uri.fsPath;
  return new vscode.DebugAdapterExecutable(server.state.file, ["dap"], cwd === undefined ? {} : { cwd });
}

/** F5 without a configuration debugs the file in the editor. */
function resolved(configuration: vscode.DebugConfiguration): vscode.DebugConfiguration | undefined {
  if (configuration.type) {
    return configuration;
  }
  const document = vscode.window.activeTextEditor?.document;
  return document !== undefined && LANGUAGES.includes(document.languageId) ? configurationOf(here()) : undefined;
}

function here(): Wanted {
  return { uri: vscode.window.activeTextEditor?.document.uri.toString() ?? "" };
}

/** Sends a command to the debug console's adapter. */
async function say(expression: string): Promise<void> {
  await vscode.debug.activeDebugSession?.customRequest("evaluate", { expression, context: "repl" });
}

/** A lens that debugs, next to each lens that simulates. */
class DebugLenses implements vscode.CodeLensProvider {
  private readonly server: Server;
  readonly onDidChangeCodeLenses: vscode.Event<void>;

  constructor(server: Server) {
    this.server = server;
    this.onDidChangeCodeLenses = server.onDidChangeLenses;
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    if (!this.server.isRunning) {
      return [];
    }
    const textDocument = { uri: document.uri.toString() };
    const lenses = await this.server.request<Lens[] | null>("textDocument/codeLens", { textDocument }).catch(() => null);
    return (lenses ?? []).flatMap(({ range, command }) => {
      const wanted = command?.command === "nodewise.simulate" ? command.arguments?.[0] : undefined;
      if (wanted === undefined || wanted.only === true) {
        return [];
      }
      const at = new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
      return [new vscode.CodeLens(at, { title: "Debug", command: "nodewise.debug", arguments: [wanted] })];
    });
  }
}
