/**
 * The graph next to its text. It follows the cursor and the edits.
 *
 * Input: the active editor and the server's graphs, or a graph with marks. Output: the data for the webview, and whether there is a graph at
 * the cursor. Invariant: there is at most one panel, and one request at a time. The last edit is always followed by a
 * request.
 */

import * as vscode from "vscode";

import { ChangeTracker } from "../shared/changes.ts";
import { type CompactAnswer, expanded } from "../shared/compact.ts";
import type { BoardAct, BoardPart, Current, DrawnEdge, DrawnGraph, DrawnNode, ExportForm, FromGraph, ToGraph } from "../shared/messages.ts";
import { graphInside } from "../shared/nested.ts";
import { fileName } from "../shared/paths.ts";
import type { Graph, GraphNode, Location, Marked, WantedMarks } from "../shared/protocol.ts";
import { reasonOf } from "../shared/reason.ts";
import { bytesOf, bytesOfBase64 } from "../shared/text.ts";
import { BoardEdits } from "./boardedit.ts";
import { chooseExport, mermaidOf, saveExport } from "./boardexport.ts";
import { layoutFor } from "./layout.ts";
import { plain, reveal, toPosition } from "./places.ts";
import { LANGUAGES, type Server } from "./server.ts";
import { isTrustedTo } from "./trust.ts";
import { page, viewOptions } from "./webview.ts";

/** An edit and its cursor move arrive one after the other, and need only one request. */
const PAUSE_MS = 8;
/** Without a panel, the answer only shows or hides buttons, so it can wait. */
const CALM_MS = 250;
/** The problems of a graph are counted when nobody has typed for this time, because they need all rules. */
const COUNT_MS = 250;

export interface Anchor {
  uri: vscode.Uri;
  position: vscode.Position;
}

export class GraphPreview implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private shown: Graph | undefined;
  private readonly nodes = new ChangeTracker<DrawnNode>();
  private readonly edges = new ChangeTracker<DrawnEdge>();
  /** The subgraphs that are open on the board, each by the nodes from the outermost. */
  private opened: string[][] = [];
  /** A place inside the shown graph, to find it again. */
  private anchor: Anchor | undefined;
  /** Where a debugged run is stopped, from the innermost frame. These places are used instead of the cursor. */
  private stops: Anchor[] = [];
  /** A graph with marks. It is shown instead of the graph at the cursor, until the user ends it or a text changes. */
  private marked: Marked | undefined;
  private isLooking = false;
  private isStale = false;
  private timer: NodeJS.Timeout | undefined;
  /** This timer runs while problems are not counted yet, because the text has just changed. */
  private counting: NodeJS.Timeout | undefined;
  /** Cancels the request with the numbers of problems, so that the next keystroke does not wait for it. */
  private slow: vscode.CancellationTokenSource | undefined;
  private readonly subscriptions: vscode.Disposable;
  private readonly extension: vscode.Uri;
  private readonly server: Server;
  private readonly edits: BoardEdits;
  /** The target of the picture that the webview was asked for. */
  private exportsTo: "file" | "clipboard" = "file";

  constructor(extension: vscode.Uri, server: Server) {
    this.extension = extension;
    this.server = server;
    this.edits = new BoardEdits(server, {
      place: () => this.anchor,
      graph: () => this.shown,
      askCondition: (from, to) => this.post({ type: "askCondition", from, to }),
      editCondition: ({ index, from, to, condition }) => this.post({ type: "editCondition", edge: { index, from, to }, condition }),
      connectFrom: (node) => this.post({ type: "connectFrom", node }),
      toggleSubgraph: (node, inside) => this.post({ type: "toggleSubgraph", node, inside }),
    });
    this.subscriptions = vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor(() => this.soon()),
      vscode.window.onDidChangeTextEditorSelection(() => this.soon()),
      vscode.workspace.onDidChangeTextDocument((change) => {
        if (isOurs(change.document)) {
          if (change.contentChanges.length > 0 && this.isMarked(change.document.uri)) {
            this.endMarks();
            void vscode.window.setStatusBarMessage("The marks on the graph were removed, because the text changed", 6000);
          }
          this.shift(change);
          this.slow?.cancel();
          this.countLater();
          this.soon();
        }
      }),
      server.onDidChangeState(() => this.soon()),
    );
  }

  open(): void {
    if (this.panel !== undefined) {
      this.panel.reveal(undefined, true);
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      "nodewise.graph",
      "Graph",
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { ...viewOptions(this.extension), retainContextWhenHidden: true },
    );
    this.panel = panel;
    const icon = (theme: string) => vscode.Uri.joinPath(this.extension, "media", `graph-${theme}.svg`);
    panel.iconPath = { light: icon("light"), dark: icon("dark") };
    panel.webview.onDidReceiveMessage((message: FromGraph) => this.hear(message));
    panel.onDidDispose(() => {
      this.panel = undefined;
      this.marked = undefined;
      this.clear();
      this.anchor = undefined;
    });
    panel.webview.html = page(panel.webview, this.extension, "graph");
  }

  /** Does something with a part that the user chose in the board's menu. */
  async act(act: BoardAct, part: BoardPart | undefined): Promise<void> {
    if (part !== undefined && act === "showSource") {
      this.hear({ type: "reveal", goes: true, inside: part.inside, ...(part.is === "node" ? { node: part.node } : { edge: part.index }) });
    } else if (part !== undefined) {
      await this.edits.act(act, part);
    }
  }

  /** Shows what changed in the graph since the last commit. Only this starts git. */
  async compareWithLastCommit(): Promise<void> {
    const place = this.place();
    if (place === undefined) {
      void vscode.window.showInformationMessage("Move the cursor into a graph first.");
    } else if (isTrustedTo("compare its graphs with a commit")) {
      await this.showMarks(argumentAt(place, { of: "changes" }), "There is no graph at the cursor.");
    }
  }

  /** Shows who writes, reads and tests a state key: the one at the cursor, or one of a node on the board. */
  async showKey(part: BoardPart | undefined): Promise<void> {
    if (part?.is !== "node") {
      const editor = vscode.window.activeTextEditor;
      const here = editor === undefined ? undefined : { uri: editor.document.uri, position: editor.selection.active };
      const nothing = "There is no state key at the cursor.";
      return here === undefined ? void vscode.window.showInformationMessage(nothing) : this.showMarks(argumentAt(here, { of: "key" }), nothing);
    }
    const keys = part.keys ?? [];
    const key = keys.length === 1 ? keys[0] : await vscode.window.showQuickPick(keys, { placeHolder: `A state key of ${part.label}` });
    const graph = this.shown === undefined ? undefined : graphInside<Graph>(this.shown, part.inside);
    const location = graph?.nodes.find((node) => node.id === part.node)?.location;
    if (key !== undefined && location != null) {
      const place = { uri: vscode.Uri.parse(location.uri), position: toPosition(location.range.start) };
      await this.showMarks(argumentAt(place, { of: "key", key }), `Nothing happens to the state key “${key}”.`);
    }
  }

  /** Shows a graph with marks. `nothing` is the message if there is none. */
  async showMarks(wanted: WantedMarks, nothing: string): Promise<void> {
    const marked = await this.server.command<Marked | null>("nodewise.markGraph", wanted);
    if (marked === null) {
      void vscode.window.showInformationMessage(nothing);
      return;
    }
    const { line, character } = wanted.position;
    this.anchor = { uri: vscode.Uri.parse(wanted.textDocument.uri), position: new vscode.Position(line, character) };
    this.marked = { ...marked, graph: { ...marked.graph, title: plain(marked.graph.title) } };
    this.open();
    this.postMarks();
    this.soon();
  }

  /** Whether marks are about a text. Others change too: settings, and the last commit, which VS Code loads as a document. */
  private isMarked(uri: vscode.Uri): boolean {
    const { marked } = this;
    const locations = marked === undefined ? [] : [...marked.lines, ...marked.graph.nodes].map(({ location }) => location?.uri);
    const uris = locations.flatMap((location) => (location === undefined ? [] : vscode.Uri.parse(location).toString()));
    return marked !== undefined && [this.anchor?.uri.toString(), ...uris].includes(uri.toString());
  }

  /** Shows the graph at the cursor again. */
  private endMarks(): void {
    if (this.marked !== undefined) {
      this.marked = undefined;
      this.postMarks();
      this.soon();
    }
  }

  private postMarks(): void {
    const marks = this.marked;
    const lines = marks?.lines.map(({ text, location }) => ({ text: plain(text), hasPlace: location !== null })) ?? [];
    this.post({ type: "marks", marks: marks === undefined ? null : { title: plain(marks.title), summary: plain(marks.summary), lines, dimsOthers: marks.dimsOthers } });
  }

  /** The place that a command is about: that of the shown graph if the board has the focus, else the cursor. */
  private place(): Anchor | undefined {
    const editor = vscode.window.activeTextEditor;
    const cursor = editor !== undefined && isOurs(editor.document) ? cursorOf(editor) : undefined;
    return this.panel?.active === true ? (this.anchor ?? cursor) : (cursor ?? this.anchor);
  }

  /** Exports the shown graph. */
  async exportGraph(): Promise<void> {
    if (this.panel === undefined || this.shown === undefined || this.anchor === undefined) {
      void vscode.window.showInformationMessage("Open a graph first: run “nodewise: Show Graph to the Side”.");
      return;
    }
    const choice = await chooseExport();
    if (choice === undefined) {
      return;
    }
    this.exportsTo = choice.to;
    if (choice.form !== "mermaid") {
      this.panel.reveal(undefined, false);
      this.post({ type: "export", ...choice });
      return;
    }
    await this.deliver("mermaid", await mermaidOf(this.server, this.anchor));
  }

  /** Delivers an exported graph: text, or bytes in base64 for PNG. */
  private async deliver(form: "svg" | "png" | "mermaid", data: string): Promise<void> {
    if (this.exportsTo === "clipboard") {
      // The webview itself copies points, because an extension can copy only text.
      if (form !== "png") {
        await vscode.env.clipboard.writeText(data);
      }
      void vscode.window.setStatusBarMessage("$(check) The graph is in the clipboard", 4000);
    } else if (this.shown !== undefined && this.anchor !== undefined) {
      await saveExport(this.shown, this.anchor, form, form === "png" ? bytesOfBase64(data) : bytesOf(data));
    }
  }

  /** Says why a picture was not copied, and offers to save it. */
  private async offerFile(form: ExportForm, data: string, reason: string): Promise<void> {
    const save = "Save as File…";
    const choice = await vscode.window.showWarningMessage(`The graph was not copied: ${reason}`, save);
    if (choice === save) {
      this.exportsTo = "file";
      await this.deliver(form, data);
    }
  }

  /** Shows the graph and the node where a debugged run is stopped: the first of these places that is in a graph. */
  follow(stops: Anchor[]): void {
    this.stops = stops;
    if (stops.length > 0) {
      this.endMarks();
    }
    this.soon();
  }

  dispose(): void {
    clearTimeout(this.timer);
    clearTimeout(this.counting);
    this.slow?.cancel();
    this.subscriptions.dispose();
    this.panel?.dispose();
  }

  private hear(message: FromGraph): void {
    switch (message.type) {
      case "ready":
        this.clear();
        this.postMarks();
        this.soon();
        break;
      case "reveal": {
        const graph = this.shown === undefined ? undefined : graphInside<Graph>(this.shown, message.inside);
        const part = "node" in message ? graph?.nodes.find((node) => node.id === message.node) : graph?.edges[message.edge];
        if (part?.location != null) {
          void reveal(part.location, !message.goes);
        }
        break;
      }
      case "endMarks":
        this.endMarks();
        break;
      case "revealLine": {
        const location = this.marked?.lines[message.line]?.location;
        if (location != null) {
          void reveal(location);
        }
        break;
      }
      case "opened":
        this.opened = message.paths;
        this.soon();
        break;
      case "act":
        this.attempt(this.edits.act(message.act, message.part));
        break;
      case "edit":
        this.attempt(this.edits.apply(message.edit));
        break;
      case "conditionHelp":
        void this.edits.help(message.edit, message.offset).then((help) => this.post({ type: "conditionHelp", number: message.number, help }));
        break;
      case "undo":
        this.attempt(this.edits.undo(message.isRedo));
        break;
      case "exported":
        this.attempt(message.notCopied === null ? this.deliver(message.form, message.data) : this.offerFile(message.form, message.data, message.notCopied));
        break;
      case "failed":
        void vscode.window.showErrorMessage(message.reason);
        break;
      case "layout":
        void layoutFor(this.server, message).then((answer) => this.post(answer));
        break;
    }
  }

  private attempt(work: Promise<void>): void {
    work.catch((error: unknown) => vscode.window.showErrorMessage(reasonOf(error)));
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.look(), this.panel === undefined ? CALM_MS : PAUSE_MS);
  }

  /** Keeps the shown numbers of problems, and counts them again when the user stops typing. */
  private countLater(): void {
    clearTimeout(this.counting);
    this.counting = setTimeout(() => {
      this.counting = undefined;
      this.soon();
    }, COUNT_MS);
  }

  /** Sends a request now, or after the answer to the current one. */
  private async look(): Promise<void> {
    this.isStale = true;
    if (this.isLooking) {
      return;
    }
    this.isLooking = true;
    try {
      while (this.isStale) {
        this.isStale = false;
        await this.refresh();
      }
    } finally {
      this.isLooking = false;
    }
  }

  private async refresh(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    // Without a panel, nobody sees the problems.
    const isQuick = this.counting !== undefined || this.panel === undefined;
    this.slow = isQuick ? undefined : new vscode.CancellationTokenSource();
    const token = this.slow?.token;
    if (this.marked !== undefined && this.panel !== undefined) {
      const cursor = editor !== undefined && isOurs(editor.document) ? cursorOf(editor) : undefined;
      this.update(this.panel, this.marked.graph, cursor === undefined ? { node: null, edge: null } : at(this.marked.graph, cursor, this.opened));
      return;
    }
    let cursor = this.stops[0] ?? (editor !== undefined && isOurs(editor.document) ? cursorOf(editor) : undefined);
    let here = await this.ask(cursor, token);
    for (const stop of here === null ? this.stops.slice(1) : []) {
      here = await this.ask(stop, token);
      if (here !== null) {
        cursor = stop;
        break;
      }
    }
    if (isCancelled(token)) {
      return;
    }
    if (editor !== undefined) {
      void vscode.commands.executeCommand("setContext", "nodewise.hasGraph", here !== null);
    }
    // The graph stays while the cursor is in one of its parts.
    const before = this.panel === undefined || isOfTheSame(here, this.shown) ? null : await this.ask(this.anchor, token);
    const shown = before === null ? [] : [before, ...this.opened.flatMap((path) => graphInside<Graph>(before, path) ?? [])];
    const graph = here !== null && shown.some((whole) => isPart(here, whole)) ? before : (here ?? before);
    if (this.panel === undefined || !this.server.isRunning || isCancelled(token) || this.marked !== undefined) {
      return;
    }
    if (graph === null) {
      this.clear();
      this.anchor = undefined;
      this.post({ type: "nothing", reason: "No graph at the cursor. Move the cursor into a graph to show it here." });
      return;
    }
    if (graph === here && cursor !== undefined) {
      this.anchor = cursor;
    }
    this.update(this.panel, isQuick ? withProblems(graph, this.shown) : graph, cursor === undefined ? { node: null, edge: null } : at(graph, cursor, this.opened));
  }

  private update(panel: vscode.WebviewPanel, graph: Graph, current: Current): void {
    const isOther = headingOf(graph) !== (this.shown === undefined ? undefined : headingOf(this.shown));
    const drawn = withoutLocations(graph);
    const nodes = this.nodes.changes(drawn.nodes);
    const edges = this.edges.changes(drawn.edges);
    const isSame = nodes.length === this.shown?.nodes.length && edges.length === this.shown.edges.length && nodes.at.length + edges.at.length === 0;
    this.shown = graph;
    panel.title = graph.title;
    this.post(isSame && !isOther ? { type: "current", current } : { type: "graph", title: headingOf(graph), nodes, edges, current });
  }

  /** Clears the webview. */
  private clear(): void {
    this.shown = undefined;
    this.nodes.reset();
    this.edges.reset();
  }

  /** The graph at a place, with the numbers of problems if the request can be cancelled. Null if the server cannot answer. */
  private async ask(place: Anchor | undefined, token: vscode.CancellationToken | undefined): Promise<Graph | null> {
    if (place === undefined || !this.server.isRunning) {
      return null;
    }
    const uri = place.uri.toString();
    const { line, character } = place.position;
    const argument = { textDocument: { uri }, position: { line, character }, withoutProblems: token === undefined, nested: true, compact: true };
    const answer = this.server.command<CompactAnswer | null>("nodewise.graph", argument, token).catch(() => null);
    const graph = await (token === undefined ? answer : Promise.race([answer, cancellation(token)]));
    const whole = graph === null ? null : expanded(graph);
    return whole === null ? null : { ...whole, title: plain(whole.title) };
  }

  /** Moves the anchor with the lines above it. */
  private shift(change: vscode.TextDocumentChangeEvent): void {
    if (this.anchor?.uri.toString() !== change.document.uri.toString()) {
      return;
    }
    for (const { range, text } of change.contentChanges) {
      if (range.end.line < this.anchor.position.line) {
        const lines = text.split("\n").length - 1 - (range.end.line - range.start.line);
        this.anchor.position = this.anchor.position.translate(Math.max(lines, -this.anchor.position.line));
      }
    }
  }

  private post(message: ToGraph): void {
    void this.panel?.webview.postMessage(message);
  }
}

function argumentAt({ uri, position: { line, character } }: Anchor, marks: WantedMarks["marks"]): WantedMarks {
  return { textDocument: { uri: uri.toString() }, position: { line, character }, marks };
}

function isCancelled(token: vscode.CancellationToken | undefined): boolean {
  return token?.isCancellationRequested === true;
}

/** Resolves to null as soon as a request is cancelled, because the server's own answer can come much later. */
function cancellation(token: vscode.CancellationToken): Promise<null> {
  return new Promise((resolve) => token.onCancellationRequested(() => resolve(null)));
}

/** Copies the numbers of problems from an earlier graph. A node that is being renamed is found by its position. */
function withProblems(graph: Graph, before: Graph | undefined): Graph {
  const known = new Map(before?.nodes.map((node) => [node.id, node]));
  const isSameLength = before?.nodes.length === graph.nodes.length;
  const nodes = graph.nodes.map((node, index) => {
    const { problems, errors } = known.get(node.id) ?? (isSameLength ? before?.nodes[index] : undefined) ?? { problems: 0, errors: 0 };
    const inner = node.graph == null ? {} : { graph: withProblems(node.graph, known.get(node.id)?.graph ?? undefined) };
    return { ...node, ...inner, problems, ...(errors === undefined ? {} : { errors }) };
  });
  return { ...graph, nodes };
}

/** What the webview draws of a graph. */
function withoutLocations({ nodes, edges }: Graph): DrawnGraph {
  const drawn = ({ location: _, graph, ...node }: GraphNode): DrawnNode => ({ ...node, ...(graph == null ? {} : { graph: withoutLocations(graph) }) });
  return { nodes: nodes.map(drawn), edges: edges.map(({ location: _, problems: _problems, errors: _errors, ...edge }) => edge) };
}

function isOurs(document: vscode.TextDocument): boolean {
  return LANGUAGES.includes(document.languageId);
}

/** The place of the cursor. In a comment or between documents, the next line with content. */
function cursorOf(editor: vscode.TextEditor): Anchor {
  const { document, selection } = editor;
  let line = selection.active.line;
  while (line < document.lineCount && /^\s*(#|---|$)/.test(document.lineAt(line).text)) {
    line += 1;
  }
  const isElsewhere = line !== selection.active.line && line < document.lineCount;
  return { uri: document.uri, position: isElsewhere ? new vscode.Position(line, 0) : selection.active };
}

/** The title with its file, because the graph stays visible while the editor shows a file without a graph. */
function headingOf({ title, location }: Graph): string {
  return location === null ? title : `${title} in ${fileName(vscode.Uri.parse(location.uri).path)}`;
}

function isOfTheSame(one: Graph | null, other: Graph | undefined): boolean {
  return one !== null && one.title === other?.title && one.location?.uri === other.location?.uri;
}

function isPart(part: Graph, whole: Graph): boolean {
  const nodes = new Set(whole.nodes.map((node) => `${node.location?.uri ?? ""} ${node.id}`));
  return part.nodes.every((node) => nodes.has(`${node.location?.uri ?? ""} ${node.id}`));
}

/** The last node or edge that begins before the cursor, in the graph or in an open subgraph. */
function at(graph: Graph, cursor: Anchor, opened: string[][]): Current {
  const uri = cursor.uri.toString();
  const isBefore = (location: Location | null): location is Location =>
    location !== null && location.uri === uri && toPosition(location.range.start).isBeforeOrEqual(cursor.position.with(undefined, Number.MAX_SAFE_INTEGER));
  let last: vscode.Position | undefined;
  let current: Current = { node: null, edge: null };
  const take = (location: Location | null, found: Current) => {
    if (isBefore(location) && (last === undefined || toPosition(location.range.start).isAfterOrEqual(last))) {
      last = toPosition(location.range.start);
      current = found;
    }
  };
  for (const inside of [[], ...opened]) {
    const one = graphInside<Graph>(graph, inside);
    one?.nodes.forEach((node) => take(node.location, { node: node.id, edge: null, inside }));
    one?.edges.forEach((edge, index) => take(edge.location, { node: edge.from, edge: index, inside }));
  }
  return current;
}
