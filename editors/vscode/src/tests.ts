/**
 * Scenario files in the Test Explorer.
 *
 * Input: scenario files and the server's lenses for them. Output: tests, their results, coverage. Invariant: the file
 * and the number of the document identify a test, so it stays the same with a new title.
 */

import * as vscode from "vscode";

import type { Mismatch, PaintedFile, Range, ScenarioResult, Simulated, Tested } from "../shared/protocol.ts";
import { fileName, folderOf } from "../shared/paths.ts";
import { reasonOf } from "../shared/reason.ts";
import { debug } from "./debug.ts";
import { toLocation, toRange } from "./places.ts";
import type { Server } from "./server.ts";

const SCENARIOS = "**/*.scenario.{yaml,yml}";
const FILES_MAX = 2000;
const PAUSE_MS = 300;

interface Lens {
  range: Range;
  command?: { arguments?: [{ scenario?: number | null }] };
}

export class Scenarios implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController("nodewise.scenarios", "nodewise scenarios");
  private readonly covered = new WeakMap<vscode.FileCoverage, PaintedFile>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  /** The files with scenarios, by their URIs. */
  private readonly files = new Map<string, vscode.TestItem>();
  /** Files that the server had not read when it was asked for their lenses. */
  private readonly unread = new Set<string>();
  private readonly subscriptions: vscode.Disposable;
  private readonly server: Server;

  constructor(server: Server) {
    this.server = server;
    const watcher = vscode.workspace.createFileSystemWatcher(SCENARIOS);
    const run = this.controller.createRunProfile("Run", vscode.TestRunProfileKind.Run, (request, token) => this.run(request, token), true);
    const coverage = this.controller.createRunProfile("Coverage", vscode.TestRunProfileKind.Coverage, (request, token) => this.run(request, token), true);
    const debugging = this.controller.createRunProfile("Debug", vscode.TestRunProfileKind.Debug, (request) => this.debug(request), false);
    coverage.loadDetailedCoverage = async (_, file) => details(this.covered.get(file));
    this.controller.refreshHandler = () => this.findAll();
    this.subscriptions = vscode.Disposable.from(
      this.controller,
      run,
      coverage,
      debugging,
      watcher,
      watcher.onDidCreate((uri) => this.soon(uri)),
      watcher.onDidChange((uri) => this.soon(uri)),
      watcher.onDidDelete((uri) => {
        this.unread.delete(uri.toString());
        this.remove(uri);
      }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (isScenario(document.uri)) {
          this.soon(document.uri);
        }
      }),
      server.onDidChangeState((state) => {
        if (state.is === "running") {
          void this.findAll();
        }
      }),
      server.onDidChangeLenses(() => this.unread.forEach((uri) => this.soon(vscode.Uri.parse(uri)))),
    );
  }

  dispose(): void {
    this.timers.forEach((timer) => clearTimeout(timer));
    this.subscriptions.dispose();
  }

  private async findAll(): Promise<void> {
    const files = await vscode.workspace.findFiles(SCENARIOS, "**/node_modules/**", FILES_MAX);
    await Promise.all(files.map((uri) => this.find(uri)));
  }

  private soon(uri: vscode.Uri): void {
    const key = uri.toString();
    clearTimeout(this.timers.get(key));
    this.timers.set(key, setTimeout(() => void this.find(uri), PAUSE_MS));
  }

  /** The scenarios of a file, from the lenses that run them. */
  private async find(uri: vscode.Uri): Promise<void> {
    if (!this.server.isRunning) {
      return;
    }
    const textDocument = { uri: uri.toString() };
    const lenses = await this.server.request<Lens[] | null>("textDocument/codeLens", { textDocument }).catch(() => null);
    this.unread[lenses === null ? "add" : "delete"](textDocument.uri);
    const found = (lenses ?? []).flatMap((lens) => {
      const number = lens.command?.arguments?.[0]?.scenario;
      return number == null ? [] : [{ number, range: lens.range }];
    });
    if (found.length === 0) {
      this.remove(uri);
      return;
    }
    const document = await vscode.workspace.openTextDocument(uri);
    const file = this.files.get(uri.toString()) ?? this.add(uri);
    file.children.replace(
      found.map(({ number, range }) => {
        const title = document.lineAt(Math.min(range.start.line, document.lineCount - 1)).text.replace(/^\s*scenario:\s*/, "");
        const item = this.controller.createTestItem(`${uri.toString()}#${number}`, unquoted(title), uri);
        item.range = toRange(range);
        item.sortText = String(number).padStart(6, "0");
        return item;
      }),
    );
  }

  /** Adds a file below its folders. */
  private add(uri: vscode.Uri): vscode.TestItem {
    const folders = folderOf(vscode.workspace.asRelativePath(uri)).split("/").filter((name) => name !== "." && name !== "");
    let siblings = this.controller.items;
    folders.forEach((name, depth) => {
      const place = vscode.Uri.joinPath(uri, ...Array.from({ length: folders.length - depth }, () => ".."));
      const id = `${place.toString()}/`;
      const folder = siblings.get(id) ?? this.controller.createTestItem(id, name, place);
      // Folders are above files, as in the explorer.
      folder.sortText = `0 ${name}`;
      siblings.add(folder);
      siblings = folder.children;
    });
    const file = this.controller.createTestItem(uri.toString(), fileName(uri.path), uri);
    file.sortText = `1 ${file.label}`;
    siblings.add(file);
    this.files.set(uri.toString(), file);
    return file;
  }

  /** Removes a file, and the folders that it leaves empty. */
  private remove(uri: vscode.Uri): void {
    let item = this.files.get(uri.toString());
    this.files.delete(uri.toString());
    while (item !== undefined) {
      const parent: vscode.TestItem | undefined = item.parent;
      (parent?.children ?? this.controller.items).delete(item.id);
      item = parent?.children.size === 0 ? parent : undefined;
    }
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const run = this.controller.createTestRun(request);
    try {
      const excluded = new Set(request.exclude?.map((item) => item.id));
      const wanted = request.include ?? [...this.controller.items].map(([, item]) => item);
      const scenarios = scenariosIn(wanted, excluded);
      for (const item of scenarios) {
        if (!token.isCancellationRequested) {
          await this.runOne(run, item, token);
        }
      }
      if (request.profile?.kind === vscode.TestRunProfileKind.Coverage) {
        await this.cover(run, scenarios, token);
      }
    } finally {
      run.end();
    }
  }

  /** Debugs the first wanted scenario. */
  private async debug(request: vscode.TestRunRequest): Promise<void> {
    const [wanted] = scenariosIn(request.include ?? [...this.controller.items].map(([, item]) => item), new Set());
    if (wanted !== undefined) {
      const [uri, scenario] = split(wanted.id);
      await debug({ uri, scenario });
    }
  }

  private async runOne(run: vscode.TestRun, item: vscode.TestItem, token: vscode.CancellationToken): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      run.errored(item, new vscode.TestMessage("Trust this workspace to run its scenarios."));
      return;
    }
    const [uri, number] = split(item.id);
    run.started(item);
    const begun = Date.now();
    try {
      const simulated = await this.server.command<Simulated>("nodewise.simulate", { uri, scenario: number }, token);
      run.appendOutput(`${simulated.text.replace(/\r?\n/g, "\r\n")}\r\n`, undefined, item);
      report(run, item, simulated.scenario, Date.now() - begun);
    } catch (error) {
      run.errored(item, new vscode.TestMessage(reasonOf(error)));
    }
  }

  /** The combined coverage of the files of some scenarios. */
  private async cover(run: vscode.TestRun, wanted: vscode.TestItem[], token: vscode.CancellationToken): Promise<void> {
    const files = new Set(wanted.map((item) => split(item.id)[0]));
    for (const uri of files) {
      const tested = await this.server.command<Tested>("nodewise.test", { uri }, token).catch(() => null);
      for (const file of tested?.files ?? []) {
        if (file.lines.length > 0) {
          const coverage = vscode.FileCoverage.fromDetails(vscode.Uri.parse(file.uri), details(file));
          this.covered.set(coverage, file);
          run.addCoverage(coverage);
        }
      }
    }
  }
}

/** The scenarios in some items: folders, files and scenarios. */
function scenariosIn(items: readonly vscode.TestItem[], excluded: Set<string>): vscode.TestItem[] {
  return items
    .filter((item) => !excluded.has(item.id))
    .flatMap((item) => (item.children.size === 0 ? [item] : scenariosIn([...item.children].map(([, child]) => child), excluded)));
}

function details(file: PaintedFile | undefined): vscode.FileCoverageDetail[] {
  const lines = (file?.lines ?? []).map(({ line, hits }) => new vscode.StatementCoverage(hits, new vscode.Position(line, 0)));
  const nodes = (file?.nodes ?? []).map((node) => new vscode.DeclarationCoverage(node.label, node.visits, toRange(node.range)));
  return [...lines, ...nodes];
}

function report(run: vscode.TestRun, item: vscode.TestItem, result: ScenarioResult | null, duration: number): void {
  if (result === null) {
    run.errored(item, new vscode.TestMessage("This document is no longer a scenario."), duration);
  } else if (result.error !== null) {
    run.errored(item, new vscode.TestMessage(result.error), duration);
  } else if (result.passed) {
    run.passed(item, duration);
  } else {
    run.failed(item, result.mismatches.map((mismatch) => message(mismatch, item)), duration);
  }
}

function message(mismatch: Mismatch, item: vscode.TestItem): vscode.TestMessage {
  const text = (value: unknown) => (typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? ""));
  const made =
    mismatch.expected == null || mismatch.found == null
      ? new vscode.TestMessage(mismatch.message)
      : vscode.TestMessage.diff(mismatch.message, text(mismatch.expected), text(mismatch.found));
  if (mismatch.location !== null) {
    made.location = toLocation(mismatch.location);
  } else if (item.uri !== undefined && item.range !== undefined) {
    made.location = new vscode.Location(item.uri, item.range);
  }
  return made;
}

function split(id: string): [string, number] {
  const at = id.lastIndexOf("#");
  return at < 0 ? [id, 0] : [id.slice(0, at), Number(id.slice(at + 1))];
}

function isScenario(uri: vscode.Uri): boolean {
  return /\.scenario\.ya?ml$/.test(uri.path);
}

function unquoted(text: string): string {
  const plain = text.trim();
  const quoted = /^(["'])(.*)\1$/.exec(plain);
  return quoted?.[2] ?? plain;
}
