/**
 * A real VS Code: its server with the packaged extension, and a browser that shows its workbench.
 *
 * Input: the tools, a folder to open, settings. Output: a page. Invariant: no process continues after `stop`, and the
 * settings of the machine have no effect.
 */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { type Browser, chromium, type Page } from "playwright-core";

import { type Tools, tools } from "./tools.ts";

export interface Opened {
  /** The folder of files that is copied and opened. */
  files: string;
  settings?: Record<string, unknown>;
  /** Whether the workbench asks if it should trust the folder, and the folder is not trusted yet. */
  isUntrusted?: boolean;
  /** Additional extensions: folders or packages. */
  extensions?: string[];
  /** Additional variables. The machine's folders of user state and settings are not passed on. */
  environment?: Record<string, string>;
  options?: string[];
}

/** Settings without messages and pages that would disturb the tests. */
const QUIET = {
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.enableExperiments": false,
  "workbench.welcomePage.walkthroughs.openOnInstall": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.reduceMotion": "on",
  "workbench.colorTheme": "Dark Modern",
  "chat.disableAIFeatures": true,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "git.enabled": false,
  "editor.minimap.enabled": false,
  "files.autoSave": "off",
  "editor.hover.delay": 100,
  "editor.quickSuggestions": { other: false, comments: false, strings: false },
  "editor.wordBasedSuggestions": "off",
};

/** In a window with a server's files, settings of the machine scope are read from another file. */
const SCOPES = ["User", "Machine"];

const BROWSER_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
];
const START_TIMEOUT_MS = 60_000;

export class VsCode {
  readonly tools: Tools;
  /** The copy of the files that is open. */
  readonly workspace: string;
  readonly page: Page;
  private readonly folder: string;
  private readonly server: ChildProcess;
  private readonly browser: Browser;
  readonly origin: string;

  private constructor(parts: {
    tools: Tools;
    workspace: string;
    page: Page;
    folder: string;
    server: ChildProcess;
    browser: Browser;
    origin: string;
  }) {
    this.tools = parts.tools;
    this.workspace = parts.workspace;
    this.page = parts.page;
    this.folder = parts.folder;
    this.server = parts.server;
    this.browser = parts.browser;
    this.origin = parts.origin;
  }

  static async open(opened: Opened): Promise<VsCode> {
    const found = tools();
    const folder = mkdtempSync(path.join(tmpdir(), "nodewise-vscode-"));
    const workspace = path.join(folder, "workspace");
    cpSync(opened.files, workspace, { recursive: true });
    const environment = prepare(folder, opened);
    const common = commonArguments(folder);
    for (const extension of [found.vsix, ...(opened.extensions ?? [])]) {
      execFileSync(process.execPath, [found.codeServer, ...common, "--install-extension", extension], {
        env: environment,
        stdio: "pipe",
      });
    }
    const server = spawn(process.execPath, [found.codeServer, ...common, ...serverArguments(opened)], {
      env: environment,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    try {
      const origin = await listening(server);
      const browser = await chromium.launch({ executablePath: found.chromium, headless: true, args: BROWSER_FLAGS });
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1 });
      return new VsCode({ tools: found, workspace, page, folder, server, browser, origin });
    } catch (error) {
      kill(server);
      throw error;
    }
  }

  /** Shows the workbench with a file open. */
  async show(file: string, payload: [string, string][] = []): Promise<void> {
    const host = this.origin.replace("http://", "");
    const open: [string, string][] = [["openFile", `vscode-remote://${host}${path.join(this.workspace, file)}`]];
    const query = new URLSearchParams({ folder: this.workspace, payload: JSON.stringify([...open, ...payload]) });
    await this.page.goto(`${this.origin}/?${query}`);
  }

  /** Shows the workbench without a folder. */
  async showEmpty(): Promise<void> {
    await this.page.goto(`${this.origin}/?ew=true`);
  }

  /** Changes settings while the workbench runs. */
  change(settings: Record<string, unknown>): void {
    for (const scope of SCOPES) {
      const file = path.join(this.folder, "data", scope, "settings.json");
      writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), ...settings }));
    }
  }

  async stop(): Promise<void> {
    await this.browser.close();
    const ended = new Promise((resolve) => this.server.once("exit", resolve));
    kill(this.server);
    await ended;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function commonArguments(folder: string): string[] {
  const place = (name: string) => path.join(folder, name);
  return [
    ...["--config", place("config.yaml"), "--user-data-dir", place("data"), "--extensions-dir", place("extensions")],
  ];
}

function serverArguments(opened: Opened): string[] {
  return [
    ...["--auth", "none", "--bind-addr", "127.0.0.1:0", "--disable-telemetry", "--disable-update-check"],
    ...["--disable-getting-started-override", "--disable-proxy"],
    ...(opened.isUntrusted === true ? [] : ["--disable-workspace-trust"]),
    ...(opened.options ?? []),
  ];
}

function prepare(folder: string, opened: Opened): NodeJS.ProcessEnv {
  const settings = {
    ...QUIET,
    "security.workspace.trust.enabled": opened.isUntrusted === true,
    ...(opened.isUntrusted === true ? { "security.workspace.trust.startupPrompt": "never" } : {}),
    ...opened.settings,
  };
  for (const scope of SCOPES) {
    mkdirSync(path.join(folder, "data", scope), { recursive: true });
    writeFileSync(path.join(folder, "data", scope, "settings.json"), JSON.stringify(settings));
  }
  writeFileSync(path.join(folder, "config.yaml"), "");
  const environment: NodeJS.ProcessEnv = { ...process.env, HOME: folder };
  for (const name of Object.keys(environment)) {
    if (name.startsWith("XDG_") || ["PORT", "PASSWORD", "HASHED_PASSWORD", "VSCODE_IPC_HOOK_CLI"].includes(name)) {
      delete environment[name];
    }
  }
  return { ...environment, ...opened.environment };
}

function listening(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const timer = setTimeout(() => reject(new Error(`VS Code's server does not listen:\n${said}`)), START_TIMEOUT_MS);
    const hear = (data: Buffer) => {
      said += data.toString();
      const found = /HTTP server listening on (http:\/\/[\d.]+:\d+)/.exec(said);
      if (found?.[1] !== undefined) {
        clearTimeout(timer);
        resolve(found[1]);
      }
    };
    server.stdout?.on("data", hear);
    server.stderr?.on("data", hear);
    server.once("exit", (code) => reject(new Error(`VS Code's server ended with ${code}:\n${said}`)));
  });
}

/** Ends the server and everything that it started. */
function kill(server: ChildProcess): void {
  if (server.pid !== undefined) {
    try {
      process.kill(-server.pid, "SIGTERM");
    } catch {
      // It has already ended.
    }
  }
}
