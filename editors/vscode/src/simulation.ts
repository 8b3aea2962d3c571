/**
 * Runs: what to run, the panel that shows a run, and saving it.
 *
 * Input: lenses, commands and the panel's messages. Output: requests to the server, scenario files. Invariant: nothing
 * runs in an untrusted workspace, and one run at a time is shown.
 */

import * as vscode from "vscode";

import type { Declared, FromSimulation, Given, Subject, ToSimulation } from "../shared/messages.ts";
import { fileName, folderOf, relativePath } from "../shared/paths.ts";
import type { Graph, LiveRun, MatchingScript, Position, Simulated, Standing, Trace, Wanted } from "../shared/protocol.ts";
import { reasonOf } from "../shared/reason.ts";
import { bytesOf } from "../shared/text.ts";
import { layoutFor } from "./layout.ts";
import { plain, reveal } from "./places.ts";
import type { Server } from "./server.ts";
import { StepMarker } from "./stepmarker.ts";
import { isTrustedTo } from "./trust.ts";
import { page, viewOptions } from "./webview.ts";

/** The command for runs with only scripted answers. */
const DRY = "nodewise.simulate";
/** The command for runs with real models, tools and functions. */
const LIVE = "nodewise.run";

/** Where the last inputs are kept, and the maximum number of them. */
const INPUTS = "nodewise.inputs";
const INPUTS_MAX = 50;

/** A run of the history: the id of a kept trace, or of a live run. */
export interface RunReference {
  trace?: string;
  run?: string;
}

export class Simulations implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private isReady = false;
  private wanted: Wanted | undefined;
  private shown: Simulated | undefined;
  private stopping: vscode.CancellationTokenSource | undefined;
  /** Messages for the panel until it is ready. */
  private pending: ToSimulation[] = [];
  /** The number of live runs followed so far. It makes their names unique. */
  private followed = 0;
  /** The name of the followed live run. Undefined after it has ended. */
  private following: string | undefined;
  /** The event of the followed run whose state the panel wants. Undefined if no request is open. */
  private liveEvent: number | undefined;
  private readonly marker = new StepMarker();
  private readonly ended = new vscode.EventEmitter<void>();
  /** A run has ended, or cannot begin. */
  readonly onDidEndRun = this.ended.event;
  private readonly extension: vscode.Uri;
  private readonly server: Server;
  /** The storage for the last inputs in this workspace. */
  private readonly memory: vscode.Memento;

  constructor(extension: vscode.Uri, server: Server, memory: vscode.Memento) {
    this.extension = extension;
    this.server = server;
    this.memory = memory;
  }

  /** Shows the panel for the graph at the cursor, without running it. */
  async openHere(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined || !mayRun()) {
      return;
    }
    const uri = editor.document.uri.toString();
    const { line, character } = editor.selection.active;
    const [name, id] = (await this.graph(uri, { position: { line, character } }))?.names ?? [];
    // In Liman, a graph is everything that is reachable from a node. The node is identified by kind and name.
    const isNode = id?.endsWith(`/${name}`) === true;
    await this.prepare({ uri, graph: isNode ? null : (id ?? null), node: isNode ? id : null });
  }

  /** Runs what a lens offers, with the command for dry or live runs, and shows it. */
  async run(wanted: Wanted, command = DRY): Promise<Simulated | undefined> {
    if (!mayRun()) {
      return undefined;
    }
    if (!(await this.prepare(wanted))) {
      return undefined;
    }
    // The panel shows the content of the message.
    return this.simulate({ ...wanted, announce: false }, command);
  }

  /** Resumes a live run and shows it. */
  async resume({ run, title, on }: Pick<LiveRun, "run" | "title" | "on">): Promise<Simulated | undefined> {
    if (!mayRun()) {
      return undefined;
    }
    // The panel may show another graph.
    this.wanted = undefined;
    this.open();
    this.post({ type: "subject", subject: { key: run, title: plain(title), isScenario: true, scripts: [], nodes: [], inputSchema: null } });
    const simulated = await this.simulate(on === undefined ? { run } : { run, on }, "nodewise.resume");
    const wanted = simulated === undefined ? undefined : wantedOf(simulated);
    if (wanted !== undefined && this.shown === simulated) {
      this.wanted = wanted;
      this.post({ type: "subject", subject: await this.subject(wanted) });
    }
    return simulated;
  }

  /** Shows a run of the history. */
  async showAgain(reference: RunReference): Promise<Simulated> {
    const { stopping } = this;
    stopping?.cancel();
    const simulated = await this.server.command<Simulated>("nodewise.showRun", reference);
    if (this.stopping === stopping) {
      // Ignore what the stopped run still reports, because another run is shown.
      this.stopping = undefined;
    } else if (this.stopping !== undefined) {
      return simulated;
    }
    this.following = undefined;
    this.open();
    void this.marker.show(null);
    const wanted = wantedOf(simulated);
    this.wanted = wanted;
    this.shown = simulated;
    if (wanted !== undefined) {
      this.post({ type: "subject", subject: await this.subject(wanted) });
    }
    this.post({ type: "simulated", simulated, declared: await this.declared(simulated) });
    return simulated;
  }

  /** Repeats a run of the history with the same input and the files as they are now, and shows the new run. */
  async rerun({ trace, run }: RunReference): Promise<Simulated | undefined> {
    if (!mayRun()) {
      return undefined;
    }
    this.open();
    return run === undefined ? this.simulate({ fork: { trace, event: 0 } }) : this.simulate({ from: { run, step: 1 }, announce: false }, LIVE);
  }

  dispose(): void {
    this.stopping?.cancel();
    this.panel?.dispose();
    this.marker.dispose();
    this.ended.dispose();
  }

  /** Shows the panel for what will run. Returns `false` if something else was wanted in the meantime. */
  private async prepare(wanted: Wanted): Promise<boolean> {
    this.wanted = wanted;
    this.open();
    const subject = await this.subject(wanted);
    if (this.wanted === wanted) {
      this.post({ type: "subject", subject });
    }
    return this.wanted === wanted;
  }

  private async simulate(argument: unknown, command = DRY): Promise<Simulated | undefined> {
    this.stopping?.cancel();
    const stopping = new vscode.CancellationTokenSource();
    this.stopping = stopping;
    void this.marker.show(null);
    this.post({ type: "running" });
    const following = command === DRY ? undefined : this.follow();
    try {
      const simulated = await this.server.command<Simulated>(command, { ...(argument as object), ...(following === undefined ? {} : { follow: following.name }) }, stopping.token);
      await following?.posted();
      this.unfollow(following?.name);
      // The panel may show another run by now.
      if (this.stopping === stopping) {
        // From here on, the panel asks this run for the states of its events.
        this.shown = simulated;
        const declared = await this.declared(simulated);
        if (this.stopping === stopping) {
          this.post({ type: "simulated", simulated, declared });
        }
      }
      return simulated;
    } catch (error) {
      this.unfollow(following?.name);
      if (this.stopping === stopping) {
        this.post({ type: "refused", reason: stopping.token.isCancellationRequested ? "Stopped." : reasonOf(error) });
      }
      return undefined;
    } finally {
      following?.subscription.dispose();
      stopping.dispose();
      if (this.stopping === stopping) {
        this.stopping = undefined;
      }
      this.ended.fire();
    }
  }

  private unfollow(name: string | undefined): void {
    this.following = this.following === name ? undefined : this.following;
  }

  /** Shows what happens in the next live run, as it happens. */
  private follow(): { name: string; subscription: vscode.Disposable; posted: () => Promise<void> } {
    this.followed += 1;
    const name = `panel-${this.followed}`;
    this.following = name;
    // The graphs are requested before the first part is shown, and later parts wait for it.
    let posted = Promise.resolve();
    const subscription = this.server.onDidProgress((progress) => {
      if (progress.follow !== name) {
        return;
      }
      posted = posted.then(async () => {
        const { beginning, locations } = progress;
        const declared = beginning === undefined ? [] : await this.declared({ trace: { graphs: beginning.graphs, locations } });
        if (name === `panel-${this.followed}`) {
          this.post({ type: "progress", progress, declared });
        }
      });
    });
    return { name, subscription, posted: () => posted };
  }

  private async hear(message: FromSimulation): Promise<void> {
    switch (message.type) {
      case "ready":
        this.isReady = true;
        this.pending.splice(0).forEach((one) => this.post(one));
        break;
      case "run":
        if (this.wanted !== undefined && mayRun()) {
          this.wanted = this.given(this.wanted, message.given);
          await this.simulate(this.wanted);
        }
        break;
      case "remember":
        await this.remember(message.key, message.input);
        break;
      case "runLive":
        if (this.wanted !== undefined && mayRun()) {
          const { uri, graph, node, only } = this.wanted;
          const { script, input } = message.given;
          const wanted: Wanted = { uri, graph: graph ?? null, node: node ?? null, only: only ?? false, ...(script === null ? {} : { script }), ...(input === undefined ? {} : { input }) };
          await this.simulate({ ...wanted, announce: false }, LIVE);
        }
        break;
      case "follow":
        await this.marker.show(message.location);
        break;
      case "stop":
        this.stopping?.cancel();
        break;
      case "stateAt":
        await this.sendState(message.event);
        break;
      case "fork":
        if (this.shown?.id != null) {
          await this.simulate({ fork: { trace: this.shown.id, event: message.event, answer: message.answer } });
        }
        break;
      case "again":
        if (this.shown?.on !== undefined) {
          void vscode.window.showInformationMessage("A run on an engine cannot begin again from a step.");
        } else if (this.shown?.run !== undefined && mayRun()) {
          await this.simulate({ from: { run: this.shown.run, event: message.event }, announce: false }, LIVE);
        }
        break;
      case "save":
        await this.save();
        break;
      case "reveal":
        await reveal(message.location);
        break;
      case "layout":
        this.post(await layoutFor(this.server, message));
        break;
    }
  }

  /** Sends the state of a live run that continues. Only the last of the events that were asked for meanwhile is answered. */
  private async sendLiveState(follow: string, event: number): Promise<void> {
    const isAsking = this.liveEvent !== undefined;
    this.liveEvent = event;
    if (isAsking) {
      return;
    }
    while (this.liveEvent !== undefined) {
      const asked: number = this.liveEvent;
      // The run may end meanwhile. Its trace then has the state.
      const standing = await this.server.command<Standing>("nodewise.stateAt", { follow, event: asked }).catch(() => undefined);
      if (standing !== undefined && this.following === follow) {
        this.post({ type: "standing", standing });
      }
      this.liveEvent = this.liveEvent === asked ? undefined : this.liveEvent;
    }
  }

  private async sendState(event: number): Promise<void> {
    if (this.following !== undefined) {
      return this.sendLiveState(this.following, event);
    }
    const trace = this.shown?.id;
    if (trace == null) {
      return;
    }
    const standing = await this.server.command<Standing>("nodewise.stateAt", { trace, event });
    if (this.shown?.id === trace) {
      this.post({ type: "standing", standing });
      this.marker.showValues(standing.values ?? []);
    }
  }

  /** Values in the form override the chosen script. */
  private given(wanted: Wanted, given: Given): Wanted {
    const { uri, graph, node, only, scenario } = wanted;
    const again: Wanted = { uri, graph: graph ?? null, node: node ?? null, only: only ?? false, scenario: scenario ?? null };
    if (Object.keys(given.answers).length > 0) {
      const uses = given.script === null ? {} : { uses: relative(folderOf(uri), given.script) };
      again.script = { text: JSON.stringify({ script: "Answers from the simulation panel.", ...uses, nodes: given.answers }) };
    } else if (given.script !== null) {
      again.script = given.script;
    } else {
      again.withoutScript = true;
    }
    if (given.input !== undefined) {
      again.input = given.input;
    }
    return again;
  }

  private async subject(wanted: Wanted): Promise<Subject> {
    const isScenario = wanted.scenario != null;
    const found = await this.server.command<MatchingScript[]>("nodewise.scripts", { uri: wanted.uri, graph: wanted.graph ?? null }).catch(() => []);
    const scripts = found.map(({ uri, isMadeFor, ...start }) => ({ uri, label: vscode.workspace.asRelativePath(vscode.Uri.parse(uri)), isMadeFor, start }));
    const named = wanted.graph ?? wanted.node;
    const graph = isScenario ? null : await this.graph(wanted.uri, named == null ? { position: { line: 0, character: 0 } } : { graph: named });
    // A node that runs another graph asks nobody itself.
    const nodes = (graph?.nodes ?? []).filter((node) => node.role === "node" && node.work !== "graph").map(({ id, kind }) => ({ id: nameOf(id), kind }));
    const file = vscode.workspace.asRelativePath(vscode.Uri.parse(wanted.uri));
    const what = wanted.node ?? (graph === null ? (wanted.graph ?? "") : plain(graph.title));
    const key = JSON.stringify([wanted.uri, wanted.graph ?? null, wanted.node ?? null]);
    const about = { uri: wanted.uri, graph: wanted.graph ?? null, node: wanted.node ?? null };
    // Older servers do not know the command.
    const inputSchema = isScenario ? null : await this.server.command<unknown>("nodewise.inputSchema", about).catch(() => null);
    const last = this.inputs().find(([known]) => known === key);
    return { key, title: what === "" ? file : `${what} in ${file}`, isScenario, scripts, nodes, inputSchema, ...(last === undefined ? {} : { lastInput: last[1] }) };
  }

  /** The last inputs with their keys, the most recent first. */
  private inputs(): [key: string, input: unknown][] {
    return this.memory.get(INPUTS, []);
  }

  private async remember(key: string, input: unknown): Promise<void> {
    const others = this.inputs().filter(([known]) => known !== key);
    await this.memory.update(INPUTS, (input === null ? others : [[key, input], ...others]).slice(0, INPUTS_MAX));
  }

  /** The graphs of a run as their files declare them. Left out if a file no longer declares one. */
  private async declared({ trace }: { trace: Pick<Trace, "graphs" | "locations"> }): Promise<Declared[]> {
    const found = trace.graphs.map(async ({ id, nodes }): Promise<Declared[]> => {
      const place = nodes.find((node) => node.location !== undefined)?.location;
      const uri = place === undefined ? undefined : trace.locations[place]?.uri;
      const graph = uri === undefined ? null : await this.graph(uri, { graph: id });
      return graph === null ? [] : [{ ...graph, id }];
    });
    return (await Promise.all(found)).flat();
  }

  /** A graph of a document: the one at a place, or the one with a name. */
  private graph(uri: string, which: { position: Position } | { graph: string }): Promise<Graph | null> {
    return this.server.command<Graph | null>("nodewise.graph", { textDocument: { uri }, ...which, nested: true }).catch(() => null);
  }

  private open(): void {
    if (this.panel !== undefined) {
      this.panel.reveal(undefined, true);
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      "nodewise.simulation",
      "Simulation",
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { ...viewOptions(this.extension), retainContextWhenHidden: true },
    );
    this.panel = panel;
    this.isReady = false;
    const icon = (theme: string) => vscode.Uri.joinPath(this.extension, "media", `graph-${theme}.svg`);
    panel.iconPath = { light: icon("light"), dark: icon("dark") };
    panel.webview.onDidReceiveMessage((message: FromSimulation) => {
      void this.hear(message).catch((error: unknown) => this.post({ type: "refused", reason: reasonOf(error) }));
    });
    panel.onDidDispose(() => {
      this.stopping?.cancel();
      void this.marker.show(null);
      this.panel = undefined;
      this.pending = [];
    });
    panel.webview.html = page(panel.webview, this.extension, "simulation");
  }

  /** Saves the shown run as a scenario that the server writes. */
  async save(): Promise<void> {
    const [shown, wanted] = [this.shown, this.wanted];
    if (shown?.id == null || wanted === undefined) {
      return;
    }
    const stem = fileName(wanted.uri).replace(/(\.scenario|\.script)?\.ya?ml$|\.json$/, "");
    const target = await vscode.window.showSaveDialog({
      title: "Save Run as Scenario",
      defaultUri: await free(vscode.Uri.joinPath(vscode.Uri.parse(wanted.uri), ".."), stem),
      filters: { Scenarios: ["yaml"] },
    });
    if (target === undefined) {
      return;
    }
    const { text } = await this.server.command<{ text: string }>("nodewise.scenario", { trace: shown.id, uri: target.toString() });
    await vscode.workspace.fs.writeFile(target, bytesOf(text));
    this.post({ type: "saved", file: vscode.workspace.asRelativePath(target) });
    await vscode.window.showTextDocument(target, { viewColumn: vscode.ViewColumn.One });
  }

  private post(message: ToSimulation): void {
    if (this.isReady) {
      void this.panel?.webview.postMessage(message);
    } else {
      this.pending.push(message);
    }
  }
}

/** Simulations only use scripts, but untrusted files would decide how much time and memory they take. */
function mayRun(): boolean {
  return isTrustedTo("run its graphs");
}

/** The graph of a recorded run. In Liman, the record names a node instead. */
function wantedOf({ trace }: Simulated): Wanted | undefined {
  const [uri, id] = [trace.locations[0]?.uri, trace.graphs[0]?.id];
  if (uri === undefined || id === undefined) {
    return undefined;
  }
  return trace.system === "liman" ? { uri, graph: null, node: id } : { uri, graph: id, node: null };
}

/** In Liman, a node is identified by kind and name, but answers use only the name. */
function nameOf(id: string): string {
  return id.slice(id.indexOf("/") + 1);
}

function relative(folder: string, uri: string): string {
  const [from, to] = [vscode.Uri.parse(folder).path, vscode.Uri.parse(uri).path];
  return relativePath(from, to);
}

/** A file name that does not exist yet. */
async function free(folder: vscode.Uri, stem: string): Promise<vscode.Uri> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? `${stem}.scenario.yaml` : `${stem}-${number}.scenario.yaml`;
    const uri = vscode.Uri.joinPath(folder, name);
    const isThere = await vscode.workspace.fs.stat(uri).then(
      () => true,
      () => false,
    );
    if (!isThere) {
      return uri;
    }
  }
}
