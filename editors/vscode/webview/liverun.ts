/**
 * A live run that has not ended: its steps so far, and what models have said so far.
 *
 * Input: parts of the run. Output: a story that grows, and texts. Invariant: what models say is shown as text, and is
 * replaced by the whole answer.
 */

import type { Declared } from "../shared/messages.ts";
import type { RunProgress, Usage } from "../shared/protocol.ts";
import { html } from "./elements.ts";
import { money, Story } from "./steps.ts";

/** An answer that is not complete. */
interface Partial {
  text: string;
  /** Why the call is repeated. */
  note: string;
}

export class LiveRun {
  readonly story: Story;
  private readonly answers = new Map<number, Partial>();
  private spent: Usage = {};

  constructor(beginning: NonNullable<RunProgress["beginning"]>, declared: Declared[]) {
    this.story = new Story({ ...beginning, outcome: { status: "running" }, time: 0, spent: {}, events: [], locations: [] }, declared);
  }

  /** Adds what happened since the last part. */
  take(part: RunProgress): void {
    this.story.trace.locations.push(...part.locations);
    this.story.extend(part.events);
    this.spent = part.spent;
    for (const event of part.events) {
      if (event.event === "answered") {
        this.answers.delete(Number(event["ask"]));
      }
    }
    for (const { ask, text, again } of part.answers) {
      const before = again === undefined ? this.answers.get(ask) : undefined;
      this.answers.set(ask, { text: (before?.text ?? "") + (text ?? ""), note: again?.reason ?? before?.note ?? "" });
    }
  }

  /** What the run did and used so far, in one line. */
  summary(): string {
    const visits = this.story.steps.filter((step) => step.word === "visit-started").length;
    return ["Running…", visits === 1 ? "1 step" : `${visits} steps`, money(this.spent)].filter((part) => part !== "").join(" · ");
  }

  /** The answers that models are giving. */
  saying(): HTMLElement[] {
    return [...this.answers].flatMap(([ask, { text, note }]) => {
      const said = html("pre", { class: "said" }, text);
      const title = html("h2", {}, `${this.story.asker(ask) ?? "A model"} is answering`);
      return [title, ...(note === "" ? [] : [html("p", { class: "hint" }, `Asked again: ${note}`)]), said];
    });
  }
}
