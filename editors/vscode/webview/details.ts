/**
 * Details of the current step: why an edge was followed or not, other answers, the state.
 *
 * Input: events of a trace, states from the server. Output: elements. Invariant: everything from a run is shown as
 * text.
 */

import type { Standing, TraceEvent } from "../shared/protocol.ts";
import { answerFrom, plainAnswer } from "./answers.ts";
import { html } from "./elements.ts";
import { button, table } from "./parts.ts";
import { brief, money, time } from "./steps.ts";
import { isMapping, tree } from "./tree.ts";

/** What an event says: a question with its prompts, an answer, what a node reads. */
export function whatHappened(event: TraceEvent): HTMLElement[] {
  switch (event.event) {
    case "visit-started":
      return event["reads"] === undefined || isEmpty(event["reads"]) ? [] : [html("h2", {}, "Reads"), tree(event["reads"])];
    case "asked":
      return question(event);
    case "answered": {
      const { reply, failure } = (event["answer"] ?? {}) as { reply?: Record<string, unknown>; failure?: unknown };
      return failure === undefined ? answer(reply ?? {}) : [html("h2", {}, "Failure"), tree(failure)];
    }
    case "paused":
      return [html("h2", {}, "Question to a person"), tree(event["question"])];
    case "visit-ended":
      return event["failure"] === undefined ? [] : [html("h2", {}, "Failure"), tree(event["failure"])];
    default:
      return [];
  }
}

function question(event: TraceEvent): HTMLElement[] {
  const { prompt, tools, ...asked } = (event["question"] ?? {}) as Record<string, unknown>;
  const messages = Array.isArray(prompt) ? (prompt as { role?: unknown; content?: unknown }[]) : [];
  const offered = Array.isArray(tools) ? tools.map((tool: unknown) => String(isMapping(tool) ? (tool["name"] ?? brief(tool)) : tool)) : [];
  return [
    html("h2", {}, event["of"] === "model" ? "Prompt" : `Question to the ${String(event["of"])}`),
    ...messages.map(({ role, content }) =>
      html("div", { class: "message" }, html("span", { class: "role" }, String(role ?? "")), typeof content === "string" ? html("pre", {}, content) : tree(content)),
    ),
    ...(offered.length === 0 ? [] : [html("p", { class: "hint" }, `Tools: ${offered.join(", ")}`)]),
    ...(messages.length > 0 ? [] : [tree(asked)]),
  ];
}

function answer({ of: _, text, calls, ...more }: Record<string, unknown>): HTMLElement[] {
  const said = typeof text === "string" && text !== "" ? [html("pre", {}, text)] : [];
  const called = Array.isArray(calls) ? (calls as { tool?: unknown; arguments?: unknown }[]) : [];
  const calling = called.map((call) => html("div", { class: "message" }, html("span", { class: "role" }, `calls ${String(call.tool)}`), tree(call.arguments)));
  return [html("h2", {}, "Answer"), ...said, ...calling, ...(Object.keys(more).length === 0 ? [] : [tree("value" in more && !isMapping(more["value"]) ? more : (more["value"] ?? more))])];
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === "object" && Object.keys(value).length === 0);
}

/** Why an edge was followed or not: its condition and the value of each part. */
export function whyJudged(event: TraceEvent): HTMLElement[] {
  if (event.event === "handed-over") {
    return [html("h2", {}, `Why ${String(event["target"])} is next`), html("p", {}, sentence(event["reason"] ?? "the node hands over to it"))];
  }
  if (event.event !== "edge-judged") {
    return [];
  }
  const isFollowed = event["followed"] === true;
  const title = html("h2", {}, `Why ${String(event["target"])} is ${isFollowed ? "next" : "not next"}`);
  const reason = event["reason"] === undefined ? [] : [html("p", {}, sentence(event["reason"]))];
  const reasons = event["why"] as { condition: string; value: unknown; parts: { text: string; value?: unknown; error?: string }[] } | undefined;
  if (reasons === undefined) {
    return [title, ...(reason.length > 0 ? reason : [html("p", {}, isFollowed ? "The edge has no condition." : "An earlier edge was followed.")])];
  }
  const parts = reasons.parts.map((part): [string, string] => [part.text, part.error === undefined ? brief(part.value) : part.error]);
  return [title, ...reason, table([[reasons.condition, brief(reasons.value)], ...parts])];
}

/** A reason as the server writes it, in the form of a sentence. */
function sentence(reason: unknown): string {
  const text = String(reason);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

/** A field to write another answer instead of the one in an event. Empty if the event is not an answer. */
export function otherAnswer(event: TraceEvent, answerWith: (answer: unknown) => void): HTMLElement[] {
  const plain = plainAnswer(event);
  if (plain === undefined) {
    return [];
  }
  const rows = Math.min(Math.max(plain.split("\n").length, 2), 12);
  const area = html("textarea", { rows, "aria-label": "Different answer" });
  area.value = plain;
  const go = button("Rerun with This Answer", "Repeat the run up to this step, then continue with this answer", () => answerWith(answerFrom(event, area.value)));
  return [html("h2", {}, "Try a different answer"), area, go, html("p", { class: "hint" }, 'Text or JSON. {"failure": {"message": "…"}} lets the call fail.')];
}

/** The state after an event, and what the event changed. */
export function stateParts(found: Standing): HTMLElement[] {
  const spent = [time(found.at), money(found.spent)].filter((part) => part !== "").join(" · ");
  const changes = found.changes.map((change): [string, string] => {
    const before = "before" in change ? brief(change.before) : "—";
    return [change.key, `${before} → ${"after" in change ? brief(change.after) : "removed"}`];
  });
  const changed = changes.length === 0 ? [] : [html("h2", {}, "Changes in this step"), table(changes, "changes")];
  const states = found.graphs.toReversed().flatMap((graph) => {
    const here = found.changes.filter((change) => change.scope === graph.scope);
    const paths = new Map(here.map((change) => [change.key, "before" in change ? brief(change.before) : "nothing"]));
    return [html("h2", {}, graph.depth === 0 ? "State" : `State of ${graph.graph}`), tree(graph.state, paths, "keys")];
  });
  return [html("p", { class: "hint" }, spent), ...changed, ...states];
}
