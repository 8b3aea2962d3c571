/**
 * The debugger: the adapter's process, configurations without a file, lenses and tests that debug, stored runs.
 *
 * Input: a configuration, a lens, a test, a stored run. Output: debug sessions of the adapter `nodewise dap`, and the place of
 * the frame that is shown. Invariant: the adapter is the program that is the language server, and it never runs in a folder
 * that is not trusted.
 */

import * as vscode from "vscode";

import { fileName } from "../shared/paths.ts";
import type { LiveRun, Wanted } from "../shared/protocol.ts";
import { plain } from "./places.ts";
import { LANGUAGES, type Server } from "./server.ts";

const TYPE = "nodewise";

interface Lens {
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
  command?: { command: string; arguments?: [Wanted] };
}

/** What a lens or a test runs, as a debug configuration. */
export function configurationOf(wanted: Wanted): vscode.DebugConfiguration {
  const file = vscode.Uri.parse(wanted.uri).fsPath;
  const configuration: vscode.DebugConfiguration = {
    type: TYPE,
    request: "launch",
    name: `Debug ${fileName(vscode.Uri.parse(wanted.uri).path)}`,
    program: wanted.graph == null ? file : `${file}#${wanted.graph}`,
  };
  if (wanted.scenario != null) {
    configuration.scenario = wanted.scenario;
  }
  if (wanted.node != null) {
    configuration.node = wanted.node;
  }
  if (wanted.only === true) {
    configuration.only = true;
  }
  return configuration;
}

/** Debugs what a lens or a test runs. */
export async function debug(wanted: Wanted): Promise<boolean> {
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(wanted.uri));
  return vscode.debug.startDebugging(folder, configurationOf(wanted));
}

/** Lets the user choose a stored run, and opens it in the debugger. Nothing is called. */
export async function debugStoredRun(server: Server): Promise<void> {
  const runs = await server.command<LiveRun[]>("nodewise.runs", {});
  if (runs.length === 0) {
    void vscode.window.showInformationMessage("There are no stored runs. `Run Live` stores one.");
    return;
  }
  const items = runs.map((run) => ({ label: plain(run.title), description: run.status, detail: `${run.run} · ${run.begun}`, run }));
  const chosen = await vscode.window.showQuickPick(items, { title: "Debug Stored Run", matchOnDetail: true });
  if (chosen !== undefined) {
    const { run, folder } = chosen.run;
    const configuration = { type: TYPE, request: "attach", name: `Run ${run}`, run, ...(folder === undefined ? {} : { folder }) };
    const workspaceFolder = folder === undefined ? undefined : vscode.workspace.getWorkspaceFolder(vscode.Uri.file(folder));
    await vscode.debug.startDebugging(workspaceFolder ?? vscode.workspace.workspaceFolders?.[0], configuration);
  }
}

/** Registers the debugger. While a run is stopped, `follow` gets the places of the shown frame and those around it. */
export function registerDebugger(server: Server, follow: (places: StoppedAt[]) => void): vscode.Disposable {
  const frames = new Frames(follow);
  return vscode.Disposable.from(
    vscode.debug.registerDebugAdapterDescriptorFactory(TYPE, { createDebugAdapterDescriptor: (session) => adapter(server, session) }),
    vscode.debug.registerDebugAdapterTrackerFactory(TYPE, { createDebugAdapterTracker: (session) => frames.track(session) }),
    vscode.debug.onDidChangeActiveStackItem((item) => void frames.show(item)),
    vscode.debug.registerDebugConfigurationProvider(TYPE, { resolveDebugConfiguration: (_, configuration) => resolved(configuration) }),
    ...(server.hasProgram ? [vscode.languages.registerCodeLensProvider(LANGUAGES, new DebugLenses(server))] : []),
    vscode.commands.registerCommand("nodewise.debug", (wanted?: Wanted) => debug(wanted ?? here())),
    vscode.commands.registerCommand("nodewise.stepBackInto", () => say(".back in")),
  );
}

/**
 * The values at the ends of lines while a run is stopped. A key that has no value yet shows nothing: the editor itself would show
 * that it is undefined.
 */
export async function inlineValues(
  document: vscode.TextDocument,
  viewPort: vscode.Range,
  context: vscode.InlineValueContext,
  token: vscode.CancellationToken,
  next: (document: vscode.TextDocument, viewPort: vscode.Range, context: vscode.InlineValueContext, token: vscode.CancellationToken) => vscode.ProviderResult<vscode.InlineValue[]>,
): Promise<vscode.InlineValue[] | null | undefined> {
  const found = await next(document, viewPort, context, token);
  const session = vscode.debug.activeDebugSession;
  if (found == null || session?.type !== TYPE) {
    return found;
  }
  const values = found.map(async (one): Promise<vscode.InlineValue[]> => {
    if (!(one instanceof vscode.InlineValueEvaluatableExpression)) {
      return [one];
    }
    const expression = one.expression ?? document.getText(one.range);
    const evaluated: Evaluated | undefined = await session.customRequest("evaluate", { expression, frameId: context.frameId, context: "watch" }).then((answer) => answer, () => undefined);
    return evaluated === undefined || evaluated.type === "undefined" ? [] : [new vscode.InlineValueText(one.range, `${expression} = ${evaluated.result}`)];
  });
  return (await Promise.all(values)).flat();
}

/** The adapter's answer to `evaluate`. */
interface Evaluated {
  result: string;
  type: string;
}

/** A place where a run is stopped. */
export interface StoppedAt {
  uri: vscode.Uri;
  position: vscode.Position;
}

interface AdapterMessage {
  type?: string;
  event?: string;
}

/** A frame as the adapter describes it. Some have no place. */
interface Described {
  id: number;
  line: number;
  column: number;
  source?: { path?: string };
}

/** Follows the frame that the editor shows. */
class Frames {
  private readonly follow: (places: StoppedAt[]) => void;
  /** The session of the frame that is shown. */
  private session: string | undefined;
  /** The number of requests for a stack. An answer to an older request is ignored. */
  private asked = 0;

  constructor(follow: (places: StoppedAt[]) => void) {
    this.follow = follow;
  }

  track(session: vscode.DebugSession): vscode.DebugAdapterTracker {
    return {
      onDidSendMessage: ({ type, event }: AdapterMessage) => {
        if (type === "event" && (event === "continued" || event === "terminated")) {
          this.forget(session);
        }
      },
      onExit: () => this.forget(session),
      onWillStopSession: () => this.forget(session),
    };
  }

  /**
   * Called when the user, or a stop of the run, selects another frame. It requests the whole stack, because the editor
   * reads only the first frame until the user looks at the others. If the first frame is in a file without a graph, the
   * frames around it are shown in its place.
   */
  async show(item: vscode.DebugThread | vscode.DebugStackFrame | undefined): Promise<void> {
    if (!(item instanceof vscode.DebugStackFrame) || item.session.type !== TYPE) {
      return;
    }
    const { session, threadId, frameId } = item;
    this.session = session.id;
    this.asked += 1;
    const asked = this.asked;
    const stack = await session.customRequest("stackTrace", { threadId }).then(
      (body: { stackFrames?: Described[] }) => body.stackFrames ?? [],
      () => [], // The run continues.
    );
    const index = stack.findIndex(({ id }) => id === frameId);
    const places = index < 0 ? [] : stack.slice(index).flatMap((frame) => placeOf(frame) ?? []);
    // In the meantime, another frame may be shown, or the session may have ended.
    if (asked === this.asked && places.length > 0) {
      this.follow(places);
    }
  }

  private forget(session: vscode.DebugSession): void {
    if (this.session === session.id) {
      this.session = undefined;
      this.asked += 1;
      this.follow([]);
    }
  }
}

function placeOf({ line, column, source }: Described): StoppedAt | undefined {
  const position = new vscode.Position(Math.max(line - 1, 0), Math.max(column - 1, 0));
  return source?.path === undefined || line === 0 ? undefined : { uri: uriOf(source.path), position };
}

/** The adapter sends paths. In a remote window, VS Code hands them to extensions as URIs of the window. */
function uriOf(path: string): vscode.Uri {
  const uri = /^[a-z][\w+.-]+:\/\//i.test(path) ? vscode.Uri.parse(path) : vscode.Uri.file(path);
  return uri.scheme === "vscode-remote" ? vscode.Uri.file(uri.path) : uri;
}

function adapter(server: Server, session: vscode.DebugSession): vscode.DebugAdapterDescriptor {
  if (!vscode.workspace.isTrusted) {
    throw new Error("Trust this workspace to debug its graphs.");
  }
  if (server.state.is !== "running") {
    throw new Error("The nodewise program is not running: see the log of nodewise.");
  }
  const cwd = session.workspaceFolder?.uri.fsPath;
  return new vscode.DebugAdapterExecutable(server.program("The debugger"), ["dap"], cwd === undefined ? {} : { cwd });
}

/** F5 without a configuration debugs the file in the editor. */
function resolved(configuration: vscode.DebugConfiguration): vscode.DebugConfiguration | undefined {
  if (configuration.type) {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    const isWithoutFolder = configuration.request === "attach" && configuration["folder"] === undefined && folder !== undefined;
    return isWithoutFolder ? { ...configuration, folder } : configuration;
  }
  const document = vscode.window.activeTextEditor?.document;
  return document !== undefined && LANGUAGES.includes(document.languageId) ? configurationOf(here()) : undefined;
}

function here(): Wanted {
  return { uri: vscode.window.activeTextEditor?.document.uri.toString() ?? "" };
}

/** Sends a command to the debug console's adapter. */
async function say(expression: string): Promise<void> {
  await vscode.debug.activeDebugSession?.customRequest("evaluate", { expression, context: "repl" });
}

/** A lens that debugs, next to each lens that simulates. */
class DebugLenses implements vscode.CodeLensProvider {
  private readonly server: Server;
  readonly onDidChangeCodeLenses: vscode.Event<void>;

  constructor(server: Server) {
    this.server = server;
    this.onDidChangeCodeLenses = server.onDidChangeLenses;
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    if (!this.server.isRunning) {
      return [];
    }
    const textDocument = { uri: document.uri.toString() };
    const lenses = await this.server.request<Lens[] | null>("textDocument/codeLens", { textDocument }).catch(() => null);
    return (lenses ?? []).flatMap(({ range, command }) => {
      const wanted = command?.command === "nodewise.simulate" ? command.arguments?.[0] : undefined;
      if (wanted === undefined || wanted.only === true) {
        return [];
      }
      const at = new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
      const title = wanted.node == null ? "Debug" : "Debug from here";
      return [new vscode.CodeLens(at, { title, command: "nodewise.debug", arguments: [wanted] })];
    });
  }
}
