/**
 * A test reporter that names what failed, so that the last lines of a long log show it.
 *
 * Input: the events of Node's test runner. Output: a line for each failed test, with the first line of its error and the line of the test.
 */

import type { TestEvent } from "node:test/reporters";

export default async function* failures(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type === "test:fail") {
      const { error } = event.data.details;
      // A suite fails because a test of it did.
      if (error.cause instanceof Error || !/^\d+ subtests? failed/.test(error.message)) {
        const { message, stack } = error.cause instanceof Error ? error.cause : error;
        const place = /[\w-]+\.test\.ts:\d+/.exec(stack ?? "")?.[0];
        yield `${event.data.name}: ${message.split("\n")[0] ?? ""}${place === undefined ? "" : ` (${place})`}\n`;
      }
    }
  }
}
