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

/** A warning asks for permission before a run starts. Other questions appear while the user works on something else. */
export async function ask({ type, message, actions = [] }: ShowMessageRequestParams): Promise<MessageActionItem | null> {
  const items = actions.map(({ title }) => ({ title, isCloseAffordance: title === CANCEL }));
  const chosen = await (type === MessageType.Warning ? askFirst(message, items) : vscode.window.showInformationMessage(withoutLinks(message), ...items));
  return chosen === undefined ? null : { title: chosen.title };
}

/** Uses a dialog, which makes no links. A notification has no line breaks, and is cut after a thousand characters. */
function askFirst(message: string, items: vscode.MessageItem[]): Thenable<vscode.MessageItem | undefined> {
  const [first = "", ...rest] = message.split("\n");
  return vscode.window.showWarningMessage(first, { modal: true, detail: rest.join("\n") }, ...items);
}
