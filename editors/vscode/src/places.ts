/**
 * Places and titles of the server, in the types of the editor.
 *
 * Input: positions, ranges, locations, titles of the protocol. Output: those of the editor, and a place that is shown.
 */

import * as vscode from "vscode";

import type { Location, Position, Range } from "../shared/protocol.ts";

export function toPosition(position: Position): vscode.Position {
  return new vscode.Position(position.line, position.character);
}

export function toRange(range: Range): vscode.Range {
  return new vscode.Range(toPosition(range.start), toPosition(range.end));
}

export function toLocation(location: Location): vscode.Location {
  return new vscode.Location(vscode.Uri.parse(location.uri), toRange(location.range));
}

/** Shows a place in an editor outside of the webview's column. The focus stays where it is if the user does not go there. */
export async function reveal(location: Location, preserveFocus = false): Promise<void> {
  const uri = vscode.Uri.parse(location.uri);
  const shown = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === uri.toString());
  const column = shown?.viewColumn ?? vscode.window.visibleTextEditors[0]?.viewColumn ?? vscode.ViewColumn.One;
  await vscode.window.showTextDocument(uri, { viewColumn: column, selection: toRange(location.range), preserveFocus });
}

/** A title for people. Names are in quotation marks. */
export function plain(title: string): string {
  return title.replace(/`([^`]*)`/g, "“$1”");
}
