/**
 * The process of the language server, and requests to it.
 *
 * Input: the path of the program, and settings. Output: a running client, its state, answers. Invariant: there is at
 * most one client, and starting, stopping and restarting happen one after another.
 */

import * as fs from "node:fs";
import * as os from "node:os";
import * as vscode from "vscode";
import {
  CloseAction,
  CodeLensRefreshRequest,
  type DynamicFeature,
  ErrorAction,
  type ErrorHandler,
  ExecuteCommandRequest,
  LanguageClient,
  type LanguageClientOptions,
  Message,
  type MessageStrategy,
  type Middleware,
  ShowMessageRequest,
  State,
  type StaticFeature,
  type WorkspaceEdit,
} from "vscode-languageclient/node";

import type { RunProgress, SimulatedNotice, Status } from "../shared/protocol.ts";
import { reasonOf } from "../shared/reason.ts";
import { type Binary, findBinary } from "./binary.ts";
import { ask } from "./questions.ts";

export type ServerState =
  | { is: "starting" | "stopped" }
  | { is: "running"; file: string; version: string }
  | { is: "failed"; reason: string };

/** Languages of documents that may contain declarations. The server ignores other documents. */
export const DOCUMENT_LANGUAGES = ["yaml", "json", "jsonc"];
/** Languages of modules that may build graphs. */
export const MODULE_LANGUAGES = ["typescript", "typescriptreact", "javascript", "javascriptreact"];
/** Languages of everything that may contain graphs. */
export const LANGUAGES = [...DOCUMENT_LANGUAGES, ...MODULE_LANGUAGES];

const DOCUMENTS = DOCUMENT_LANGUAGES.flatMap((language) => [
  { scheme: "file", language },
  { scheme: "untitled", language },
]);
/** What the server never answers for modules. VS Code would let the user choose between two formatters of TypeScript. */
const OF_DOCUMENTS = new Set([
  "textDocument/codeAction",
  "textDocument/documentLink",
  "textDocument/documentSymbol",
  "textDocument/foldingRange",
  "textDocument/formatting",
  "textDocument/inlayHint",
  "textDocument/inlineValue",
  "textDocument/linkedEditingRange",
  "textDocument/onTypeFormatting",
  "textDocument/rangeFormatting",
  "textDocument/selectionRange",
  "textDocument/semanticTokens",
  "textDocument/signatureHelp",
]);

/** The server is not restarted if it ends more often than this within the given time. */
const ENDS_MAX = 4;
const ENDS_WITHIN_MS = 3 * 60 * 1000;
/** The time between two checks whether the program's file was replaced. */
const LOOK_INTERVAL_MS = 2000;
const STOP_TIMEOUT_MS = 4000;

export class Server implements vscode.Disposable {
  readonly log = vscode.window.createOutputChannel("nodewise", { log: true });
  private readonly stateChanged = new vscode.EventEmitter<ServerState>();
  private readonly simulated = new vscode.EventEmitter<SimulatedNotice>();
  private readonly progressed = new vscode.EventEmitter<RunProgress>();
  private readonly lensesChanged = new vscode.EventEmitter<void>();
  private client: LanguageClient | undefined;
  private watched: string | undefined;
  private current: ServerState = { is: "stopped" };
  private work: Promise<void> = Promise.resolve();

  readonly onDidChangeState = this.stateChanged.event;
  /** The decorations of a dry run. */
  readonly onDidSimulate = this.simulated.event;
  /** What happens in a live run that is followed. */
  readonly onDidProgress = this.progressed.event;
  /** Lenses may have changed since the last answers. */
  readonly onDidChangeLenses = this.lensesChanged.event;

  private readonly extensionFolder: string;
  private readonly middleware: Middleware;

  constructor(extensionFolder: string, middleware: Middleware) {
    this.extensionFolder = extensionFolder;
    this.middleware = middleware;
  }

  get state(): ServerState {
    return this.current;
  }

  get isRunning(): boolean {
    return this.current.is === "running";
  }

  start(): Promise<void> {
    return this.inTurn(() => this.startNow());
  }

  restart(): Promise<void> {
    return this.inTurn(async () => {
      await this.stopNow();
      await this.startNow();
    });
  }

  stop(): Promise<void> {
    return this.inTurn(() => this.stopNow());
  }

  /** Asks the server to execute one of its commands. */
  async command<T>(command: string, argument: unknown, token?: vscode.CancellationToken): Promise<T> {
    const parameters = { command, arguments: [argument] };
    return (await this.running().sendRequest(ExecuteCommandRequest.type, parameters, token)) as T;
  }

  /** An edit of the server in the types of the editor. */
  async workspaceEdit(edit: unknown): Promise<vscode.WorkspaceEdit | undefined> {
    return this.running().protocol2CodeConverter.asWorkspaceEdit(edit as WorkspaceEdit);
  }

  /** Sends a request of the protocol. */
  request<T>(method: string, parameters: unknown): Promise<T> {
    return this.running().sendRequest<T>(method, parameters);
  }

  dispose(): void {
    this.unwatch();
    void this.stop().finally(() => this.log.dispose());
    this.stateChanged.dispose();
    this.simulated.dispose();
    this.progressed.dispose();
    this.lensesChanged.dispose();
  }

  private running(): LanguageClient {
    if (this.client === undefined || this.current.is !== "running") {
      throw new Error("The nodewise server is not running.");
    }
    return this.client;
  }

  private inTurn(task: () => Promise<void>): Promise<void> {
    const next = this.work.then(task);
    this.work = next.catch((error: unknown) => this.log.error(String(error)));
    return this.work;
  }

  private become(state: ServerState): void {
    this.current = state;
    this.stateChanged.fire(state);
  }

  private async startNow(): Promise<void> {
    const binary = this.find();
    if (binary.file === undefined) {
      this.fail(binary.reason);
      return;
    }
    this.log.info(`Starting server: ${binary.file} (${binary.origin})`);
    this.watch(binary.file);
    this.become({ is: "starting" });
    const client = new QuietClient("nodewise", "nodewise", this.serverOptions(binary.file), this.clientOptions());
    client.registerFeature(new Extras());
    client.onRequest(ShowMessageRequest.type, ask);
    client.onNotification("nodewise/runProgress", (progress: RunProgress) => this.progressed.fire(progress));
    client.onNotification("nodewise/simulated", (notice: SimulatedNotice) => this.simulated.fire(notice));
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      this.fail(`Cannot start the nodewise server: ${reasonOf(error)}`);
      return;
    }
    client.onDidChangeState(({ newState }) => this.follow(client, binary.file, newState));
    await this.announce(client, binary.file);
  }

  /** The client restarts the server if it crashed. */
  private follow(client: LanguageClient, file: string, state: State): void {
    if (client !== this.client) {
      return;
    }
    if (state === State.Starting) {
      this.become({ is: "starting" });
    } else if (state === State.Running) {
      void this.announce(client, file);
    }
  }

  private async announce(client: LanguageClient, file: string): Promise<void> {
    const parameters = { command: "nodewise.status", arguments: [] };
    const status = (await client.sendRequest(ExecuteCommandRequest.type, parameters)) as Status;
    if (client === this.client) {
      this.become({ is: "running", file, version: status.version });
    }
  }

  private async stopNow(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.unwatch();
    if (client !== undefined) {
      // A client whose start failed has nothing to stop, and its promise is rejected.
      await client.dispose(STOP_TIMEOUT_MS).catch((error: unknown) => this.log.debug(String(error)));
    }
    this.become({ is: "stopped" });
  }

  private find(): Binary {
    return findBinary({
      setting: vscode.workspace.getConfiguration("nodewise").get("server.path", "").trim(),
      extensionFolder: this.extensionFolder,
      searchPath: process.env["PATH"] ?? "",
      home: os.homedir(),
      platform: process.platform,
      isExecutable,
    });
  }

  private serverOptions(command: string) {
    const level = vscode.workspace.getConfiguration("nodewise").get("server.log", "off");
    const args = level === "off" ? ["lsp"] : ["lsp", "--log-level", level];
    return { command, args, options: { cwd: os.homedir() } };
  }

  private clientOptions(): LanguageClientOptions {
    const modules = MODULE_LANGUAGES.map((language) => ({ scheme: "file", language }));
    const documentSelector = [...DOCUMENTS, ...modules, { scheme: "file", pattern: "**/nodewise.toml" }];
    return {
      documentSelector,
      outputChannel: this.log,
      synchronize: { configurationSection: "nodewise" },
      initializationFailedHandler: () => false,
      errorHandler: this.errorHandler(),
      middleware: this.middleware,
      markdown: { isTrusted: false, supportHtml: false },
      connectionOptions: { messageStrategy: this.messageStrategy() },
    };
  }

  /** Intercepts requests that the client answers without an event. */
  private messageStrategy(): MessageStrategy {
    return {
      handleMessage: (message, next) => {
        if (Message.isRequest(message) && message.method === CodeLensRefreshRequest.method) {
          this.lensesChanged.fire();
        }
        return next(message);
      },
    };
  }

  private errorHandler(): ErrorHandler {
    const ends: number[] = [];
    return {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => {
        const now = Date.now();
        ends.push(now);
        const recent = ends.filter((end) => now - end < ENDS_WITHIN_MS).length;
        // A server that ended before it was ready would probably end again.
        if (this.current.is === "running" && recent <= ENDS_MAX) {
          this.log.warn("The server exited unexpectedly; restarting it");
          return { action: CloseAction.Restart, handled: true };
        }
        if (this.current.is !== "failed" && this.client !== undefined) {
          this.fail(recent > ENDS_MAX ? `The nodewise server crashed ${recent} times in the last 3 minutes. It will not be restarted.` : "The nodewise server exited before it was ready.");
        }
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    };
  }

  /** Reports an error once, with what to do. */
  private fail(reason: string): void {
    if (this.current.is === "failed") {
      return;
    }
    this.log.error(reason);
    this.become({ is: "failed", reason });
    const [restart, settings, log] = ["Restart", "Open Settings", "Show Log"] as const;
    void vscode.window.showErrorMessage(reason, restart, settings, log).then((choice) => {
      if (choice === restart) {
        void this.restart();
      } else if (choice === settings) {
        void vscode.commands.executeCommand("workbench.action.openSettings", "nodewise.server.path");
      } else if (choice === log) {
        this.log.show();
      }
    });
  }

  private watch(file: string): void {
    this.unwatch();
    this.watched = file;
    fs.watchFile(file, { interval: LOOK_INTERVAL_MS, persistent: false }, (now, before) => {
      const isThere = now.mtimeMs !== 0;
      if (isThere && (now.mtimeMs !== before.mtimeMs || now.ino !== before.ino)) {
        this.log.info("The server executable was replaced; restarting the server");
        void this.restart();
      }
    });
  }

  private unwatch(): void {
    if (this.watched !== undefined) {
      fs.unwatchFile(this.watched);
      this.watched = undefined;
    }
  }
}

/** Errors are reported once, with what to do. The client's own messages go to the log. */
class QuietClient extends LanguageClient {
  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    if ("registrationType" in feature && OF_DOCUMENTS.has(feature.registrationType.method)) {
      const initialize = feature.initialize.bind(feature);
      feature.initialize = (capabilities) => initialize(capabilities, DOCUMENTS);
    }
    super.registerFeature(feature);
  }

  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

/** Capabilities beyond the protocol: decorations of runs, and showing references from lenses. */
class Extras implements StaticFeature {
  fillClientCapabilities(capabilities: { experimental?: unknown }): void {
    capabilities.experimental = {
      ...(capabilities.experimental as object | undefined),
      nodewiseSimulated: true,
      commands: { commands: ["nodewise.showReferences"] },
    };
  }

  initialize(): void {}

  getState() {
    return { kind: "static" as const };
  }

  clear(): void {}
}

function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
