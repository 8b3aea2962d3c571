/**
 * What a node would send to its models in a live run.
 *
 * Input: the node at the cursor. Output: a document with the requests. Invariant: nothing is started or called.
 */

import * as vscode from "vscode";

import type { Wanted } from "../shared/protocol.ts";
import type { Server } from "./server.ts";

const LENSES_MAX = 500;

/** Shows the requests of the node at the cursor, or of the last one above it. */
export async function showRequest(server: Server, requests: Requests): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return;
  }
  const { uri } = editor.document;
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>("vscode.executeCodeLensProvider", uri, LENSES_MAX);
  const nodes = lenses.flatMap((lens) => {
    const wanted = lens.command?.command === "nodewise.simulate" ? (lens.command.arguments?.[0] as Wanted | undefined) : undefined;
    return wanted?.only === true && wanted.node != null ? [{ line: lens.range.start.line, wanted, node: wanted.node }] : [];
  });
  const found = nodes.filter(({ line }) => line <= editor.selection.active.line).at(-1);
  if (found === undefined) {
    void vscode.window.showInformationMessage("There is no node at the cursor.");
    return;
  }
  const { text } = await server.command<{ text: string }>("nodewise.request", found.wanted);
  const document = await vscode.workspace.openTextDocument(requests.put(found.node, text));
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
}

/** Requests as documents. */
export class Requests implements vscode.TextDocumentContentProvider {
  static readonly scheme = "nodewise-request";
  private readonly texts = new Map<string, string>();
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changes.event;

  put(node: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: Requests.scheme, path: `/${node}.txt` });
    this.texts.set(uri.path, text);
    this.changes.fire(uri);
    return uri;
  }

  provideTextDocumentContent(uri: vscode.Uri): string | undefined {
    return this.texts.get(uri.path);
  }
}
