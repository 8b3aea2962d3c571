/**
 * A trace as steps: a text for each event, and the path of the run up to it.
 *
 * Input: a trace. Output: lines of text, paths. Invariant: a step is an event with its index. Additional events of the
 * system's release are not steps.
 */

import type { Trace, TraceEvent, TraceGraph, Usage } from "../shared/protocol.ts";
import type { Drawn, Trail } from "./canvas.ts";

export interface Step {
  /** The event's index in the trace. */
  event: number;
  at: number;
  /** The depth of the subgraph. */
  depth: number;
  word: string;
  text: string;
}

/** Events that are not steps. Steps are visits, edges and state changes, not internal events. */
const PASSED_OVER = new Set(["native", "spent"]);

export class Story {
  readonly trace: Trace;
  readonly steps: Step[];
  private readonly scopes = new Map<number, { graph: string; depth: number }>();
  private readonly visits = new Map<number, { scope: number; node: string }>();

  constructor(trace: Trace) {
    this.trace = trace;
    trace.events.forEach((event) => this.note(event));
    this.steps = trace.events.flatMap((event, index) =>
      PASSED_OVER.has(event.event) ? [] : [{ event: index, at: event.at, depth: this.depth(event), word: event.event, text: this.text(event) }],
    );
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

  /** The path of the run in a graph up to an event. */
  trail(graph: TraceGraph, index: number): Trail {
    const trail: Trail = { visits: new Map(), followed: new Map(), now: { node: null, edge: null } };
    for (const event of this.trace.events.slice(0, index + 1)) {
      const scope = this.scopeOf(event);
      if (scope === undefined || this.scopes.get(scope)?.graph !== graph.id) {
        continue;
      }
      const visit = this.visits.get(Number(event["visit"]));
      if (event.event === "visit-started" && visit !== undefined) {
        trail.visits.set(visit.node, (trail.visits.get(visit.node) ?? 0) + 1);
        trail.now = { node: visit.node, edge: null };
        this.lead(graph, trail, visit.node);
      } else if (event.event === "edge-judged") {
        const edges = edgesOf(graph, event, visit?.node);
        trail.now = { node: trail.now.node, edge: edges[0] ?? null };
        for (const edge of event["followed"] === true ? edges : []) {
          trail.followed.set(edge, (trail.followed.get(edge) ?? 0) + 1);
        }
      } else if (visit !== undefined) {
        trail.now = { node: visit.node, edge: null };
      }
    }
    return trail;
  }

  /** No event records the edge from the start to the first node. */
  private lead(graph: TraceGraph, trail: Trail, node: string): void {
    const isFirst = trail.visits.size === 1;
    const edge = graph.edges.findIndex((one) => one.from === undefined && one.to === node);
    if (isFirst && edge >= 0) {
      trail.followed.set(edge, 1);
    }
  }

  private note(event: TraceEvent): void {
    if (event.event === "graph-started") {
      const by = this.visits.get(Number(event["by"]));
      const depth = by === undefined ? 0 : (this.scopes.get(by.scope)?.depth ?? 0) + 1;
      this.scopes.set(Number(event["scope"]), { graph: String(event["graph"]), depth });
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

  private text(event: TraceEvent): string {
    const node = this.visits.get(Number(event["visit"]))?.node ?? "";
    switch (event.event) {
      case "graph-started":
        return String(event["graph"]);
      case "visit-started":
        return node;
      case "visit-ended":
        return event["failure"] === undefined ? node : `${node}: ${brief(event["failure"])}`;
      case "edge-judged":
        return `${node} ${event["followed"] === true ? "→" : "⇥"} ${String(event["target"] ?? "")}`;
      case "wrote":
        return event["value"] === undefined ? `${String(event["key"])} removed` : `${String(event["key"])} = ${brief(event["value"])}`;
      case "asked":
        return `${String(event["node"] ?? node)} asks ${String(event["of"] ?? "")}`;
      case "answered":
        return answered(event["answer"]);
      case "paused":
        return `${node} waits for a person`;
      case "resumed":
        return brief(event["decision"]);
      case "graph-ended":
        return brief((event["outcome"] as { status?: unknown } | undefined)?.status);
      default: {
        const { at: _, event: __, location: ___, visit: ____, scope: _____, ...rest } = event;
        return [node, Object.keys(rest).length === 0 ? "" : brief(rest)].filter((part) => part !== "").join(" ");
      }
    }
  }
}

/** The marks for the start and end of runs. No node has such an id. */
const [START, END] = ["\u0000start", "\u0000end"];

/** A graph of a trace to draw: its nodes first, then the marks. */
export function drawn(graph: TraceGraph): Drawn {
  const mark = (id: string, label: string, role: "start" | "end") => ({ id, label, kind: "", role, reads: [], writes: [], problems: 0 });
  const marks = [
    ...(graph.edges.some((edge) => edge.from === undefined) ? [mark(START, "start", "start")] : []),
    ...(graph.edges.some((edge) => edge.to === undefined) ? [mark(END, "end", "end")] : []),
  ];
  const nodes = graph.nodes.map((node) => ({ ...node, role: "node" as const, reads: [], writes: [], problems: 0 }));
  return {
    nodes: [...nodes, ...marks],
    edges: graph.edges.map((edge) => ({ from: edge.from ?? START, to: edge.to ?? END, condition: null, kind: "always" })),
  };
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

/** The evaluated edges. An edge with several targets is drawn as several edges. */
function edgesOf(graph: TraceGraph, event: TraceEvent, node: string | undefined): number[] {
  const found = graph.edges.flatMap((edge, index) => {
    const isIt = edge.number === event["edge"] && (edge.from === node || edge.from === undefined);
    return isIt ? [{ index, to: edge.to }] : [];
  });
  const targets = String(event["target"] ?? "").split(", ");
  const named = found.filter((one) => one.to !== undefined && targets.includes(one.to));
  return (named.length > 0 ? named : found).map((one) => one.index);
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
