/**
 * The line of the current step of a run, and the values of the state keys in the text of the step.
 *
 * Input: places, values. Output: a marked line in an editor, which becomes visible, and values at the ends of lines. Invariant: the focus and the selection stay
 * where they are, and at most one line is marked.
 */

import * as vscode from "vscode";

import type { InlineValue, Location } from "../shared/protocol.ts";
import { toRange } from "./places.ts";

export class StepMarker implements vscode.Disposable {
  private readonly line = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("editor.stackFrameHighlightBackground"),
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.infoForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Full,
  });
  /** As the debugger of VS Code shows values. */
  private readonly inline = vscode.window.createTextEditorDecorationType({
    after: {
      color: new vscode.ThemeColor("editor.inlineValuesForeground"),
      backgroundColor: new vscode.ThemeColor("editor.inlineValuesBackground"),
      margin: "0 0 0 2em",
    },
  });
  private values: InlineValue[] = [];
  private place: Location | null = null;
  private readonly subscription = vscode.window.onDidChangeVisibleTextEditors(() => this.mark());

  /** Marks a place and scrolls to it. `null` removes the mark. */
  async show(place: Location | null): Promise<void> {
    this.place = place;
    this.values = [];
    this.mark();
    if (place === null) {
      return;
    }
    const shown = this.editors(place)[0] ?? (await this.open(place));
    // A later step may have been chosen while the file was opened.
    if (this.place === place) {
      this.mark();
      shown.revealRange(toRange(place.range), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
  }

  /** Shows values in the text of the marked step. Without a mark, nothing. */
  showValues(values: InlineValue[]): void {
    this.values = this.place === null ? [] : values;
    this.mark();
  }

  dispose(): void {
    this.subscription.dispose();
    this.line.dispose();
    this.inline.dispose();
  }

  private open({ uri }: Location): Thenable<vscode.TextEditor> {
    const viewColumn = vscode.window.visibleTextEditors.find((editor) => editor.viewColumn !== undefined)?.viewColumn ?? vscode.ViewColumn.One;
    return vscode.window.showTextDocument(vscode.Uri.parse(uri), { viewColumn, preserveFocus: true, preview: true });
  }

  private editors({ uri }: Location): vscode.TextEditor[] {
    const wanted = vscode.Uri.parse(uri).toString();
    return vscode.window.visibleTextEditors.filter((editor) => editor.document.uri.toString() === wanted);
  }

  private mark(): void {
    const here = this.place === null ? [] : this.editors(this.place);
    for (const editor of vscode.window.visibleTextEditors) {
      editor.setDecorations(this.line, this.place !== null && here.includes(editor) ? [toRange(this.place.range)] : []);
      editor.setDecorations(this.inline, this.valuesIn(editor));
    }
  }

  /** The values of an editor, all those of a line after its end. */
  private valuesIn({ document }: vscode.TextEditor): vscode.DecorationOptions[] {
    const lines = new Map<number, string[]>();
    for (const { location, key, text } of this.values) {
      if (vscode.Uri.parse(location.uri).toString() === document.uri.toString()) {
        const line = location.range.start.line;
        lines.set(line, [...(lines.get(line) ?? []), `${key} = ${text}`]);
      }
    }
    return [...lines].filter(([line]) => line < document.lineCount).map(([line, texts]) => ({
      range: new vscode.Range(document.lineAt(line).range.end, document.lineAt(line).range.end),
      renderOptions: { after: { contentText: ` ${texts.join(", ")} ` } },
    }));
  }
}
