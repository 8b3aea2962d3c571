/**
 * Shows the server's questions as messages of the editor.
 *
 * Input: a question with its choices. Output: the choice, or undefined. Invariant: text from files and models is shown
 * as text, and a permission request is shown completely.
 */

import * as vscode from "vscode";
import { type MessageActionItem, MessageType, type ShowMessageRequestParams } from "vscode-languageclient";

import { withoutLinks } from "../shared/text.ts";

/** The choice that also means closing the message. */
const CANCEL = "Cancel";

let item: vscode.StatusBarItem | undefined;
/** The number of questions that appeared while the user worked on something else, and that wait for an answer. */
let waiting = 0;

/** A warning asks for permission before a run starts. Other questions appear while the user works on something else. */
export async function ask({ type, message, actions = [] }: ShowMessageRequestParams): Promise<MessageActionItem | null> {
  const items = actions.map(({ title }) => ({ title, isCloseAffordance: title === CANCEL }));
  const chosen = await (type === MessageType.Warning ? askFirst(message, items) : askAside(message, items));
  return chosen === undefined ? null : { title: chosen.title };
}

/** Uses a dialog, which makes no links. A notification has no line breaks, and is cut after a thousand characters. */
function askFirst(message: string, items: vscode.MessageItem[]): Thenable<vscode.MessageItem | undefined> {
  const [first = "", ...rest] = message.split("\n");
  return vscode.window.showWarningMessage(first, { modal: true, detail: rest.join("\n") }, ...items);
}

/** Asks in a notification. The workbench hides it after ten seconds, so the status bar says that an answer is wanted. */
async function askAside(message: string, items: vscode.MessageItem[]): Promise<vscode.MessageItem | undefined> {
  waiting += 1;
  showWaiting();
  try {
    return await vscode.window.showInformationMessage(withoutLinks(message), ...items);
  } finally {
    waiting -= 1;
    showWaiting();
  }
}

function showWaiting(): void {
  if (item === undefined) {
    item = vscode.window.createStatusBarItem("nodewise.questions", vscode.StatusBarAlignment.Left);
    item.name = "nodewise questions";
    item.tooltip = "Show the question";
    item.command = "notifications.showList";
    item.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
  }
  if (waiting === 0) {
    item.hide();
    return;
  }
  item.text = waiting === 1 ? "$(question) nodewise waits for your answer" : `$(question) nodewise waits for ${waiting} answers`;
  item.show();
}
