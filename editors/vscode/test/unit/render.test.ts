/** The sizes of nodes and labels. */

import assert from "node:assert/strict";
import { test } from "node:test";

import type { DrawnNode } from "../../shared/messages.ts";
import { labelSize, sizeOf } from "../../webview/render.ts";

const NODE: DrawnNode = { id: "a", label: "claims", kind: "agent", role: "node", reads: [], writes: [], problems: 0 };

test("a keystroke moves nothing: texts of about the same length take the same room", () => {
  assert.deepEqual(sizeOf({ ...NODE, label: "claim" }), sizeOf(NODE));
  assert.deepEqual(labelSize("amount < 100"), labelSize("amount < 10"));
});

test("every line takes room, and a long one is cut", () => {
  const [plain, full] = [sizeOf(NODE), sizeOf({ ...NODE, reads: ["claim"], writes: ["category", "amount"] })];
  assert.ok(full.height > plain.height && full.width > plain.width);
  const endless = sizeOf({ ...NODE, label: "x".repeat(10_000), reads: Array.from({ length: 999 }, (_, index) => `key_${index}`) });
  assert.ok(endless.width < 320, JSON.stringify(endless));
  assert.ok(labelSize("x".repeat(10_000)).width < 280);
});

test("marks are low, and a name of many code units is counted by its characters", () => {
  assert.ok(sizeOf({ ...NODE, role: "start" }).height < sizeOf(NODE).height);
  assert.deepEqual(sizeOf({ ...NODE, label: "👩‍🚀👩‍🚀" }), sizeOf({ ...NODE, label: "abcdef" }));
});
