/**
 * What the extension and its webviews say to each other.
 *
 * Types alone. Invariant: what files hold travels as text, never as markup.
 */

import type { Changes } from "./changes.ts";
import type { Drawing, GraphEdge, GraphNode, LaidOut, Location, Simulated, Standing } from "./protocol.ts";

/** An answer to the question of the same number; a text says why there is no layout. */
export interface LayoutAnswer {
  type: "layout";
  number: number;
  laidOut: LaidOut | string;
}

/** What a webview wants to know before it draws. */
export interface LayoutQuestion {
  type: "layout";
  number: number;
  drawing: Drawing;
}

export type ToGraph =
  | LayoutAnswer
  | { type: "graph"; title: string; nodes: Changes<DrawnNode>; edges: Changes<DrawnEdge>; current: Current }
  | { type: "current"; current: Current }
  | { type: "nothing"; reason: string };

/** What the cursor is at: a node, or an edge by its position in the list. */
export interface Current {
  node: string | null;
  edge: number | null;
}

/** A node and an edge without their locations, which only the extension needs. */
export type DrawnNode = Omit<GraphNode, "location">;
export type DrawnEdge = Omit<GraphEdge, "location">;

export type FromGraph = LayoutQuestion | { type: "ready" } | { type: "reveal"; node: string } | { type: "reveal"; edge: number };

export type ToSimulation =
  | LayoutAnswer
  | { type: "subject"; subject: Subject }
  | { type: "running" }
  | { type: "simulated"; simulated: Simulated }
  | { type: "refused"; reason: string }
  | { type: "standing"; standing: Standing }
  | { type: "saved"; file: string };

/** What is to run, and what may answer. */
export interface Subject {
  title: string;
  /** Whether a scenario runs, which says itself what answers. */
  isScenario: boolean;
  scripts: { uri: string; label: string }[];
  /** Whose answers may be written. */
  nodes: { id: string; kind: string }[];
}

/** What somebody wants a run to be given. */
export interface Given {
  /** The URI of a script. */
  script: string | null;
  /** Answers by node, in their order; they count more than the script's. */
  answers: Record<string, unknown[]>;
  /** Absent where nobody wrote an input. */
  input?: unknown;
}

export type FromSimulation =
  | LayoutQuestion
  | { type: "ready" }
  | { type: "run"; given: Given }
  | { type: "stop" }
  | { type: "stateAt"; event: number }
  | { type: "fork"; event: number; answer: unknown }
  | { type: "save" }
  | { type: "reveal"; location: Location };
