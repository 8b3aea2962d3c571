/**
 * The line of the current step of a run.
 *
 * Input: places. Output: a marked line in an editor, which becomes visible. Invariant: the focus and the selection stay
 * where they are, and at most one line is marked.
 */

import * as vscode from "vscode";

import type { Location } from "../shared/protocol.ts";
import { toRange } from "./places.ts";

export class StepMarker implements vscode.Disposable {
  private readonly line = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("editor.stackFrameHighlightBackground"),
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.infoForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Full,
  });
  private place: Location | null = null;
  private readonly subscription = vscode.window.onDidChangeVisibleTextEditors(() => this.mark());

  /** Marks a place and scrolls to it. `null` removes the mark. */
  async show(place: Location | null): Promise<void> {
    this.place = place;
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

  dispose(): void {
    this.subscription.dispose();
    this.line.dispose();
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
    }
  }
}
