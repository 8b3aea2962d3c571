/**
 * The graph of the board as a picture or a diagram, in a file or in the clipboard.
 *
 * Input: a format and a target that the user chooses. Output: a file, or the clipboard's content. Invariant: the user
 * chooses the file, and no other file is written.
 */

import * as vscode from "vscode";

import type { ExportForm } from "../shared/messages.ts";
import { fileName } from "../shared/paths.ts";
import type { Graph } from "../shared/protocol.ts";
import type { GraphPlace } from "./boardedit.ts";
import type { Server } from "./server.ts";

export type ExportChoice = { form: ExportForm; colours: "theme" | "print"; to: "file" | "clipboard" } | { form: "mermaid"; to: "file" | "clipboard" };

const CHOICES: { label: string; choice: ExportChoice }[] = [
  { label: "SVG file, in the colours of the theme", choice: { form: "svg", colours: "theme", to: "file" } },
  { label: "SVG file, in black and white for print", choice: { form: "svg", colours: "print", to: "file" } },
  { label: "PNG file, in the colours of the theme", choice: { form: "png", colours: "theme", to: "file" } },
  { label: "PNG file, in black and white for print", choice: { form: "png", colours: "print", to: "file" } },
  { label: "Mermaid file", choice: { form: "mermaid", to: "file" } },
  { label: "Copy as SVG", choice: { form: "svg", colours: "theme", to: "clipboard" } },
  { label: "Copy as PNG", choice: { form: "png", colours: "theme", to: "clipboard" } },
  { label: "Copy as Mermaid", choice: { form: "mermaid", to: "clipboard" } },
];

export async function chooseExport(): Promise<ExportChoice | undefined> {
  const chosen = await vscode.window.showQuickPick(CHOICES, { title: "Export Graph", placeHolder: "A format" });
  return chosen?.choice;
}

/** The graph as a Mermaid diagram. */
export async function mermaidOf(server: Server, place: GraphPlace): Promise<string> {
  const { line, character } = place.position;
  const argument = { textDocument: { uri: place.uri.toString() }, position: { line, character }, format: "mermaid" };
  const { text } = await server.command<{ text: string }>("nodewise.graph", argument);
  return text;
}

/** Writes a file that the user chooses, beside the file of the graph. Returns it. */
export async function saveExport(graph: Graph, place: GraphPlace, form: "svg" | "png" | "mermaid", data: Uint8Array): Promise<vscode.Uri | undefined> {
  const extension = form === "mermaid" ? "mmd" : form;
  const name = (graph.names[0] ?? "graph").replace(/[^\w.-]+/g, "-");
  const defaultUri = vscode.Uri.joinPath(place.uri, "..", `${name}.${extension}`);
  const target = await vscode.window.showSaveDialog({ defaultUri, title: "Export Graph", filters: { [form.toUpperCase()]: [extension] } });
  if (target !== undefined) {
    await vscode.workspace.fs.writeFile(target, data);
    const open = "Open";
    void vscode.window.showInformationMessage(`The graph is exported to ${fileName(target.path)}.`, open).then((choice) => choice === open && vscode.commands.executeCommand("vscode.open", target));
  }
  return target;
}
