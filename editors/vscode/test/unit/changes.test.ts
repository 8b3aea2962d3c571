/** Lists that are told by what differs. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { changed, Teller } from "../../shared/changes.ts";

test("only what differs is told, and whoever hears it has the list", () => {
  const teller = new Teller<{ id: string }>();
  const lists = [["a", "b", "c"], ["a", "x", "c"], ["a", "x", "c"], ["a"], ["n", "a", "b", "c", "d"], []].map((ids) => ids.map((id) => ({ id })));
  let heard: { id: string }[] = [];
  const told = lists.map((list) => {
    const changes = teller.tell(list);
    heard = changed(heard, changes);
    assert.deepEqual(heard, list);
    return changes.at.length;
  });
  assert.deepEqual(told, [3, 1, 0, 0, 5, 0]);
});

test("who forgets tells everything again", () => {
  const teller = new Teller<number>();
  teller.tell([1, 2]);
  teller.forget();
  assert.deepEqual(changed([], teller.tell([1, 2])), [1, 2]);
});
