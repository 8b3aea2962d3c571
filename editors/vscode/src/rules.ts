/**
 * The page of a rule. The user chooses it from the rules of the current problems.
 *
 * Input: the diagnostics of the workspace. Output: the page as a preview.
 */

import * as vscode from "vscode";

import type { Server } from "./server.ts";

export async function explainRule(server: Server, pages: RulePages): Promise<void> {
  const found = vscode.languages.getDiagnostics().flatMap(([, diagnostics]) => diagnostics.map(ruleOf));
  const rules = [...new Set(found.filter((rule) => rule !== undefined))].sort();
  const rule = await chooseRule(rules);
  if (rule === undefined) {
    return;
  }
  const { markdown } = await server.command<{ markdown: string }>("nodewise.explain", { rule });
  await vscode.commands.executeCommand("markdown.showPreview", pages.put(rule, markdown));
}

/** Rule pages as documents, for the preview. */
export class RulePages implements vscode.TextDocumentContentProvider {
  static readonly scheme = "nodewise-rule";
  private readonly pages = new Map<string, string>();

  put(rule: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: RulePages.scheme, path: `/${rule}.md` });
    this.pages.set(uri.path, text);
    return uri;
  }

  provideTextDocumentContent(uri: vscode.Uri): string | undefined {
    return this.pages.get(uri.path);
  }
}

/** A rule from the list, or one that the user types. */
function chooseRule(rules: string[]): Promise<string | undefined> {
  const pick = vscode.window.createQuickPick();
  pick.title = "Explain Rule";
  pick.placeholder = "Rule id, for example unknown-node";
  const list = (typed: string) => {
    const others = typed !== "" && !rules.includes(typed) ? [typed] : [];
    pick.items = [...rules, ...others].map((label) => ({ label }));
  };
  list("");
  return new Promise((resolve) => {
    pick.onDidChangeValue((typed) => list(typed.trim()));
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]?.label);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

function ruleOf(diagnostic: vscode.Diagnostic): string | undefined {
  if (diagnostic.source !== "nodewise") {
    return undefined;
  }
  const code = typeof diagnostic.code === "object" ? diagnostic.code.value : diagnostic.code;
  return code === undefined ? undefined : String(code);
}
