/**
 * The server's extensions of the Language Server Protocol, as described in `docs/lsp.md`.
 *
 * Only types. Invariant: a member that the server may omit is optional or can be null here.
 */

export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

export interface Location {
  uri: string;
  range: Range;
}

/** The answer to `nodewise.graph`. */
export interface Graph {
  title: string;
  /** Its name and its id. Only one of them if they are equal. */
  names: string[];
  /** Its declaration. Null if several documents make the graph together. */
  location: Location | null;
  nodes: GraphNode[];
  edges: GraphEdge[];
}

export interface GraphNode {
  id: string;
  label: string;
  kind: string;
  role: "start" | "node" | "unknown" | "end";
  /** What a visit does: `agent`, `tool`, `choice`, … Null for a mark. Older servers do not send it. */
  work?: string | null;
  /** The graph that it runs. */
  runs?: string | null;
  /** That graph, if it is known and was requested. */
  graph?: Graph | null;
  location: Location | null;
  reads: string[];
  writes: string[];
  /** Errors and warnings. */
  problems: number;
  /** The number of errors among the problems. Older servers do not send it. */
  errors?: number;
  /** Whether it is unreachable. */
  unreachable?: boolean;
  /** Only in the graph of `nodewise.markGraph`. */
  marks?: Mark[];
}

export interface GraphEdge {
  from: string;
  to: string;
  condition: string | null;
  /** The words to draw at it. Older servers do not send them. */
  label?: string;
  /** The reason why a run follows it: `always`, `conditional`, `tool`, … */
  kind: string;
  /** Whether a run follows it together with others of its node. Older servers do not send it. */
  parallel?: boolean;
  location: Location | null;
  /** Errors and warnings, and the number of errors among them. Older servers do not send them. */
  problems?: number;
  errors?: number;
  /** Only in the graph of `nodewise.markGraph`. */
  marks?: Mark[];
}

/** Why a node or an edge is marked. */
export interface Mark {
  /** `added`, `removed`, `changed`, `step`, `writes`, `reads` or `tests`. */
  kind: string;
  /** A few words to write beside it. */
  text?: string;
}

/** The argument of `nodewise.markGraph`. */
export interface WantedMarks {
  textDocument: { uri: string };
  position: Position;
  marks: { of: "changes"; since?: string } | { of: "path"; rule: string } | { of: "key"; key?: string };
}

/** The answer to `nodewise.markGraph`. */
export interface Marked {
  title: string;
  summary: string;
  /** What the marks show, in words. */
  lines: { text: string; location: Location | null }[];
  /** Whether to draw parts without a mark less visibly. */
  dimsOthers: boolean;
  /** A part that was removed since then has no location. */
  graph: Graph;
}

/** An edge that the client wants to change. `from` and `to` let the server notice that the graph has changed. */
export interface BoardEdgeRef {
  index: number;
  from: string;
  to: string;
}

/** What the argument of `nodewise.editGraph` does. */
export type GraphEdit =
  | { action: "addNode"; after: string; kind: string; name: string }
  | { action: "insertNode"; edge: BoardEdgeRef; kind: string; name: string }
  | { action: "connect"; from: string; to: string; condition: string | null }
  | { action: "reconnect"; edge: BoardEdgeRef; end: "from" | "to"; node: string }
  | { action: "deleteNode"; node: string }
  | { action: "deleteEdge"; edge: BoardEdgeRef }
  | { action: "renameNode"; node: string; name: string }
  | { action: "setCondition"; edge: BoardEdgeRef; condition: string | null };

/** The answer to `nodewise.editGraph`. */
export type GraphEdited = { edit: unknown } | { refused: string; needsCondition: boolean };

/** The answer to `nodewise.nodeKinds`. */
export interface NodeKinds {
  /** A name that no node has yet, to propose for a new node. */
  name: string;
  kinds: { word: string; doc: string }[];
}

/** The answer to `nodewise.editCondition`. */
export interface ConditionHelp {
  refused?: string;
  items: { label: string; kind: string; detail: string | null; text: string; offset: number }[];
  problems?: string[];
  /** What ran last, in words. The values in `evaluation` come from that run. */
  run?: string;
  evaluation?: {
    text: string;
    decision: "holds" | "fails" | { leadsTo: string } | null;
    parts: { range: Range; value?: unknown; error?: string }[];
  };
}

export interface Size {
  width: number;
  height: number;
}

/** The argument of `nodewise.layout`: the size of everything in the drawing. */
export interface Drawing {
  /** `best` is the direction that fits more of the drawing into the room. */
  direction: Direction | "best";
  room?: Size;
  nodes: Size[];
  /** `from` and `to` are indices into `nodes`. */
  edges: { from: number; to: number; label?: Size }[];
}

export type Direction = "down" | "right";

export type Point = [x: number, y: number];

/** The answer to `nodewise.layout`. */
export interface LaidOut extends Size {
  direction: Direction;
  /** The centre of each node. */
  nodes: Point[];
  edges: Route[];
}

export interface Route {
  /** The `d` attribute of an SVG path. */
  way: string;
  /** The centre of its label. */
  label: Point | null;
}

/** The argument of `nodewise.simulate`. */
export interface Wanted {
  uri: string;
  graph?: string | null;
  node?: string | null;
  only?: boolean;
  scenario?: number | null;
  script?: string | { text: string };
  /** Whether no script answers, not even the one that is made for the file. */
  withoutScript?: boolean;
  input?: unknown;
  memory?: Record<string, unknown>;
  seed?: number;
  /** For `nodewise.run`: the durable engine that carries the run. */
  on?: string;
}

/** The answer to `nodewise.simulate`. */
export interface Simulated {
  id: string | null;
  trace: Trace;
  text: string;
  summary: string;
  scenario: ScenarioResult | null;
  /** The script that answered. */
  script?: string | null;
  /** Whether answers were made up, because no script answers. */
  madeUp?: boolean;
  /** The id of a live run. */
  run?: string;
  /** The durable engine that carries it. */
  on?: string;
}

/** A part of a live run, in the notification `nodewise/runProgress`. */
export interface RunProgress {
  /** The client's name for the run, from its request. */
  follow: string;
  run: string;
  /** The head of the trace, only in the first part. */
  beginning?: Pick<Trace, "version" | "system" | "title" | "seed" | "graphs">;
  /** The index of the first event. */
  from: number;
  events: TraceEvent[];
  /** What models said since the last part, and calls that are repeated, by the number of the question. */
  answers: { ask: number; text?: string; again?: { waitMs: number; reason: string } }[];
  spent: Usage;
  /** Locations that are new in this part. */
  locations: Location[];
}

/** A run in the answer to `nodewise.history`. */
export interface ListedRun {
  /** `trace` is the id of a dry run whose trace the server keeps, and `run` the id of a live run. */
  trace?: string;
  run?: string;
  isLive: boolean;
  title: string;
  name?: string | null;
  status: string;
  summary: string;
  result: "good" | "doubtful" | "bad" | "open";
  /** In milliseconds since 1970. */
  at: number;
  timeMs: number;
  spent: Usage;
  isMadeUp: boolean;
  canResume: boolean;
  waiting: { node: string }[];
  /** The file of a dry run. */
  uri?: string;
  folder?: string;
}

/** The answer to `nodewise.compare`. */
export interface Compared {
  first: ComparedRun;
  second: ComparedRun;
  differences: { of: string; text: string }[];
}

export interface ComparedRun {
  title: string;
  summary: string;
  run: string | null;
  text: string;
}

/** A run in the answer to `nodewise.runs`. */
export interface LiveRun {
  run: string;
  title: string;
  status: string;
  isOver: boolean;
  canResume: boolean;
  begun: string;
  waiting: { node: string }[];
  /** The folder of its project, if the run is stored on this machine. */
  folder?: string;
  /** The durable engine that carries it. */
  on?: string;
}

export interface Trace {
  version: number;
  system: string;
  title: string;
  seed: number;
  outcome: { status: string; output?: unknown; error?: { class?: string; message?: string } | null };
  time: number;
  spent: Usage;
  graphs: TraceGraph[];
  events: TraceEvent[];
  locations: Location[];
}

export interface Usage {
  input_tokens?: number;
  output_tokens?: number;
  cost_usd?: number;
}

export interface TraceGraph {
  id: string;
  nodes: { id: string; label: string; kind: string; location?: number }[];
  /** Without `from`, the edge starts at the start. Without `to`, it leads to the end. */
  edges: { number: number; from?: string; to?: string; location?: number }[];
}

/** An event of a run. Its members depend on `event`. */
export interface TraceEvent {
  at: number;
  event: string;
  location?: number;
  [member: string]: unknown;
}

/** The answer to `nodewise.stateAt`. */
export interface Standing {
  event: number;
  events: number;
  at: number;
  visit: number | null;
  graphs: { scope: number; graph: string; depth: number; state: unknown }[];
  changes: { scope: number; key: string; before?: unknown; after?: unknown }[];
  spent: Usage;
  /** The state keys in the text of the step, with their values. Older servers do not send it. */
  values?: InlineValue[];
}

/** A value to show in the text. */
export interface InlineValue {
  location: Location;
  key: string;
  text: string;
}

export interface ScenarioResult {
  scenario: string;
  location: Location | null;
  passed: boolean;
  run: string | null;
  error: string | null;
  mismatches: Mismatch[];
}

export interface Mismatch {
  of: string;
  message: string;
  difference: string | null;
  expected: unknown;
  found: unknown;
  location: Location | null;
  node: Location | null;
}

/** The answer to `nodewise.test`. */
export interface Tested {
  passed: number;
  failed: number;
  broken: number;
  scenarios: ScenarioResult[];
  files: PaintedFile[];
}

/** The notification `nodewise/simulated`. */
export interface SimulatedNotice {
  trace: string | null;
  title: string;
  summary: string;
  status: string;
  files: PaintedFile[];
}

export interface PaintedFile {
  uri: string;
  version: number | null;
  nodes: { range: Range; label: string; visits: number }[];
  edges: { range: Range; label: string; followed: number; passedOver: number }[];
  lines: { line: number; hits: number }[];
  failures: { range: Range; message: string }[];
}

/** The answer to `nodewise.status`. */
export interface Status {
  version: string;
  folders: string[];
  documents: number;
  projects: { root: string | null; files: number; open: number; isComplete: boolean; engines?: string[] }[];
  /** What the server does with the document that the argument names. */
  document?: DocumentStatus;
}

export interface DocumentStatus {
  /** The id of the system. Null if the document is not checked. */
  system: string | null;
  text: string;
  /** The line of the configuration that excludes the document. */
  place: { uri: string; line: number } | null;
}

/** A script in the answer to `nodewise.scripts`. */
export interface MatchingScript {
  uri: string;
  isMadeFor: boolean;
  /** What the run is given. Older servers do not send it. */
  input?: unknown;
  /** The number of turns of a conversation. */
  turns?: number;
}
