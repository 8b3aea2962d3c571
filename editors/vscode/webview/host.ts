/**
 * The connection of a webview to the extension.
 *
 * Input: messages from the extension. Output: messages to it, and requests for layouts. Invariant: each answer reaches
 * the request with the same number.
 */

import type { LayoutAnswer, LayoutQuestion } from "../shared/messages.ts";
import type { LayOut } from "./canvas.ts";

interface Host {
  postMessage(message: unknown): void;
}

declare function acquireVsCodeApi(): Host;

export interface Connection<From> {
  send(message: From): void;
  layout: LayOut;
}

/** The webview's side. `hear` gets the messages that are not answers. */
export function connect<To extends { type: string }, From>(hear: (message: Exclude<To, LayoutAnswer>) => void): Connection<From> {
  const host = acquireVsCodeApi();
  const waiting = new Map<number, (answer: LayoutAnswer) => void>();
  let asked = 0;
  window.addEventListener("message", ({ data }: MessageEvent<Exclude<To, LayoutAnswer> | LayoutAnswer>) => {
    if (isLayout(data)) {
      waiting.get(data.number)?.(data);
      waiting.delete(data.number);
    } else {
      hear(data);
    }
  });
  const layout: LayOut = (drawing) => {
    asked += 1;
    const question: LayoutQuestion = { type: "layout", number: asked, drawing };
    host.postMessage(question);
    return new Promise((resolve, reject) => {
      waiting.set(question.number, ({ laidOut }) => (typeof laidOut === "string" ? reject(new Error(laidOut)) : resolve(laidOut)));
    });
  };
  return { send: (message) => host.postMessage(message), layout };
}

function isLayout(message: { type: string }): message is LayoutAnswer {
  return message.type === "layout";
}
