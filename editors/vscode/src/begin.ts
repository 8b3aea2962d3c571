/**
 * The first steps: a new document, and an example project.
 *
 * Input: the user's choices. Output: an editor, files that the server's program writes. Invariant: no existing file is
 * overwritten.
 */

import * as vscode from "vscode";

import type { Server } from "./server.ts";

const SYSTEMS = [
  { id: "cycgraph", main: "claims.yaml", label: "cycgraph", description: "Insurance claims: agents, tools, a vote, an approval" },
  { id: "liman", main: "desk.yaml", label: "Liman", description: "A support desk: LLM nodes, tools, functions in Python" },
  { id: "agentos", main: "refunds.yaml", label: "AgentOS", description: "Refunds: guardrails, a router, a person" },
];

/** Opens an empty document with the list of documents to begin with. */
export async function newWorkflow(): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: "yaml", content: "" });
  await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand("editor.action.triggerSuggest");
}

/** The key of the file to show in the next window with its folder. */
const NEXT = "nodewise.nextFile";

/** Shows the main file of an example in the window that was opened for it. */
export async function showNext(memory: vscode.Memento): Promise<void> {
  const next = memory.get<string>(NEXT);
  if (next !== undefined && vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(next)) !== undefined) {
    await memory.update(NEXT, undefined);
    await vscode.window.showTextDocument(vscode.Uri.parse(next));
  }
}

/** Asks for a system and a folder, writes the example there, and shows its first graph. */
export async function createExample(server: Server, memory: vscode.Memento): Promise<void> {
  server.program("This command");
  if (server.state.is !== "running") {
    throw new Error("The server is not running. Use the command nodewise: Restart Server.");
  }
  const system = await vscode.window.showQuickPick(SYSTEMS, { title: "Create Example Project", placeHolder: "System" });
  if (system === undefined) {
    return;
  }
  const [chosen] = (await vscode.window.showOpenDialog({ title: "Folder for the Example", openLabel: "Create Here", canSelectFiles: false, canSelectFolders: true })) ?? [];
  if (chosen === undefined) {
    return;
  }
  const folder = vscode.Uri.joinPath(chosen, `nodewise-${system.id}`);
  await server.writeExample(system.id, folder);
  const main = vscode.Uri.joinPath(folder, system.main);
  if (vscode.workspace.getWorkspaceFolder(folder) !== undefined) {
    await vscode.window.showTextDocument(main);
  } else {
    await memory.update(NEXT, main.toString());
    await vscode.commands.executeCommand("vscode.openFolder", folder, { forceReuseWindow: vscode.workspace.workspaceFolders === undefined });
  }
}
