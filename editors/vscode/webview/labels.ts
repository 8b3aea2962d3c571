/**
 * The texts at edges.
 *
 * Input: an edge. Output: its text, whole or cut. Invariant: the words are those of `nodewise graph`, and a cut text
 * shows its end, where a condition has its threshold.
 */

import type { DrawnEdge } from "../shared/messages.ts";

/** Why a run goes there. Empty if it always does. Edges of runs and of older servers come without their words. */
export function edgeLabel({ kind, condition, label }: Pick<DrawnEdge, "kind" | "condition" | "label">): string {
  if (label !== undefined) {
    return label;
  }
  switch (kind) {
    case "discovery":
      return condition === null ? "" : `finds: ${condition}`;
    case "exit":
      return condition === null ? "" : `on ${condition}`;
    case "rejection":
      return "rejected";
    case "violation":
      return "violation";
    case "fallback":
      return "otherwise";
    case "worker":
      return "each item";
    case "handOver":
      return "hands over";
    default:
      return condition ?? "";
  }
}

/** A text up to a maximum length, with an ellipsis in its middle if it is cut. */
export function cutInside(text: string, most: number): string {
  const characters = [...text.replace(/\s+/g, " ").trim()];
  if (characters.length <= most) {
    return characters.join("");
  }
  const end = Math.ceil((most - 1) / 2);
  return `${characters.slice(0, most - 1 - end).join("")}…${characters.slice(characters.length - end).join("")}`;
}
