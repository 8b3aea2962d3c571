/** Language features, as other extensions and the editor request them. */

import assert from "node:assert/strict";
import * as vscode from "vscode";

import { eventually, extension, fileOf, opened } from "./support.ts";

describe("providers", () => {
  let desk: vscode.Uri;
  let tools: vscode.Uri;
  const ask = <T>(command: string, ...parameters: unknown[]) => vscode.commands.executeCommand<T>(command, ...parameters);

  before(async () => {
    [desk, tools] = [await opened("desk.yaml"), await opened("tools.yaml")];
    await extension().activate();
    await vscode.window.showTextDocument(desk);
    await eventually("a diagnostic", () => vscode.languages.getDiagnostics(desk).some((one) => one.source === "nodewise"));
  });

  it("diagnostics name the rule and lead to its page", () => {
    const found = vscode.languages.getDiagnostics(desk).find((one) => one.message.includes("find_custommer"));
    assert.equal(found?.severity, vscode.DiagnosticSeverity.Error);
    assert.equal((found?.code as { value: string }).value, "unknown-tool");
    assert.deepEqual([found?.range.start.line, found?.range.start.character, found?.range.end.character], [5, 4, 18]);
  });

  it("hover explains a key", async () => {
    const hovers = await ask<vscode.Hover[]>("vscode.executeHoverProvider", desk, new vscode.Position(4, 2));
    assert.match(hovers.flatMap((hover) => hover.contents.map((one) => (one as vscode.MarkdownString).value)).join(), /tools/);
  });

  it("completion offers tools of other files", async () => {
    const list = await ask<vscode.CompletionList>("vscode.executeCompletionItemProvider", desk, new vscode.Position(5, 4));
    const labels = list.items.map((item) => (typeof item.label === "string" ? item.label : item.label.label));
    assert.ok(labels.includes("find_customer"), labels.join());
  });

  it("definition and references go over files", async () => {
    const definitions = await ask<(vscode.Location | vscode.LocationLink)[]>("vscode.executeDefinitionProvider", desk, new vscode.Position(6, 6));
    const target = definitions[0];
    const uri = target === undefined ? undefined : "targetUri" in target ? target.targetUri : target.uri;
    assert.equal(uri?.toString(), tools.toString());
    const references = await ask<vscode.Location[]>("vscode.executeReferenceProvider", tools, new vscode.Position(6, 8));
    assert.deepEqual([...new Set(references.map((one) => one.uri.toString()))].sort(), [desk.toString(), tools.toString()]);
  });

  it("a rename changes the declaration and what refers to it, in both files", async () => {
    const edit = await ask<vscode.WorkspaceEdit>("vscode.executeDocumentRenameProvider", tools, new vscode.Position(6, 8), "file_ticket");
    const changes = edit.entries().map(([uri, edits]) => `${uri.path.split("/").at(-1)} ${edits.map((one) => `${one.range.start.line} ${one.newText}`).join()}`);
    assert.deepEqual(changes.sort(), ["desk.yaml 6 file_ticket", "tools.yaml 6 file_ticket"]);
  });

  it("a rename to a name that is taken is refused with the reason", async () => {
    const refused = ask("vscode.executeDocumentRenameProvider", tools, new vscode.Position(6, 8), "find_customer");
    await assert.rejects(Promise.resolve(refused), /find_customer/);
  });

  it("quick fixes and the fix of everything are offered", async () => {
    const actions = await ask<vscode.CodeAction[]>("vscode.executeCodeActionProvider", desk, new vscode.Range(5, 4, 5, 18));
    assert.ok(actions.some((action) => action.title.includes("find_customer")), actions.map((action) => action.title).join());
  });

  it("a document is formatted", async () => {
    const edits = await ask<vscode.TextEdit[]>("vscode.executeFormatDocumentProvider", fileOf("untidy.yaml"), { tabSize: 2, insertSpaces: true });
    assert.ok(edits.length > 0);
  });

  it("symbols, folds, tokens and inlay hints come", async () => {
    const symbols = await ask<vscode.SymbolInformation[]>("vscode.executeDocumentSymbolProvider", desk);
    assert.ok(symbols.length >= 2);
    const folds = await ask<vscode.FoldingRange[]>("vscode.executeFoldingRangeProvider", desk);
    assert.ok(folds.length > 0);
    const tokens = await ask<vscode.SemanticTokens>("vscode.provideDocumentSemanticTokens", desk);
    assert.ok(tokens.data.length > 0);
  });

  it("a configuration that cannot be read is a problem of its file", async () => {
    const configuration = fileOf("nodewise.toml");
    const before = await vscode.workspace.fs.readFile(configuration);
    await vscode.workspace.fs.writeFile(configuration, Buffer.from("[files]\nexclud = []\n"));
    await eventually("its problem", () => vscode.languages.getDiagnostics(configuration).some((one) => one.range.start.line === 1));
    await vscode.workspace.fs.writeFile(configuration, before);
    await eventually("no problem", () => vscode.languages.getDiagnostics(configuration).length === 0);
  });

  it("settings are passed on at once", async () => {
    const hints = () => ask<vscode.InlayHint[]>("vscode.executeInlayHintProvider", desk, new vscode.Range(0, 0, 20, 0));
    assert.deepEqual(await hints(), []);
    const settings = vscode.workspace.getConfiguration("nodewise");
    await settings.update("inlayHints.kinds", true, vscode.ConfigurationTarget.Global);
    await settings.update("inlayHints.defaults", true, vscode.ConfigurationTarget.Global);
    await eventually("inlay hints", async () => (await hints()).length > 0);
    await settings.update("inlayHints.kinds", undefined, vscode.ConfigurationTarget.Global);
    await settings.update("inlayHints.defaults", undefined, vscode.ConfigurationTarget.Global);
  });
});
