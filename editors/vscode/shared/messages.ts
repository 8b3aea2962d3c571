/**
 * The messages between the extension and its webviews.
 *
 * Only types. Invariant: text from files is sent as text, never as markup.
 */

import type { Changes } from "./changes.ts";
import type { BoardEdgeRef, ConditionHelp, Drawing, Graph, GraphEdge, GraphEdit, GraphNode, LaidOut, Location, RunProgress, Simulated, Standing } from "./protocol.ts";

/** The answer to the question with the same number. A text says why there is no layout. */
export interface LayoutAnswer {
  type: "layout";
  number: number;
  laidOut: LaidOut | string;
}

/** A question of a webview before it draws. */
export interface LayoutQuestion {
  type: "layout";
  number: number;
  drawing: Drawing;
}

export type ToGraph =
  | LayoutAnswer
  | { type: "graph"; title: string; nodes: Changes<DrawnNode>; edges: Changes<DrawnEdge>; current: Current }
  | { type: "current"; current: Current }
  | { type: "nothing"; reason: string }
  | { type: "marks"; marks: MarksShown | null }
  | { type: "conditionHelp"; number: number; help: ConditionHelp | null }
  | { type: "editCondition"; edge: BoardEdgeRef; condition: string | null }
  | { type: "askCondition"; from: string; to: string }
  | { type: "connectFrom"; node: string }
  | { type: "toggleSubgraph"; node: string; inside: string[] }
  | { type: "export"; form: ExportForm; colours: "theme" | "print"; to: "file" | "clipboard" };

/** What the marks of the graph show. */
export interface MarksShown {
  title: string;
  summary: string;
  lines: { text: string; hasPlace: boolean }[];
  dimsOthers: boolean;
}

/** A picture of the graph that the webview makes. */
export type ExportForm = "svg" | "png";

/** A part of the board. `inside` has the nodes around it whose graphs are open, from the outermost. */
export type BoardPart = { inside: string[] } & (
  | { is: "node"; node: string; label: string; role: GraphNode["role"] | "tool"; hasGraph?: boolean; keys?: string[] }
  | ({ is: "edge"; condition: string | null } & BoardEdgeRef)
);

/** What the user does with a part of the board. */
export type BoardAct = "addNode" | "insertNode" | "connect" | "rename" | "delete" | "editCondition" | "moveStart" | "moveEnd" | "toggleSubgraph" | "showSource";

/** The node or edge at the cursor. An edge is given by its index. */
export interface Current {
  node: string | null;
  edge: number | null;
  /** The nodes whose open graphs contain it, from the outermost. Empty by default. */
  inside?: string[];
}

/** Nodes and edges with only the members that the webview draws. */
export interface DrawnNode extends Omit<GraphNode, "location" | "graph"> {
  graph?: DrawnGraph | null;
}
export type DrawnEdge = Omit<GraphEdge, "location" | "problems" | "errors">;
export interface DrawnGraph {
  nodes: DrawnNode[];
  edges: DrawnEdge[];
}

export type FromGraph =
  | LayoutQuestion
  | { type: "ready" }
  // `goes` is whether the source gets the focus.
  | { type: "reveal"; node: string; inside: string[]; goes: boolean }
  | { type: "reveal"; edge: number; inside: string[]; goes: boolean }
  // The subgraphs that are open, each by the nodes from the outermost.
  | { type: "opened"; paths: string[][] }
  | { type: "endMarks" }
  // The user clicked a line of the text about marks. `line` is its index.
  | { type: "revealLine"; line: number }
  | { type: "act"; act: BoardAct; part: BoardPart }
  | { type: "edit"; edit: GraphEdit }
  | { type: "conditionHelp"; number: number; edit: GraphEdit; offset: number }
  | { type: "undo"; isRedo: boolean }
  // Why the picture is not in the clipboard, or null.
  | { type: "exported"; form: ExportForm; data: string; notCopied: string | null }
  | { type: "failed"; reason: string };

export type ToSimulation =
  | LayoutAnswer
  | { type: "subject"; subject: Subject }
  | { type: "running" }
  | { type: "progress"; progress: RunProgress; declared: Declared[] }
  | { type: "simulated"; simulated: Simulated; declared: Declared[] }
  | { type: "refused"; reason: string }
  | { type: "standing"; standing: Standing }
  | { type: "saved"; file: string };

/** A graph of a run as its files declare it now. */
export interface Declared extends Graph {
  /** The id of the graph in the trace. */
  id: string;
}

/** What a script says about the input: a value, or the turns of a conversation. */
export interface ScriptStart {
  input?: unknown;
  turns?: number;
}

/** What to run, and what can answer. */
export interface Subject {
  /** Two runs with the same key have the same input. */
  key: string;
  title: string;
  /** Whether it is a scenario, which has its own answers. */
  isScenario: boolean;
  scripts: { uri: string; label: string; isMadeFor: boolean; start: ScriptStart }[];
  /** The nodes that accept answers. */
  nodes: { id: string; kind: string }[];
  /** The JSON Schema of the input. Null if the declarations do not describe it. */
  inputSchema: unknown;
  /** The last input that the user wrote for it. */
  lastInput?: unknown;
}

/** The input and the answers of a run. */
export interface Given {
  /** The URI of a script. */
  script: string | null;
  /** Answers by node, in order. They override the script. */
  answers: Record<string, unknown[]>;
  /** Absent if the user wrote no input. */
  input?: unknown;
}

export type FromSimulation =
  | LayoutQuestion
  | { type: "ready" }
  | { type: "run"; given: Given }
  // Null if the user wrote no input.
  | { type: "remember"; key: string; input: unknown }
  | { type: "runLive"; given: Given }
  | { type: "follow"; location: Location | null }
  | { type: "stop" }
  | { type: "stateAt"; event: number }
  | { type: "fork"; event: number; answer: unknown }
  | { type: "again"; event: number }
  | { type: "save" }
  | { type: "reveal"; location: Location };
