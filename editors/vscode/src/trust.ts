/**
 * What needs the user's trust in the workspace.
 *
 * Input: what the user wants to do. Output: whether that is allowed, and a message that says how to allow it.
 */

import * as vscode from "vscode";

/** `purpose` completes the sentence "Trust this workspace to …". */
export function isTrustedTo(purpose: string): boolean {
  if (!vscode.workspace.isTrusted) {
    void vscode.window.showWarningMessage(`Trust this workspace to ${purpose}.`, "Manage Trust").then((choice) => {
      if (choice !== undefined) {
        void vscode.commands.executeCommand("workbench.trust.manage");
      }
    });
  }
  return vscode.workspace.isTrusted;
}
