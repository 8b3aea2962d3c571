/** Lists that are sent as changes. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { changed, ChangeTracker } from "../../shared/changes.ts";

test("only members that changed are sent, and applying them gives the list", () => {
  const tracker = new ChangeTracker<{ id: string }>();
  const lists = [["a", "b", "c"], ["a", "x", "c"], ["a", "x", "c"], ["a"], ["n", "a", "b", "c", "d"], []].map((ids) => ids.map((id) => ({ id })));
  let received: { id: string }[] = [];
  const counts = lists.map((list) => {
    const changes = tracker.changes(list);
    received = changed(received, changes);
    assert.deepEqual(received, list);
    return changes.at.length;
  });
  assert.deepEqual(counts, [3, 1, 0, 0, 5, 0]);
});

test("after a reset, every member is sent again", () => {
  const tracker = new ChangeTracker<number>();
  tracker.changes([1, 2]);
  tracker.reset();
  assert.deepEqual(changed([], tracker.changes([1, 2])), [1, 2]);
});
