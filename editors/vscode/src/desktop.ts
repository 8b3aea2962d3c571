/**
 * The entry point on a computer: the server is the program `nodewise`.
 *
 * Input: settings, the bundled program, the PATH. Output: a process, and a client for it. Invariant: a program that was replaced is
 * started again.
 */

import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as vscode from "vscode";
import { type BaseLanguageClient, LanguageClient, type LanguageClientOptions } from "vscode-languageclient/node";

import { type Binary, findBinary } from "./binary.ts";
import { start } from "./extension.ts";
import { type Launcher, quiet } from "./server.ts";

export { deactivate } from "./extension.ts";

export function activate(context: vscode.ExtensionContext): Promise<void> {
  return start(context, new ProgramLauncher(context.extensionPath));
}

/** The time between two checks whether the program's file was replaced. */
const LOOK_INTERVAL_MS = 2000;

class ProgramLauncher implements Launcher {
  readonly hasProgram = true;
  program: string | undefined;
  private watched: string | undefined;
  private ignored: string | undefined;
  private readonly extensionFolder: string;

  constructor(extensionFolder: string) {
    this.extensionFolder = extensionFolder;
  }

  schemes(): string[] {
    return ["file"];
  }

  find(): { detail: string } | { reason: string } {
    const binary = this.binary(this.setting());
    this.program = binary.file;
    return binary.file === undefined ? { reason: binary.reason } : { detail: `${binary.file} (${binary.origin})` };
  }

  get useBundled(): (() => void) | undefined {
    const setting = this.setting();
    const bundled = this.binary("");
    const isThere = setting !== "" && bundled.file !== undefined && bundled.origin === "bundled";
    return isThere ? () => (this.ignored = setting) : undefined;
  }

  /** The path in the settings; empty if the user chose the bundled server in its place. */
  private setting(): string {
    const setting = vscode.workspace.getConfiguration("nodewise").get("server.path", "").trim();
    return setting === this.ignored ? "" : setting;
  }

  private binary(setting: string): Binary {
    const searchPath = process.env["PATH"] ?? "";
    return findBinary({ setting, extensionFolder: this.extensionFolder, searchPath, home: os.homedir(), platform: process.platform, isExecutable });
  }

  async client(options: LanguageClientOptions): Promise<BaseLanguageClient> {
    const level = vscode.workspace.getConfiguration("nodewise").get("server.log", "off");
    const args = level === "off" ? ["lsp"] : ["lsp", "--log-level", level];
    const Client = quiet(LanguageClient, this.schemes());
    return new Client("nodewise", "nodewise", { command: this.program ?? "", args, options: { cwd: os.homedir() } }, options);
  }

  watch(changed: ((reason: string) => void) | undefined): void {
    if (this.watched !== undefined) {
      fs.unwatchFile(this.watched);
      this.watched = undefined;
    }
    if (changed !== undefined && this.program !== undefined) {
      this.watched = this.program;
      fs.watchFile(this.program, { interval: LOOK_INTERVAL_MS, persistent: false }, (now, before) => {
        const isThere = now.mtimeMs !== 0;
        if (isThere && (now.mtimeMs !== before.mtimeMs || now.ino !== before.ino)) {
          changed("The server executable was replaced; restarting the server");
        }
      });
    }
  }

  writeExample(system: string, folder: vscode.Uri): Promise<void> {
    return new Promise((resolve, reject) => {
      execFile(this.program ?? "", ["init", "--example", system, folder.fsPath], (error, _output, said) => {
        if (error === null) {
          resolve();
        } else {
          reject(new Error(said.trim().replace(/^error: /, "") || error.message));
        }
      });
    });
  }
}

function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
