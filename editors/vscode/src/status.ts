/**
 * The server's state next to the language of a document.
 *
 * Input: the server. Output: one language status item. Invariant: if there is a problem, it says what to do.
 */

import * as vscode from "vscode";

import { LANGUAGES, type Server, type ServerState } from "./server.ts";

export function showStatus(server: Server): vscode.Disposable {
  const item = vscode.languages.createLanguageStatusItem(
    "nodewise.status",
    LANGUAGES.map((language) => ({ language })),
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
        item.detail = state.file;
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
