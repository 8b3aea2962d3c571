/**
 * The language server, and requests to it.
 *
 * Input: what starts it, and settings. Output: a running client, its state, answers. Invariant: there is at most one client, and
 * starting, stopping and restarting happen one after another. What differs between a computer and a web page is in the `Launcher`.
 */

import * as vscode from "vscode";
import {
  type BaseLanguageClient,
  CloseAction,
  CodeLensRefreshRequest,
  ConnectionErrors,
  type DynamicFeature,
  ErrorAction,
  ErrorCodes,
  type ErrorHandler,
  ExecuteCommandRequest,
  type LanguageClientOptions,
  Message,
  type MessageStrategy,
  type Middleware,
  ShowMessageRequest,
  State,
  type StaticFeature,
  type WorkspaceEdit,
} from "vscode-languageclient";

import type { RunProgress, SimulatedNotice, Status } from "../shared/protocol.ts";
import { reasonOf } from "../shared/reason.ts";
import { ask } from "./questions.ts";

export type ServerState =
  | { is: "starting" | "stopped" }
  | { is: "running"; detail: string; version: string }
  | { is: "failed"; reason: string };

/** Languages of documents that may contain declarations. The server ignores other documents. */
export const DOCUMENT_LANGUAGES = ["yaml", "json", "jsonc"];
/** Languages of modules that may build graphs. */
export const MODULE_LANGUAGES = ["typescript", "typescriptreact", "javascript", "javascriptreact"];
/** Languages of everything that may contain graphs. */
export const LANGUAGES = [...DOCUMENT_LANGUAGES, ...MODULE_LANGUAGES];

/** Finds and starts the server. There is one implementation for a computer and one for the web. */
export interface Launcher {
  /** The path of the server's program. Undefined if none was found, or if the server is not a program. */
  readonly program: string | undefined;
  /** Whether the server is a program. In the web, it is a WebAssembly module. */
  readonly hasProgram: boolean;
  /** The schemes of the URIs of files that the server can read. */
  schemes(): string[];
  /** Looks for the server. Returns what it found, in words, or why there is none. */
  find(): { detail: string } | { reason: string };
  /** A client for the server that was found, which is not started. */
  client(options: LanguageClientOptions): Promise<BaseLanguageClient>;
  /** Calls `changed` with the reason when the server should restart. `undefined` stops watching. */
  watch(changed: ((reason: string) => void) | undefined): void;
  /** Sends changed files to a server that cannot read them, before it is notified of the change. */
  readonly middleware?: Middleware;
  /** Ignores the server in the settings from now on. Undefined if there is none, or no bundled one. */
  readonly useBundled?: (() => void) | undefined;
  /** Writes an example as `nodewise init --example` does. */
  writeExample(system: string, folder: vscode.Uri): Promise<void>;
}

/** The documents of some schemes that may contain declarations. */
function documentsOf(schemes: string[]) {
  return [...schemes, "untitled"].flatMap((scheme) => DOCUMENT_LANGUAGES.map((language) => ({ scheme, language })));
}

/**
 * The requests that the server never answers for modules. If it did, VS Code would, for example, let the user choose
 * between two formatters of TypeScript.
 */
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
const STOP_TIMEOUT_MS = 4000;

export class Server implements vscode.Disposable {
  readonly log = vscode.window.createOutputChannel("nodewise", { log: true });
  private readonly stateChanged = new vscode.EventEmitter<ServerState>();
  private readonly simulated = new vscode.EventEmitter<SimulatedNotice>();
  private readonly progressed = new vscode.EventEmitter<RunProgress>();
  private readonly lensesChanged = new vscode.EventEmitter<void>();
  private client: BaseLanguageClient | undefined;
  private current: ServerState = { is: "stopped" };
  private work: Promise<void> = Promise.resolve();

  readonly onDidChangeState = this.stateChanged.event;
  /** The decorations of a dry run. */
  readonly onDidSimulate = this.simulated.event;
  /** What happens in a live run that is followed. */
  readonly onDidProgress = this.progressed.event;
  /** Lenses may have changed since the last answers. */
  readonly onDidChangeLenses = this.lensesChanged.event;

  private readonly launcher: Launcher;
  private readonly middleware: Middleware;

  constructor(launcher: Launcher, middleware: Middleware) {
    this.launcher = launcher;
    this.middleware = { ...launcher.middleware, ...middleware };
  }

  /** Whether the server is a program, which can also debug and run graphs live. */
  get hasProgram(): boolean {
    return this.launcher.hasProgram;
  }

  /** The program that runs. Throws if what the user wants needs it, and there is none. */
  program(what: string): string {
    const { program, hasProgram } = this.launcher;
    if (program === undefined) {
      throw new Error(hasProgram ? "The nodewise program is not running: see the log of nodewise." : `${what} needs the nodewise program, which VS Code for the Web cannot start; use VS Code on your computer.`);
    }
    return program;
  }

  writeExample(system: string, folder: vscode.Uri): Promise<void> {
    return this.launcher.writeExample(system, folder);
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
    this.launcher.watch(undefined);
    void this.stop().finally(() => this.log.dispose());
    this.stateChanged.dispose();
    this.simulated.dispose();
    this.progressed.dispose();
    this.lensesChanged.dispose();
  }

  private running(): BaseLanguageClient {
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
    if (state.is === "running") {
      // Until now, some providers returned no lenses, because the server did not run.
      this.lensesChanged.fire();
    }
  }

  private async startNow(): Promise<void> {
    const found = this.launcher.find();
    if ("reason" in found) {
      this.fail(found.reason);
      return;
    }
    this.log.info(`Starting server: ${found.detail}`);
    this.launcher.watch((reason) => {
      this.log.info(reason);
      void this.restart();
    });
    this.become({ is: "starting" });
    const client = await this.launcher.client(this.clientOptions()).catch(reasonOf);
    if (typeof client === "string") {
      this.fail(`Cannot start the nodewise server: ${client}`);
      return;
    }
    client.registerFeature(new Extras());
    client.onRequest(ShowMessageRequest.type, ask);
    client.onNotification("nodewise/runProgress", (progress: RunProgress) => this.progressed.fire(progress));
    client.onNotification("nodewise/failed", ({ reason }: { reason: string }) => this.fail(reason));
    client.onNotification("nodewise/simulated", (notice: SimulatedNotice) => this.simulated.fire(notice));
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      this.fail(`Cannot start the nodewise server: ${isLostConnection(error) ? "the program ended at once" : reasonOf(error)}`);
      return;
    }
    client.onDidChangeState(({ newState }) => this.follow(client, found.detail, newState));
    await this.announce(client, found.detail);
  }

  /** Shows the state of the client, which restarts the server by itself after a crash. */
  private follow(client: BaseLanguageClient, detail: string, state: State): void {
    if (client !== this.client) {
      return;
    }
    if (state === State.Starting) {
      this.become({ is: "starting" });
    } else if (state === State.Running) {
      void this.announce(client, detail);
    }
  }

  private async announce(client: BaseLanguageClient, detail: string): Promise<void> {
    const parameters = { command: "nodewise.status", arguments: [] };
    const status = (await client.sendRequest(ExecuteCommandRequest.type, parameters)) as Status;
    if (client === this.client) {
      this.become({ is: "running", detail, version: status.version });
    }
  }

  private async stopNow(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.launcher.watch(undefined);
    if (client !== undefined) {
      // A client whose start failed has nothing to stop, and its promise is rejected.
      await client.dispose(STOP_TIMEOUT_MS).catch((error: unknown) => this.log.debug(String(error)));
    }
    this.become({ is: "stopped" });
  }

  private clientOptions(): LanguageClientOptions {
    const schemes = this.launcher.schemes();
    const ofFiles = schemes.flatMap((scheme) => [...MODULE_LANGUAGES.map((language) => ({ scheme, language })), { scheme, pattern: "**/nodewise.toml" }]);
    const documentSelector = [...documentsOf(schemes), ...ofFiles];
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
    const [restart, bundled, settings, log] = ["Restart", "Use Bundled Server", "Open Settings", "Show Log"] as const;
    const { useBundled } = this.launcher;
    void vscode.window.showErrorMessage(reason, restart, ...(useBundled === undefined ? [] : [bundled]), settings, log).then((choice) => {
      if (choice === restart) {
        void this.restart();
      } else if (choice === bundled) {
        useBundled?.();
        void this.restart();
      } else if (choice === settings) {
        void vscode.commands.executeCommand("workbench.action.openSettings", "nodewise.server.path");
      } else if (choice === log) {
        this.log.show();
      }
    });
  }
}

type ClientClass = abstract new (...args: any[]) => BaseLanguageClient;

/** A client that reports errors once, with what to do. The client's own messages go to the log. */
export function quiet<C extends ClientClass>(client: C, schemes: string[]): C {
  abstract class Quiet extends client {
    override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
      if ("registrationType" in feature && OF_DOCUMENTS.has(feature.registrationType.method)) {
        const initialize = feature.initialize.bind(feature);
        feature.initialize = (capabilities) => initialize(capabilities, documentsOf(schemes));
      }
      super.registerFeature(feature);
    }

    override error(message: string, data?: unknown): void {
      super.error(message, data, false);
    }
  }
  return Quiet as C;
}

/** Capabilities beyond the protocol: decorations of runs, and showing references from lenses. */
class Extras implements StaticFeature {
  fillClientCapabilities(capabilities: { experimental?: unknown }): void {
    capabilities.experimental = {
      ...(capabilities.experimental as object | undefined),
      nodewiseSimulated: true,
      nodewiseMarks: true,
      commands: { commands: ["nodewise.showReferences"] },
    };
  }

  initialize(): void {}

  getState() {
    return { kind: "static" as const };
  }

  clear(): void {}
}

/** Whether a program ended before it answered. The text of such an error is for programmers. */
function isLostConnection(error: unknown): boolean {
  // The client passes on errors of streams with their text alone.
  const texts = /EPIPE|ECONNRESET|ERR_STREAM|stream was destroyed|write after end|ended by the other party/;
  const words = ["EPIPE", "ECONNRESET", "ERR_STREAM_DESTROYED", "ERR_STREAM_WRITE_AFTER_END"];
  const numbers: unknown[] = [ErrorCodes.PendingResponseRejected, ErrorCodes.ConnectionInactive, ConnectionErrors.Closed, ConnectionErrors.Disposed];
  return error instanceof Error && (texts.test(error.message) || ("code" in error && [...words, ...numbers].includes(error.code)));
}
