/**
 * Answers as people write them.
 *
 * Input: an answer of a trace, or a text. Output: the plain text or value, or the answer in the format of traces.
 * Invariant: the plain form of an answer gives the same answer.
 */

import type { TraceEvent } from "../shared/protocol.ts";

type Fields = Record<string, unknown>;

/** The answer or decision of an event as text. Undefined for other events. */
export function plainAnswer(event: TraceEvent): string | undefined {
  if (event.event === "resumed") {
    const { word, ...more } = fields(event["decision"]);
    return Object.keys(more).length === 0 ? String(word) : written(event["decision"]);
  }
  if (event.event !== "answered") {
    return undefined;
  }
  const { reply, failure } = fields(event["answer"]);
  if (failure !== undefined) {
    return written({ failure });
  }
  const { of, ...said } = fields(reply);
  switch (of) {
    case "value":
      return written(said["value"]);
    case "model":
      return modelAnswer(said);
    case "decision": {
      const { word, ...more } = said;
      return Object.keys(more).length === 0 ? String(word) : written(said);
    }
    default:
      return written(said);
  }
}

/** A text in the format of traces, as another answer in place of an event's. */
export function answerFrom(event: TraceEvent, text: string): unknown {
  const value = parsed(text);
  if (event.event === "resumed") {
    return isFields(value) ? value : { word: text.trim() };
  }
  if (isFields(value) && Object.keys(value).length === 1 && "failure" in value) {
    return value;
  }
  const of = String(fields(fields(event["answer"])["reply"])["of"] ?? "value");
  switch (of) {
    case "value":
      return { reply: { of, value: valueOr(value, text) } };
    case "model":
      return { reply: { of, ...modelReply(event, value, text.trim()) } };
    case "decision":
      return { reply: { of, ...(isFields(value) ? value : { word: text.trim() }) } };
    default:
      return { reply: { of, ...(isFields(value) ? value : { value: valueOr(value, text) }) } };
  }
}

/** The text alone, or the value alone, if there is nothing else. */
function modelAnswer(said: Fields): string {
  const { text, value, ...more } = said;
  const calls = Array.isArray(said["calls"]) ? said["calls"] : [];
  const isPlain = calls.length === 0 && Object.keys(more).every((key) => key === "calls");
  if (isPlain && value === undefined && typeof text === "string" && !isModelReply(parsed(text))) {
    return text;
  }
  return isPlain && value !== undefined && (text === "" || text === undefined) && !isModelReply(value) ? written(value) : written(said);
}

function modelReply(event: TraceEvent, value: unknown, text: string): Fields {
  const before = fields(fields(event["answer"])["reply"]);
  if (isModelReply(value)) {
    return { text: "", calls: [], ...value };
  }
  return before["value"] === undefined ? { text, calls: [] } : { text: "", calls: [], value: valueOr(value, text) };
}

/** The value of a text, or the text if it has none. */
function valueOr(value: unknown, text: string): unknown {
  return value === undefined ? text.trim() : value;
}

/** Whether a value has the parts of a model's answer, instead of being the answer. */
function isModelReply(value: unknown): value is Fields {
  return isFields(value) && ("calls" in value || "text" in value);
}

/** A text as it is, another value as JSON. A text that would be read as another value is in quotation marks. */
function written(value: unknown): string {
  return typeof value === "string" && parsed(value) === undefined ? value : JSON.stringify(value, null, 2);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
