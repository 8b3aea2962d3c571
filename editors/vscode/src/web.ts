/**
 * The entry point in VS Code for the Web: the server is a WebAssembly module in a worker, and the files are those of the workspace,
 * wherever they are.
 *
 * Input: the files of the extension and of the workspace, through the editor. Output: a worker, and a client for it. Invariant: the
 * worker gets a file before it hears that the file changed, and nothing else is read or sent.
 */

import * as vscode from "vscode";
import { type BaseLanguageClient, FileChangeType, LanguageClient, type LanguageClientOptions, type Middleware } from "vscode-languageclient/browser";

import { start } from "./extension.ts";
import { type Launcher, quiet } from "./server.ts";

export { deactivate } from "./extension.ts";

export function activate(context: vscode.ExtensionContext): Promise<void> {
  return start(context, new WorkerLauncher(context.extensionUri));
}

/** The files that may contain declarations, or what declarations name. */
const FILES = "**/{nodewise.toml,*.yaml,*.yml,*.json,*.py,*.ts,*.mts,*.cts,*.js,*.mjs,*.cjs}";
const NO_FILES = "**/{node_modules,.git,dist,target,.venv,__pycache__}/**";
/** The maximum number of files that are read in a folder. */
const FILES_MAX = 5000;
/** Larger files are not read, in bytes. */
const SIZE_MAX = 4 * 1024 * 1024;
/** How many files are read at a time. */
const BATCH = 50;

/** A file by its URI, with its text. The text is null if the file was deleted. */
type FileText = [uri: string, text: string | null];

/** The part of the browser's `Worker` that is used here. The types of Node do not have it. */
declare class Worker {
  constructor(address: string);
  postMessage(message: unknown): void;
  terminate(): void;
}

class WorkerLauncher implements Launcher {
  readonly program = undefined;
  readonly hasProgram = false;
  private worker: Worker | undefined;
  private readonly extension: vscode.Uri;

  constructor(extension: vscode.Uri) {
    this.extension = extension;
  }

  readonly middleware: Middleware = {
    workspace: {
      didChangeWatchedFile: async (event, next) => {
        await this.changed(vscode.Uri.parse(event.uri), event.type === FileChangeType.Deleted);
        await next(event);
      },
      didChangeWorkspaceFolders: async (event, next) => {
        await Promise.all(event.added.map(async ({ uri }) => this.hand(await textsBelow(uri))));
        await next(event);
      },
    },
  };

  schemes(): string[] {
    const schemes = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.scheme);
    return [...new Set(["file", "vscode-vfs", "vscode-remote", ...schemes])];
  }

  find(): { detail: string } {
    return { detail: "In this page. Live runs and the debugger need VS Code on your computer." };
  }

  async client(options: LanguageClientOptions): Promise<BaseLanguageClient> {
    this.worker?.terminate();
    const part = (name: string) => vscode.workspace.fs.readFile(vscode.Uri.joinPath(this.extension, "dist", "web", name));
    const [script, module] = await Promise.all([part("worker.js"), part("nodewise.wasm")]);
    // A worker cannot be loaded from every place where an extension can be, but from a blob.
    const address = URL.createObjectURL(new Blob([new Uint8Array(script)], { type: "text/javascript" }));
    const worker = new Worker(address);
    this.worker = worker;
    worker.postMessage({ module });
    for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
      this.hand(await textsBelow(uri));
    }
    const Client = quiet(LanguageClient, this.schemes());
    return new Client("nodewise", "nodewise", worker, options);
  }

  watch(): void {}

  async writeExample(): Promise<void> {}

  /** Hands over files to the server. */
  private hand(files: FileText[]): void {
    this.worker?.postMessage({ jsonrpc: "2.0", method: "nodewise/files", params: { files } });
  }

  private async changed(uri: vscode.Uri, isGone: boolean): Promise<void> {
    if (isGone) {
      this.hand([[uri.toString(), null]]);
      return;
    }
    const found = await vscode.workspace.fs.stat(uri).then(({ type }) => type, () => undefined);
    if (found !== undefined && (found & vscode.FileType.Directory) !== 0) {
      this.hand(await textsBelow(uri));
    } else if (found !== undefined) {
      this.hand(await textsOf([uri]));
    }
  }
}

async function textsBelow(folder: vscode.Uri): Promise<FileText[]> {
  const files = await vscode.workspace.findFiles(new vscode.RelativePattern(folder, FILES), NO_FILES, FILES_MAX);
  return textsOf(files);
}

async function textsOf(files: vscode.Uri[]): Promise<FileText[]> {
  const texts: FileText[] = [];
  for (let from = 0; from < files.length; from += BATCH) {
    const read = await Promise.all(files.slice(from, from + BATCH).map(textOf));
    texts.push(...read.flat());
  }
  return texts;
}

/** The text of a file. Empty if the file is missing, too large or not UTF-8. */
async function textOf(uri: vscode.Uri): Promise<FileText[]> {
  try {
    const bytes = await vscode.workspace.fs.readFile(uri);
    return bytes.byteLength > SIZE_MAX ? [] : [[uri.toString(), new TextDecoder("utf-8", { fatal: true }).decode(bytes)]];
  } catch {
    return [];
  }
}
