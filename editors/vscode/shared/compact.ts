/**
 * Graphs as the server sends them in the compact form.
 *
 * Input: the answer to `nodewise.graph` with `compact`. Output: the graph with all its members. Invariant: the answer of a server that
 * does not know the compact form is the graph already.
 */

import type { Graph, GraphEdge, GraphNode, Location } from "./protocol.ts";

/** `[file, line, character, end line, end character]`, with the position of the file in `files`. */
export type CompactPlace = [number, number, number, number, number];

type Compact<Part, Kept extends keyof Part> = Pick<Part, Kept> & Partial<Omit<Part, Kept | "location" | "graph">> & { location?: CompactPlace };

/** A graph without the members that have their usual value. A node without an id has an empty one, which is left out. */
export interface CompactGraph {
  title?: string;
  names?: string[];
  location?: CompactPlace;
  nodes?: (Compact<GraphNode, "role"> & { graph?: CompactGraph })[];
  edges?: Compact<GraphEdge, never>[];
}

/** The answer to `nodewise.graph` with `compact`. */
export type CompactAnswer = Graph | (CompactGraph & { files: string[] });

/** A graph with all members. */
export function expanded(answer: CompactAnswer): Graph {
  return "files" in answer ? graphOf(answer, answer.files) : answer;
}

function graphOf({ title = "", names = [], location, nodes = [], edges = [] }: CompactGraph, files: string[]): Graph {
  const usual = { id: "", label: "", kind: "", work: null, runs: null, reads: [], writes: [], problems: 0, errors: 0, unreachable: false };
  return {
    title,
    names,
    location: placeOf(location, files),
    nodes: nodes.map(({ location: at, graph, ...node }) => ({ ...usual, ...node, graph: graph === undefined ? null : graphOf(graph, files), location: placeOf(at, files) })),
    edges: edges.map(({ location: at, ...edge }) => ({ from: "", to: "", kind: "", condition: null, label: "", parallel: false, problems: 0, errors: 0, ...edge, location: placeOf(at, files) })),
  };
}

function placeOf(place: CompactPlace | undefined, files: string[]): Location | null {
  if (place === undefined) {
    return null;
  }
  const [file, line, character, endLine, endCharacter] = place;
  return { uri: files[file] ?? "", range: { start: { line, character }, end: { line: endLine, character: endCharacter } } };
}
