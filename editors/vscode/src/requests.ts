/**
 * What a node would send to its models in a live run, and whether its output is pinned.
 *
 * Input: the node at the cursor. Output: a document with the requests, pins. Invariant: nothing is started or called.
 */

import * as vscode from "vscode";

import type { Wanted } from "../shared/protocol.ts";
import { plain } from "./places.ts";
import type { Server } from "./server.ts";

const LENSES_MAX = 500;

/** A node of a file. */
type NodeHere = Wanted & { node: string };

/** Shows the requests of the node at the cursor, or of the last one above it. */
export async function showRequest(server: Server, requests: Requests): Promise<void> {
  const found = await nodeHere();
  if (found !== undefined) {
    await showRequestOf(server, requests, found);
  }
}

/** Shows the requests of a node. */
export async function showRequestOf(server: Server, requests: Requests, wanted: Wanted): Promise<void> {
  const { text } = await server.command<{ text: string }>("nodewise.request", wanted);
  const document = await vscode.workspace.openTextDocument(requests.put(wanted.node ?? "node", text));
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
}

/** Pins the output that the node at the cursor had in the most recent live run. */
export async function pinOutput(server: Server): Promise<void> {
  const found = await nodeHere();
  if (found !== undefined) {
    const { uri, graph, node } = found;
    const pinned = await server.command<{ run: string }>("nodewise.pin", { uri, graph, node });
    void vscode.window.showInformationMessage(`Later live runs take the output of ${plain(node)} from the run ${pinned.run}.`);
  }
}

/** Lets the node at the cursor ask again in live runs. */
export async function unpinOutput(server: Server): Promise<void> {
  const found = await nodeHere();
  if (found !== undefined) {
    const { unpinned } = await server.command<{ unpinned: number }>("nodewise.unpin", { uri: found.uri, node: found.node });
    if (unpinned === 0) {
      void vscode.window.showInformationMessage(`The output of ${plain(found.node)} is not pinned.`);
    }
  }
}

/** The node at the cursor, or the last one above it. */
async function nodeHere(): Promise<NodeHere | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return undefined;
  }
  const { uri } = editor.document;
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>("vscode.executeCodeLensProvider", uri, LENSES_MAX);
  const nodes = lenses.flatMap((lens) => {
    const wanted = lens.command?.command === "nodewise.simulate" ? (lens.command.arguments?.[0] as Wanted | undefined) : undefined;
    return wanted?.only === true && wanted.node != null ? [{ line: lens.range.start.line, node: { ...wanted, node: wanted.node } }] : [];
  });
  const found = nodes.filter(({ line }) => line <= editor.selection.active.line).at(-1);
  if (found === undefined) {
    void vscode.window.showInformationMessage("There is no node at the cursor.");
  }
  return found?.node;
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
