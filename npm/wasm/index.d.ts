/** Files by their paths, relative and with `/` between the parts. A `nodewise.toml` configures its folder. */
export type Files = Record<string, string>;

/** A position: line and column count from 1, `offset` is in bytes of UTF-8 from 0. */
export interface Position {
  line: number;
  column: number;
  offset: number;
}

export interface Range {
  start: Position;
  end: Position;
}

export interface Related {
  file: string;
  range: Range;
  message: string;
}

export interface Edit {
  file: string;
  range: Range;
  text: string;
}

/** A fix. It is safe if it is certain what the author meant. */
export interface Fix {
  title: string;
  safe: boolean;
  edits: Edit[];
}

export interface Diagnostic {
  file: string;
  /** The id of the rule. */
  rule: string;
  category: string | null;
  /** The class of the system's specification. */
  spec: string | null;
  specUrl?: string;
  alsoSpec?: string;
  severity: "error" | "warning" | "hint";
  message: string;
  range: Range;
  label: string | null;
  help: string | null;
  related: Related[];
  fixes: Fix[];
}

/** What is wrong with a `nodewise.toml`. */
export interface ConfigurationProblem {
  file: string;
  line: number;
  column: number;
  message: string;
  help: string;
}

export interface Summary {
  files: number;
  declarations: number;
  leftAlone: number;
  unreadable: number;
  errors: number;
  warnings: number;
  infos: number;
}

/** The document of `nodewise check --format json`, and the problems of the configurations. */
export interface CheckReport {
  version: 1;
  diagnostics: Diagnostic[];
  configuration: ConfigurationProblem[];
  summary: Summary;
}

export interface FormatReport {
  /** The new texts of the files that change. */
  changed: Files;
  /** The files that cannot be formatted, and why. */
  refused: { file: string; line: number; column: number; message: string }[];
}

export interface GraphOptions {
  /** The id or name of a graph, or the name of a node, which draws everything that it reaches. Default: all graphs. */
  graph?: string;
  /** `json` gives data, everything else a text. Default: `json`. */
  format?: "json" | "text" | "mermaid" | "markdown" | "dot" | "svg";
  /** The direction of the edges. Default: `down`. */
  direction?: "down" | "right";
  /** Whether subgraphs are drawn inside the nodes that run them. */
  nested?: boolean;
}

/** The document of `nodewise graph --format json`. */
export interface GraphDocument {
  version: number;
  graphs: Record<string, unknown>[];
}

export interface SimulateOptions {
  /** The file with the graph, the nodes or the scenario. Default: everything. */
  file?: string;
  /** The id of a graph in the file. */
  graph?: string;
  /** The file of the script that answers. Without it, answers are made up. */
  script?: string;
  /** The position of the scenario in its file, from 0. */
  scenario?: number;
  /** The node where the run begins. */
  start?: string;
  /** The input of the run: any JSON value. */
  input?: unknown;
  /** The seed for random choices. */
  seed?: number;
  /** Where the run ends at the latest. */
  limits?: { visits?: number; timeMs?: number; tokens?: number; costUsd?: number };
  /** The answer shows only so many events of the run, from its beginning. */
  events?: number;
  /** `json` gives the trace as data, everything else a text. Default: `json`. */
  format?: "json" | "text" | "mermaid" | "svg";
}

/** The trace of `nodewise simulate --format json`. */
export interface Trace {
  version: number;
  outcome: { status: string; [key: string]: unknown };
  events: { at: number; event: string; [key: string]: unknown }[];
  [key: string]: unknown;
}

/** A request that has no answer. */
export class NodewiseError extends Error {
  /** What to do. */
  readonly help: string | undefined;
}

/** The functions of one instance, which answer at once. */
export interface Nodewise {
  check(files: Files): CheckReport;
  format(files: Files): FormatReport;
  graph(files: Files, options?: GraphOptions & { format?: "json" }): GraphDocument;
  graph(files: Files, options: GraphOptions & { format: Exclude<GraphOptions["format"], "json" | undefined> }): string;
  simulate(files: Files, options?: SimulateOptions & { format?: "json" }): Trace;
  simulate(files: Files, options: SimulateOptions & { format: Exclude<SimulateOptions["format"], "json" | undefined> }): string;
}

/** Loads an instance. `module` is the content of `nodewise.wasm`; by default, it is the file of the package. */
export function load(module?: WebAssembly.Module | ArrayBuffer | Uint8Array): Promise<Nodewise>;

/** Says what is wrong with the files. */
export function check(files: Files): Promise<CheckReport>;
/** Formats the files. */
export function format(files: Files): Promise<FormatReport>;
/** Draws the graphs that the files declare. */
export function graph(files: Files, options?: GraphOptions & { format?: "json" }): Promise<GraphDocument>;
export function graph(
  files: Files,
  options: GraphOptions & { format: Exclude<GraphOptions["format"], "json" | undefined> },
): Promise<string>;
/** Runs a graph with scripted answers and virtual time. */
export function simulate(files: Files, options?: SimulateOptions & { format?: "json" }): Promise<Trace>;
export function simulate(
  files: Files,
  options: SimulateOptions & { format: Exclude<SimulateOptions["format"], "json" | undefined> },
): Promise<string>;
