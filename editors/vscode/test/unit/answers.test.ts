/** Answers as people write them. */

import assert from "node:assert/strict";
import { test } from "node:test";

import type { TraceEvent } from "../../shared/protocol.ts";
import { answerFrom, plainAnswer } from "../../webview/answers.ts";

const answered = (answer: unknown): TraceEvent => ({ at: 0, event: "answered", answer });
const model = (said: object) => answered({ after: 3, usage: { input_tokens: 1 }, reply: { of: "model", calls: [], ...said } });
const value = (found: unknown) => answered({ after: 0, reply: { of: "value", value: found } });
const decision = (decided: object): TraceEvent => ({ at: 0, event: "resumed", decision: decided });

/** What is written for an event, and what another text becomes. */
function check(event: TraceEvent, plain: string, other: string, answer: unknown): void {
  assert.equal(plainAnswer(event), plain);
  assert.deepEqual(answerFrom(event, other), answer);
}

test("a tool answers with its value, a model with its text, a person with a word", () => {
  check(value({ status: "active" }), '{\n  "status": "active"\n}', '{"status": "lapsed"}', { reply: { of: "value", value: { status: "lapsed" } } });
  check(value("ok"), "ok", "not ok", { reply: { of: "value", value: "not ok" } });
  check(model({ text: "950" }), "950", '{"amount": 1}', { reply: { of: "model", text: '{"amount": 1}', calls: [] } });
  check(model({ text: "", value: { a: 1 } }), '{\n  "a": 1\n}', '{"a": 2}', { reply: { of: "model", text: "", calls: [], value: { a: 2 } } });
  check(decision({ word: "approved" }), "approved", "rejected", { word: "rejected" });
});

test("calls, failures and additions of a person are written out", () => {
  const calls = [{ id: "call-1", tool: "save", arguments: { key: "k" } }];
  assert.deepEqual(answerFrom(model({ text: "Yes" }), JSON.stringify({ calls })), { reply: { of: "model", text: "", calls } });
  assert.deepEqual(answerFrom(value(1), '{"failure": {"class": "Timeout"}}'), { failure: { class: "Timeout" } });
  assert.deepEqual(answerFrom(decision({ word: "approved" }), '{"word": "changed", "data": 3}'), { word: "changed", data: 3 });
  assert.equal(plainAnswer({ at: 0, event: "wrote" }), undefined);
});

test("the plain form of every answer gives the same answer", () => {
  const texts = ["", "950", '"quoted"', "true", "two\nlines", '{"text": "x"}', '{"a": 1}', "[1]"];
  const replies = [
    ...texts.map((text) => ({ of: "model", text, calls: [] })),
    { of: "model", text: "", calls: [], value: { text: "x" } },
    { of: "model", text: "Yes", calls: [{ id: "1", tool: "t", arguments: {} }] },
    ...[...texts, null, 0, { failure: 1, and: 2 }, [{}]].map((found) => ({ of: "value", value: found })),
    { of: "verdict", passed: true, results: [] },
    { of: "decision", word: "approved" },
  ];
  for (const reply of replies) {
    const event = answered({ reply });
    assert.deepEqual(answerFrom(event, plainAnswer(event) ?? ""), { reply }, JSON.stringify(reply));
  }
});
