/**
 * A local model server: streamed chat completions, each with 30 input tokens and 10 output tokens.
 *
 * Input: answers, each with a text that its call contains. Output: an address, and the calls. Invariant: a call that
 * the test did not expect is an error, and every call is recorded.
 */

import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The number of characters in each part of an answer. */
const PART = 7;

export class Models {
  /** The bodies of the calls, in order. */
  readonly asked: string[] = [];
  /** Whether calls wait for an answer that never comes. */
  isSilent = false;
  /** If set, an answer stops after its first part until this is called. */
  private held: (() => void) | undefined;
  private isHolding = false;
  private readonly server: Server;

  private constructor(answers: Record<string, string>) {
    this.server = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      this.asked.push(body);
      const answer = Object.entries(answers).find(([part]) => body.includes(part))?.[1];
      if (answer === undefined) {
        response.writeHead(500).end("no answer is foreseen");
      } else if (!this.isSilent) {
        await say(response, answer, () => this.pause());
      }
    });
  }

  /** The next answers stop after their first part, until they are released. */
  hold(): void {
    this.isHolding = true;
  }

  /** Lets a held answer continue. Later answers are not held. */
  release(): void {
    this.isHolding = false;
    this.held?.();
  }

  private pause(): Promise<void> {
    return this.isHolding ? new Promise((resolve) => (this.held = resolve)) : Promise.resolve();
  }

  static async start(answers: Record<string, string>): Promise<Models> {
    const models = new Models(answers);
    await new Promise<void>((resolve) => models.server.listen(0, "127.0.0.1", resolve));
    return models;
  }

  /** The base address, to which any path can be appended. */
  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close().closeAllConnections();
  }
}

async function say(response: ServerResponse, text: string, pause: () => Promise<void>): Promise<void> {
  const send = (data: unknown) => response.write(`data: ${JSON.stringify(data)}\n\n`);
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (let from = 0; from < text.length; from += PART) {
    send({ choices: [{ index: 0, delta: { content: text.slice(from, from + PART) }, finish_reason: null }] });
    if (from === 0) {
      await pause();
    }
  }
  send({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
  send({ choices: [], usage: { prompt_tokens: 30, completion_tokens: 10 } });
  response.end("data: [DONE]\n\n");
}
