/**
 * Details of the current step: why an edge was followed or not, other answers, the state.
 *
 * Input: events of a trace, states from the server. Output: elements. Invariant: everything from a run is shown as
 * text.
 */

import type { Standing, TraceEvent } from "../shared/protocol.ts";
import { reasonOf } from "../shared/reason.ts";
import { button, table } from "./parts.ts";
import { brief, money, time } from "./steps.ts";
import { html } from "./elements.ts";

const VALUE_MAX = 400;

/** Why an edge was followed or not: its condition and the value of each part. */
export function whyJudged(event: TraceEvent): HTMLElement[] {
  if (event.event !== "edge-judged") {
    return [];
  }
  const isFollowed = event["followed"] === true;
  const title = html("h2", {}, `Why ${String(event["target"])} is ${isFollowed ? "next" : "not next"}`);
  const reasons = event["why"] as { condition: string; value: unknown; parts: { text: string; value: unknown }[] } | undefined;
  if (reasons === undefined) {
    return [title, html("p", {}, isFollowed ? "The edge has no condition." : "An earlier edge was followed.")];
  }
  const parts = reasons.parts.map((part): [string, string] => [part.text, brief(part.value)]);
  return [title, table([[reasons.condition, brief(reasons.value)], ...parts])];
}

/** A field for another answer in place of an event's. Empty if the event is not an answer. */
export function otherAnswer(event: TraceEvent, answerWith: (answer: unknown) => void): HTMLElement[] {
  const answer = event.event === "answered" ? event["answer"] : event.event === "resumed" ? event["decision"] : undefined;
  if (answer === undefined) {
    return [];
  }
  const { usage: _, after: __, retries: ___, ...plain } = answer as Record<string, unknown>;
  const area = html("textarea", { rows: 4, "aria-label": "Different answer" });
  area.value = JSON.stringify(plain, null, 1);
  const wrong = html("p", { class: "hint" });
  const go = button("Rerun with This Answer", "Repeat the run up to this step, then continue with this answer", () => {
    try {
      answerWith(JSON.parse(area.value));
    } catch (error) {
      wrong.textContent = reasonOf(error);
    }
  });
  return [html("h2", {}, "Try a different answer"), area, go, wrong];
}

/** The state after an event, and what the event changed. */
export function stateParts(found: Standing): HTMLElement[] {
  const spent = [time(found.at), money(found.spent)].filter((part) => part !== "").join(" · ");
  const changes = found.changes.map((change): [string, string] => {
    const before = "before" in change ? brief(change.before) : "—";
    return [change.key, `${before} → ${"after" in change ? brief(change.after) : "removed"}`];
  });
  const changed = changes.length === 0 ? [] : [html("h2", {}, "Changes in this step"), table(changes, "changes")];
  const states = found.graphs.toReversed().flatMap((graph) => [html("h2", {}, graph.depth === 0 ? "State" : `State of ${graph.graph}`), table(entries(graph.state), "keys")]);
  return [html("p", { class: "hint" }, spent), ...changed, ...states];
}

function entries(value: unknown): [string, string][] {
  const isMapping = typeof value === "object" && value !== null && !Array.isArray(value);
  return isMapping ? Object.entries(value).map(([key, one]) => [key, brief(one, VALUE_MAX)]) : [["", brief(value, VALUE_MAX)]];
}
