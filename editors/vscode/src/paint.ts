/**
 * Decorations of the last runs in the editors.
 *
 * Input: notifications of the server. Output: decorations of visible editors. Invariant: a text that changed since the
 * run has no decorations.
 */

import * as vscode from "vscode";

import type { PaintedFile, SimulatedNotice } from "../shared/protocol.ts";
import { toRange } from "./places.ts";
import type { Server } from "./server.ts";

export class Paint implements vscode.Disposable {
  private readonly files = new Map<string, PaintedFile>();
  private readonly visited = decoration("charts.green", "testing.coveredGutterBackground");
  /** Grey, because red is for errors, and a run need not visit every node. */
  private readonly missed = decoration("disabledForeground", "disabledForeground");
  private readonly subscriptions: vscode.Disposable;

  constructor(server: Server) {
    this.subscriptions = vscode.Disposable.from(
      this.visited,
      this.missed,
      server.onDidSimulate((notice) => this.take(notice)),
      vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach((editor) => this.paint(editor))),
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private take(notice: SimulatedNotice): void {
    for (const file of notice.files) {
      this.files.set(file.uri, file);
    }
    vscode.window.visibleTextEditors.forEach((editor) => this.paint(editor));
  }

  private paint(editor: vscode.TextEditor): void {
    const file = this.files.get(editor.document.uri.toString());
    if (file === undefined) {
      return;
    }
    const isFresh = file.version === null || file.version === editor.document.version;
    const marks = isFresh ? marksOf(file) : [];
    editor.setDecorations(this.visited, marks.filter((mark) => mark.count > 0).map(options));
    editor.setDecorations(this.missed, marks.filter((mark) => mark.count === 0).map(options));
  }
}

interface Mark {
  range: vscode.Range;
  count: number;
  what: string;
}

function marksOf(file: PaintedFile): Mark[] {
  return [
    ...file.nodes.map((node) => ({ range: toRange(node.range), count: node.visits, what: "visited" })),
    ...file.edges.map((edge) => ({ range: toRange(edge.range), count: edge.followed, what: "followed" })),
  ];
}

function options(mark: Mark): vscode.DecorationOptions {
  const times = mark.count === 1 ? "once" : `${mark.count} times`;
  const text = mark.count === 0 ? `not ${mark.what}` : `${mark.what} ${times}`;
  return { range: mark.range, hoverMessage: `Last run: ${text}`, renderOptions: { after: { contentText: mark.count > 1 ? ` ×${mark.count}` : "" } } };
}

function decoration(colour: string, ruler: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    overviewRulerColor: new vscode.ThemeColor(ruler),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    borderWidth: "0 0 1px 0",
    borderStyle: "solid",
    borderColor: new vscode.ThemeColor(colour),
    after: { color: new vscode.ThemeColor(colour) },
  });
}
