/** Helpers for the tests in the extension host. */

import * as vscode from "vscode";

const TIMEOUT_MS = 50_000;
const LOOK_MS = 50;

export function extension(): vscode.Extension<unknown> {
  const found = vscode.extensions.getExtension("nodewise.nodewise");
  if (found === undefined) {
    throw new Error("the extension is not installed");
  }
  return found;
}

export function fileOf(name: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (folder === undefined) {
    throw new Error("no folder is open");
  }
  return vscode.Uri.joinPath(folder, name);
}

/** A file with a model in the workbench. Other files have no lenses and cannot be renamed. */
export async function opened(name: string): Promise<vscode.Uri> {
  const { uri } = await vscode.workspace.openTextDocument(fileOf(name));
  return uri;
}

export async function eventually(what: string, look: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + TIMEOUT_MS;
  while (!(await look())) {
    if (Date.now() > end) {
      throw new Error(`waited in vain for ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
