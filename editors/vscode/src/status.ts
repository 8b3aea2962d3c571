/**
 * The server's state, and what it does with a document, next to the language of the document.
 *
 * Input: the server. Output: two language status items. Invariant: if there is a problem, it says what to do.
 */

import * as vscode from "vscode";

import type { Status } from "../shared/protocol.ts";
import { DOCUMENT_LANGUAGES, type Server, type ServerState } from "./server.ts";

export function showStatus(server: Server): vscode.Disposable {
  const item = vscode.languages.createLanguageStatusItem(
    "nodewise.status",
    DOCUMENT_LANGUAGES.map((language) => ({ language })),
  );
  item.name = "nodewise";
  const show = (state: ServerState) => {
    item.busy = state.is === "starting";
    item.severity = state.is === "failed" ? vscode.LanguageStatusSeverity.Error : vscode.LanguageStatusSeverity.Information;
    switch (state.is) {
      case "starting":
        item.text = "nodewise";
        item.detail = "Starting…";
        break;
      case "running":
        item.text = `nodewise ${state.version}`;
        item.detail = state.detail;
        break;
      case "stopped":
        item.text = "nodewise";
        item.detail = "Stopped";
        break;
      case "failed":
        item.text = "nodewise is not running";
        item.detail = state.reason;
        break;
    }
    const isUp = state.is === "running" || state.is === "starting";
    item.command = isUp
      ? { command: "nodewise.showLog", title: "Show Log" }
      : { command: "nodewise.restartServer", title: "Restart Server" };
    void vscode.commands.executeCommand("setContext", "nodewise.isRunning", state.is === "running");
  };
  show(server.state);
  return vscode.Disposable.from(item, server.onDidChangeState(show));
}

/** Says which system and project the active document belongs to, or why it is not checked. */
export function showDocumentStatus(server: Server): vscode.Disposable {
  const item = vscode.languages.createLanguageStatusItem(
    "nodewise.document",
    DOCUMENT_LANGUAGES.map((language) => ({ language })),
  );
  item.name = "nodewise document";
  let asked = 0;
  const ask = async (): Promise<void> => {
    const document = vscode.window.activeTextEditor?.document;
    if (document === undefined || !DOCUMENT_LANGUAGES.includes(document.languageId) || server.state.is !== "running") {
      return;
    }
    asked += 1;
    const number = asked;
    const uri = document.uri.toString();
    const status = await server.command<Status>("nodewise.status", { uri }).catch(() => undefined);
    const about = status?.document;
    // Another document may be active by now.
    if (about === undefined || number !== asked) {
      return;
    }
    item.text = about.text;
    item.severity = vscode.LanguageStatusSeverity.Information;
    item.command = undefined;
    if (about.place !== null) {
      const { line } = about.place;
      const at = new vscode.Range(line, 0, line, 0);
      item.command = { command: "vscode.open", title: "Show", arguments: [vscode.Uri.parse(about.place.uri), { selection: at }] };
    }
  };
  const askLater = () => void ask();
  askLater();
  return vscode.Disposable.from(
    item,
    server.onDidChangeState(askLater),
    server.onDidChangeLenses(askLater),
    vscode.window.onDidChangeActiveTextEditor(askLater),
    vscode.workspace.onDidSaveTextDocument(askLater),
  );
}
