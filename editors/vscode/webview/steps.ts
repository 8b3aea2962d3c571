/**
 * A trace as steps: a text for each event, and the path of the run up to it.
 *
 * Input: a trace. Output: lines of text, paths. Invariant: a step is an event with its index. Additional events of the
 * system's release are not steps.
 */

import type { Declared } from "../shared/messages.ts";
import type { Trace, TraceEvent, TraceGraph, Usage } from "../shared/protocol.ts";
import { plainAnswer } from "./answers.ts";
import { idInside } from "./nesting.ts";
import { drawnOf, type RunBoard } from "./runboard.ts";
import type { Trail } from "./trail.ts";

export interface Step {
  /** The event's index in the trace. */
  event: number;
  at: number;
  /** The depth of the subgraph. */
  depth: number;
  word: string;
  text: string;
  /** Whether it is about storing the run, and hidden by default. */
  isBookkeeping: boolean;
}

/** Events that are not steps. Steps are visits, edges and state changes, not internal events. */
const PASSED_OVER = new Set(["native", "spent"]);

export class Story {
  readonly trace: Trace;
  readonly steps: Step[] = [];
  private readonly scopes = new Map<number, { graph: string; depth: number; by?: { scope: number; node: string } }>();
  private readonly visits = new Map<number, { scope: number; node: string }>();
  private readonly declared: Map<string, Declared>;
  private readonly boards = new Map<string, RunBoard>();

  /** `declared` are the graphs of the run as the files declare them, as far as they are known. */
  constructor(trace: Trace, declared: Declared[] = []) {
    this.trace = { ...trace, events: [], locations: [...trace.locations] };
    this.declared = new Map(declared.map((graph) => [graph.id, graph]));
    this.extend(trace.events);
  }

  /** Adds the next events of the run, and their steps. */
  extend(events: TraceEvent[]): void {
    for (const event of events) {
      this.note(event);
      const index = this.trace.events.push(event) - 1;
      if (!PASSED_OVER.has(event.event)) {
        this.steps.push({ event: index, at: event.at, depth: this.depth(event), word: event.event, text: this.text(event), isBookkeeping: this.isBookkeeping(event) });
      }
    }
  }

  /** The event of the first step that failed although the run continued, or with which it ended. */
  failedEvent(): number | undefined {
    const failed = new Map<string, number>();
    this.trace.events.forEach((event, index) => {
      const visit = event.event === "visit-ended" ? this.visits.get(Number(event["visit"])) : undefined;
      if (visit !== undefined) {
        const name = JSON.stringify([visit.scope, visit.node]);
        // A later visit of the same node that succeeds cancels the failure.
        event["failure"] === undefined ? failed.delete(name) : failed.set(name, index);
      }
    });
    return failed.size === 0 ? undefined : Math.min(...failed.values());
  }

  /** The node that asked a question, by its number. */
  asker(ask: number): string | undefined {
    const event = this.trace.events.findLast((one) => one.event === "asked" && one["ask"] === ask);
    return event === undefined ? undefined : String(event["node"]);
  }

  /** The graph that an event happens in. */
  graphAt(index: number): TraceGraph | undefined {
    for (let at = index; at >= 0; at -= 1) {
      const event = this.trace.events[at];
      const scope = event === undefined ? undefined : this.scopeOf(event);
      if (scope !== undefined) {
        const id = this.scopes.get(scope)?.graph;
        return this.trace.graphs.find((graph) => graph.id === id);
      }
    }
    return this.trace.graphs[0];
  }

  /** The index in `locations` of the place of an event, or of its node. */
  locationOf(index: number): number | undefined {
    const event = this.trace.events[index];
    const node = event === undefined ? undefined : this.visits.get(Number(event["visit"]))?.node;
    return event?.location ?? (node === undefined ? undefined : this.graphAt(index)?.nodes.find((one) => one.id === node)?.location);
  }

  /** Checkpoints, the end of a visit that says nothing new, and what AgentOS notes about the run itself. */
  private isBookkeeping(event: TraceEvent): boolean {
    const isOwn = event.event === "wrote" && this.trace.system === "agentos" && event["visit"] === undefined;
    return isOwn || event.event === "checkpoint-saved" || (event.event === "visit-ended" && event["failure"] === undefined);
  }

  /** How a graph of the run is drawn. */
  board(graph: TraceGraph): RunBoard {
    const board = this.boards.get(graph.id) ?? drawnOf(graph, this.declared.get(graph.id));
    this.boards.set(graph.id, board);
    return board;
  }

  /** The nodes of a graph that an event happens inside of, from the outermost. Undefined if it happens elsewhere. */
  pathIn(graph: TraceGraph, index: number): string[] | undefined {
    for (let at = index; at >= 0; at -= 1) {
      const event = this.trace.events[at];
      const scope = event === undefined ? undefined : this.scopeOf(event);
      if (scope !== undefined) {
        return this.pathOf(graph, scope);
      }
    }
    return undefined;
  }

  private pathOf(graph: TraceGraph, scope: number): string[] | undefined {
    const path: string[] = [];
    let found = this.scopes.get(scope);
    while (found !== undefined && found.graph !== graph.id) {
      if (found.by !== undefined) {
        path.unshift(found.by.node);
      }
      found = found.by === undefined ? undefined : this.scopes.get(found.by.scope);
    }
    return found === undefined ? undefined : path;
  }

  /** The path of the run in a graph and inside of its nodes up to an event, by the ids and edges of its board. */
  trail(graph: TraceGraph, index: number): Trail {
    const trail: Trail = { visits: new Map(), followed: new Map(), now: { node: null, edge: null, inside: [] }, open: new Set() };
    const paths = new Map<number, string[] | undefined>();
    const begun = new Set<string>();
    /** The visits that have asked something. */
    const asking = new Set<unknown>();
    for (const event of this.trace.events.slice(0, index + 1)) {
      const scope = this.scopeOf(event);
      if (scope !== undefined && !paths.has(scope)) {
        paths.set(scope, this.pathOf(graph, scope));
      }
      const inside = scope === undefined ? undefined : paths.get(scope);
      const own = scope === undefined ? undefined : this.trace.graphs.find(({ id }) => id === this.scopes.get(scope)?.graph);
      if (inside === undefined || own === undefined) {
        continue;
      }
      const visit = this.visits.get(Number(event["visit"]));
      const id = idInside(inside, visit?.node ?? "");
      if (event.event === "visit-ended") {
        trail.open.delete(id);
      }
      if (event.event === "visit-started" && visit !== undefined) {
        trail.open.add(id);
        trail.visits.set(id, (trail.visits.get(id) ?? 0) + 1);
        trail.now = { node: visit.node, edge: null, inside };
        const around = idInside(inside, "");
        if (!begun.has(around)) {
          begun.add(around);
          this.lead(own, trail, visit.node, inside);
        }
      } else if (event.event === "edge-judged" || event.event === "handed-over") {
        const { edgeOf } = this.board(own);
        const edges = edgesOf(own, event, visit?.node).map((edge) => edgeOf[edge] ?? -1);
        trail.now = { node: visit?.node ?? trail.now.node, edge: edges[0] ?? null, inside };
        for (const edge of event.event === "handed-over" || event["followed"] === true ? edges : []) {
          const key = idInside(inside, String(edge));
          trail.followed.set(key, (trail.followed.get(key) ?? 0) + 1);
        }
      } else if (visit !== undefined) {
        trail.now = { node: visit.node, edge: null, inside };
        if (event.event === "asked" && !asking.has(event["visit"])) {
          asking.add(event["visit"]);
          this.visitWorkers(own, trail, visit.node, inside);
        }
      }
    }
    return trail;
  }

  /** Counts a visit of nodes that run once for each item. They have no event: the node with the items asks for them. */
  private visitWorkers(graph: TraceGraph, trail: Trail, node: string, inside: string[]): void {
    this.board(graph).edges.forEach((edge, index) => {
      if (edge.kind === "worker" && edge.from === node) {
        const [id, key] = [idInside(inside, edge.to), idInside(inside, String(index))];
        trail.visits.set(id, (trail.visits.get(id) ?? 0) + 1);
        trail.followed.set(key, (trail.followed.get(key) ?? 0) + 1);
      }
    });
  }

  /** Marks the edge from the start to the first node as followed, because no event records it. */
  private lead(graph: TraceGraph, trail: Trail, node: string, inside: string[]): void {
    const edge = graph.edges.findIndex((one) => one.from === undefined && one.to === node);
    if (edge >= 0) {
      trail.followed.set(idInside(inside, String(this.board(graph).edgeOf[edge] ?? -1)), 1);
    }
  }

  private note(event: TraceEvent): void {
    if (event.event === "graph-started") {
      const by = this.visits.get(Number(event["by"]));
      const depth = by === undefined ? 0 : (this.scopes.get(by.scope)?.depth ?? 0) + 1;
      this.scopes.set(Number(event["scope"]), { graph: String(event["graph"]), depth, ...(by === undefined ? {} : { by }) });
    } else if (event.event === "visit-started") {
      this.visits.set(Number(event["visit"]), { scope: Number(event["scope"]), node: String(event["node"]) });
    }
  }

  private scopeOf(event: TraceEvent): number | undefined {
    return typeof event["scope"] === "number" ? event["scope"] : this.visits.get(Number(event["visit"]))?.scope;
  }

  private depth(event: TraceEvent): number {
    const scope = this.scopeOf(event);
    return scope === undefined ? 0 : (this.scopes.get(scope)?.depth ?? 0);
  }

  /** The name of a graph. Its id may be a UUID. */
  private nameOf(graph: string): string {
    return this.declared.get(graph)?.names[0] ?? graph;
  }

  private text(event: TraceEvent): string {
    const node = this.visits.get(Number(event["visit"]))?.node ?? "";
    switch (event.event) {
      case "graph-started":
        return this.nameOf(String(event["graph"]));
      case "visit-started":
        return `${node}${readsOf(event["reads"])}`;
      case "visit-ended":
        return event["failure"] === undefined ? node : `${node}: ${brief(event["failure"])}`;
      case "edge-judged":
        return `${node} ${event["followed"] === true ? "→" : "⇥"} ${String(event["target"] ?? "")}`;
      case "handed-over":
        return `${node} → ${String(event["target"] ?? "")}`;
      case "wrote":
        return event["value"] === undefined ? `${String(event["key"])} removed` : `${String(event["key"])} = ${brief(event["value"])}`;
      case "asked":
        return asked(String(event["node"] ?? node), event);
      case "answered":
        return answered(event["answer"]);
      case "paused":
        return `${node} waits for a person`;
      case "resumed":
        return brief(plainAnswer(event));
      case "graph-ended":
        return brief((event["outcome"] as { status?: unknown } | undefined)?.status);
      default: {
        const { at: _, event: __, location: ___, visit: ____, scope: _____, ...rest } = event;
        return [node, Object.keys(rest).length === 0 ? "" : brief(rest)].filter((part) => part !== "").join(" ");
      }
    }
  }
}

const WORDS: Record<string, string> = {
  "graph-started": "starts",
  "graph-ended": "ends",
  "visit-started": "visits",
  "visit-ended": "leaves",
  "edge-judged": "edge",
  wrote: "writes",
  asked: "asks",
  answered: "answer",
  paused: "waits",
  resumed: "resumes",
  retried: "retries",
  skipped: "skips",
  "handed-over": "routes",
  "checkpoint-saved": "saves",
};

/** The name of an event in a list of steps. */
export function wordOf(event: string): string {
  return WORDS[event] ?? event;
}

export function money(usage: Usage): string {
  const tokens = (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);
  const cost = usage.cost_usd ?? 0;
  return [tokens > 0 ? `${tokens} tokens` : "", cost > 0 ? `$${cost.toPrecision(3)}` : ""].filter((part) => part !== "").join(" · ");
}

/** Virtual time in a suitable unit. */
export function time(milliseconds: number): string {
  if (milliseconds < 1000) {
    return `${milliseconds} ms`;
  }
  const seconds = milliseconds / 1000;
  return seconds < 120 ? `${Number(seconds.toFixed(2))} s` : `${Number((seconds / 60).toFixed(1))} min`;
}

/** A value on one line. */
export function brief(value: unknown, most = 120): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
  const line = text.replace(/\s+/g, " ");
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}

/**
 * The edges that were evaluated, or that the run took without evaluating one. An edge with several targets is drawn as
 * several edges.
 */
function edgesOf(graph: TraceGraph, event: TraceEvent, node: string | undefined): number[] {
  const isJudged = event.event === "edge-judged";
  const found = graph.edges.flatMap((edge, index) => {
    const isIt = (!isJudged || edge.number === event["edge"]) && (edge.from === node || (isJudged && edge.from === undefined));
    return isIt ? [{ index, to: edge.to }] : [];
  });
  const targets = String(event["target"] ?? "").split(", ");
  const named = found.filter((one) => one.to !== undefined && targets.includes(one.to));
  return (named.length > 0 || !isJudged ? named : found).map((one) => one.index);
}

/** The keys that a node reads, or the text. */
function readsOf(reads: unknown): string {
  if (typeof reads === "string") {
    return reads === "" ? "" : ` reads “${brief(reads, 60)}”`;
  }
  const keys = typeof reads === "object" && reads !== null ? Object.keys(reads) : [];
  return keys.length === 0 ? "" : ` reads ${keys.join(", ")}`;
}

/** A question: the last message to a model, the tool with its arguments. */
function asked(node: string, event: TraceEvent): string {
  const { tool, arguments: given, extension, method, input, prompt } = (event["question"] ?? {}) as Record<string, unknown>;
  if (tool !== undefined) {
    return `${node} calls ${String(tool)}(${given === undefined ? "" : brief(given, 80)})`;
  }
  if (extension !== undefined) {
    return `${node} calls ${String(extension)}.${String(method)}(${input === undefined ? "" : brief(input, 80)})`;
  }
  const last = Array.isArray(prompt) ? (prompt.at(-1) as { content?: unknown } | undefined) : undefined;
  return `${node} asks ${String(event["of"] ?? "")}${last?.content === undefined ? "" : `: “${brief(last.content, 80)}”`}`;
}

function answered(answer: unknown): string {
  const { reply, failure } = answer as { reply?: Record<string, unknown>; failure?: unknown };
  if (failure !== undefined) {
    return `fails: ${brief(failure)}`;
  }
  const { of: _, ...said } = reply ?? {};
  const calls = Array.isArray(said["calls"]) && said["calls"].length > 0 ? said["calls"] : undefined;
  if (typeof said["text"] === "string") {
    const names = calls?.map((call: { tool?: unknown }) => String(call.tool)).join(", ");
    return [said["text"] === "" ? "" : `“${brief(said["text"])}”`, names === undefined ? "" : `calls ${names}`].filter((part) => part !== "").join(" ");
  }
  return brief("value" in said ? said["value"] : said);
}
