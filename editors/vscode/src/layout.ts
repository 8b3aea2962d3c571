/**
 * Layouts for webviews: they measure what they draw, and the server computes the positions.
 *
 * Input: a question of a webview. Output: the answer. Invariant: every question gets an answer.
 */

import type { LayoutAnswer, LayoutQuestion } from "../shared/messages.ts";
import type { LaidOut } from "../shared/protocol.ts";
import { reasonOf } from "../shared/reason.ts";
import type { Server } from "./server.ts";

export async function layoutFor(server: Server, { number, drawing }: LayoutQuestion): Promise<LayoutAnswer> {
  const laidOut = await server.command<LaidOut>("nodewise.layout", drawing).catch(reasonOf);
  return { type: "layout", number, laidOut };
}
