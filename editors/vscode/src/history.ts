/**
 * The view of runs: those of this session, and the live runs of the projects.
 *
 * Input: the server's list, words to search for. Output: a tree view, runs in the panel, comparisons of two runs.
 * Invariant: the list is read when the view is visible, and a run that is shown or compared is not repeated.
 */

import * as vscode from "vscode";

import type { Compared, ComparedRun, ListedRun } from "../shared/protocol.ts";
import { plain } from "./places.ts";
import type { Server } from "./server.ts";
import type { RunReference, Simulations } from "./simulation.ts";

const VIEW = "nodewise.runs";
/** The context key that says whether the list is limited to runs with the searched words. */
const SEARCHED = "nodewise.runsAreSearched";

/** Icons by the result of a run, with the colours of the Test Explorer. */
const ICONS: Record<ListedRun["result"], [icon: string, colour: string]> = {
  good: ["pass", "testing.iconPassed"],
  doubtful: ["warning", "list.warningForeground"],
  bad: ["error", "testing.iconFailed"],
  open: ["watch", "descriptionForeground"],
};

export class RunHistory implements vscode.TreeDataProvider<ListedRun>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.TreeView<ListedRun>;
  private readonly texts = new Texts();
  private readonly subscriptions: vscode.Disposable;
  private readonly server: Server;
  private readonly simulations: Simulations;
  private search = "";
  private listed: ListedRun[] = [];

  constructor(server: Server, simulations: Simulations) {
    this.server = server;
    this.simulations = simulations;
    this.view = vscode.window.createTreeView<ListedRun>(VIEW, { treeDataProvider: this, canSelectMany: true, showCollapseAll: false });
    this.subscriptions = vscode.Disposable.from(
      this.changed,
      this.view,
      this.view.onDidChangeVisibility(({ visible }) => visible && this.refresh()),
      server.onDidChangeState(() => this.refresh()),
      server.onDidSimulate(() => this.refresh()),
      simulations.onDidEndRun(() => this.refresh()),
      vscode.workspace.registerTextDocumentContentProvider(Texts.scheme, this.texts),
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  refresh(): void {
    this.changed.fire(undefined);
  }

  async getChildren(parent?: ListedRun): Promise<ListedRun[]> {
    if (parent !== undefined || !this.server.isRunning) {
      return [];
    }
    this.listed = await this.server.command<ListedRun[]>("nodewise.history", { search: this.search });
    this.view.message = this.search === "" ? "" : `${this.listed.length === 0 ? "No runs" : "Runs"} with “${this.search}”`;
    return this.listed;
  }

  getTreeItem(run: ListedRun): vscode.TreeItem {
    const item = new vscode.TreeItem(run.name ?? nameOf(run.title));
    const [icon, colour] = ICONS[run.result];
    const kind = run.isLive ? "live" : "dry";
    item.id = idOf(run);
    item.iconPath = new vscode.ThemeIcon(icon, new vscode.ThemeColor(colour));
    item.description = [kind, run.summary, ...(run.isMadeUp ? ["answers are made up"] : []), when(run.at)].join(" · ");
    item.tooltip = tooltip(run);
    item.contextValue = [kind, ...(run.canResume ? ["resumable"] : [])].join(" ");
    item.command = { command: "nodewise.openRun", title: "Open Run", arguments: [run] };
    item.accessibilityInformation = { label: `${item.label}, ${item.description}` };
    return item;
  }

  /** Asks for words. The list then has only the runs with all of them. */
  async filter(): Promise<void> {
    const search = await vscode.window.showInputBox({ title: "Search Runs", value: this.search, placeHolder: "Words in the title, the status, the id, the name or the tags; “live” or “dry”" });
    if (search !== undefined) {
      this.searchFor(search.trim());
    }
  }

  searchFor(search: string): void {
    this.search = search;
    void vscode.commands.executeCommand("setContext", SEARCHED, search !== "");
    this.refresh();
  }

  async open(row?: ListedRun): Promise<void> {
    const run = await this.runOf(row, "Open Run");
    if (run !== undefined) {
      await this.simulations.showAgain(referenceTo(run));
    }
  }

  async rerun(row?: ListedRun): Promise<void> {
    const run = await this.runOf(row, "Run Again");
    if (run !== undefined) {
      await this.simulations.rerun(referenceTo(run));
    }
  }

  async saveAsScenario(row?: ListedRun): Promise<void> {
    const run = await this.runOf(row, "Save Run as Scenario");
    if (run !== undefined) {
      await this.simulations.showAgain(referenceTo(run));
      await this.simulations.save();
    }
  }

  async resume(row?: ListedRun): Promise<void> {
    const run = await this.runOf(row, "Resume Run");
    if (run?.run !== undefined) {
      await this.simulations.resume({ run: run.run, title: run.title });
    }
  }

  /** The run of a row. The editor passes none if the list was read again after it drew the row: then the user chooses. */
  private async runOf(row: ListedRun | undefined, title: string): Promise<ListedRun | undefined> {
    return row ?? this.choose(title, []);
  }

  /** Compares the two selected runs, or a run with one that the user chooses. The earlier run is on the left. */
  async compare(run?: ListedRun, selected?: ListedRun[]): Promise<void> {
    const chosen = selected?.length === 2 ? selected : [run ?? this.view.selection[0] ?? (await this.choose("Compare Runs: First Run", [])), undefined];
    const [one, other = await this.choose("Compare with Run", [one])] = chosen;
    if (one === undefined || other === undefined) {
      return;
    }
    const [first, second] = one.at <= other.at ? [one, other] : [other, one];
    const compared = await this.server.command<Compared>("nodewise.compare", { first: referenceTo(first), second: referenceTo(second) });
    const left = this.texts.put(idOf(first), withDifferences(compared, compared.first));
    const right = this.texts.put(idOf(second), withDifferences(compared, compared.second));
    const title = `${plain(compared.first.title)}: ${when(first.at)} ↔ ${when(second.at)}`;
    await showDifferences(left, right, title);
  }

  private async choose(title: string, without: (ListedRun | undefined)[]): Promise<ListedRun | undefined> {
    const runs = this.listed.length > 0 ? this.listed : await this.getChildren();
    const items = runs.filter((run) => !without.includes(run)).map((run) => {
      const { label, description } = this.getTreeItem(run);
      return { label: String(label), description: String(description), run };
    });
    return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.run;
  }
}

/**
 * Shows two texts side by side. In a narrow column, VS Code shows differences below one another, so they get a column of
 * their own that is maximized. It closes with them.
 */
async function showDifferences(left: vscode.Uri, right: vscode.Uri, title: string): Promise<void> {
  const groups = vscode.window.tabGroups.all;
  const isComparison = ({ input }: vscode.Tab) => input instanceof vscode.TabInputTextDiff && input.modified.scheme === Texts.scheme;
  const shown = groups.find((group) => group.tabs.some(isComparison));
  const isAlone = groups.every((group) => group.tabs.length === 0);
  const viewColumn = shown?.viewColumn ?? (isAlone ? vscode.ViewColumn.Active : groups.length + 1);
  await vscode.commands.executeCommand("vscode.diff", left, right, title, { preview: true, viewColumn });
  if (shown === undefined && !isAlone) {
    await vscode.commands.executeCommand("workbench.action.toggleMaximizeEditorGroup");
  }
}

/** Texts of runs as documents. */
class Texts implements vscode.TextDocumentContentProvider {
  static readonly scheme = "nodewise-run";
  private readonly texts = new Map<string, string>();
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changes.event;

  put(name: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: Texts.scheme, path: `/${name}.txt` });
    this.texts.set(uri.path, text);
    this.changes.fire(uri);
    return uri;
  }

  provideTextDocumentContent(uri: vscode.Uri): string | undefined {
    return this.texts.get(uri.path);
  }
}

/** Adds the list of differences above the text of a run. It is equal on both sides, so the editor does not mark it. */
function withDifferences({ differences }: Compared, { text }: ComparedRun): string {
  const lines = differences.map((difference) => `  ${difference.of}: ${difference.text}`);
  return `Differences\n${lines.length === 0 ? "  none" : lines.join("\n")}\n\n${text}`;
}

function referenceTo({ trace, run }: ListedRun): RunReference {
  return { ...(trace === undefined ? {} : { trace }), ...(run === undefined ? {} : { run }) };
}

function idOf({ trace, run }: ListedRun): string {
  return run ?? `dry-${trace}`;
}

/** The name of a graph, without its kind: most runs are of graphs, and the list has little room. */
function nameOf(title: string): string {
  return /^graph `(.+)`$/.exec(title)?.[1] ?? plain(title);
}

/** The time of a run if it was today, else its date and time. */
function when(at: number): string {
  const moment = new Date(at);
  const isToday = moment.toDateString() === new Date().toDateString();
  return isToday ? moment.toLocaleTimeString() : moment.toLocaleString();
}

function tooltip(run: ListedRun): string {
  const lines = [plain(run.title), `${run.isLive ? `Live run ${run.run}` : "Dry run"}, ${new Date(run.at).toLocaleString()}`, run.summary];
  return [...lines, ...run.waiting.map(({ node }) => `waiting at ${node}`), ...(run.folder === undefined ? [] : [run.folder])].join("\n");
}
