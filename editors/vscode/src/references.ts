/**
 * The command of lenses that count references.
 *
 * Input: a place and locations in the types of the protocol. Output: the editor's view of references.
 */

import * as vscode from "vscode";

import type { Location, Position } from "../shared/protocol.ts";
import { toLocation, toPosition } from "./places.ts";

export function registerReferences(): vscode.Disposable {
  return vscode.commands.registerCommand(
    "nodewise.showReferences",
    (uri: string, position: Position, locations: Location[]) =>
      vscode.commands.executeCommand(
        "editor.action.showReferences",
        vscode.Uri.parse(uri),
        toPosition(position),
        locations.map(toLocation),
      ),
  );
}
