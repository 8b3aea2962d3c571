/**
 * A server of models on this machine: chat completions, streamed, each of 30 tokens that are read and 10 that are written.
 *
 * Input: what is said to whom, by a text that a call holds; output: an address, and what was asked. Invariant: what a test did
 * not foresee is an error, and every call is kept.
 */

import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** So many characters of an answer come at once. */
const PART = 7;

export class Models {
  /** The bodies of the calls, in their order. */
  readonly asked: string[] = [];
  /** Whether calls wait for an answer that never comes. */
  isSilent = false;
  private readonly server: Server;

  private constructor(answers: Record<string, string>) {
    this.server = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      this.asked.push(body);
      const answer = Object.entries(answers).find(([part]) => body.includes(part))?.[1];
      if (answer === undefined) {
        response.writeHead(500).end("no answer is foreseen");
      } else if (!this.isSilent) {
        say(response, answer);
      }
    });
  }

  static async start(answers: Record<string, string>): Promise<Models> {
    const models = new Models(answers);
    await new Promise<void>((resolve) => models.server.listen(0, "127.0.0.1", resolve));
    return models;
  }

  /** Where everything is served, whatever path follows. */
  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close().closeAllConnections();
  }
}

function say(response: ServerResponse, text: string): void {
  const send = (data: unknown) => response.write(`data: ${JSON.stringify(data)}\n\n`);
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (let from = 0; from < text.length; from += PART) {
    send({ choices: [{ index: 0, delta: { content: text.slice(from, from + PART) }, finish_reason: null }] });
  }
  send({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
  send({ choices: [], usage: { prompt_tokens: 30, completion_tokens: 10 } });
  response.end("data: [DONE]\n\n");
}
