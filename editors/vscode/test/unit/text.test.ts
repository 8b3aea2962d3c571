/** Texts of files and runs in messages of the editor. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { withoutLinks } from "../../shared/text.ts";

/** How the editor finds links in its messages. */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;

test("no text becomes a link, and none is another one to a reader", () => {
  for (const text of ["[a](command:b)", "x [a](https://b.example 'title') y", "[[a](command:b)](file:///c)", "[a]\u2060](command:b)"]) {
    assert.equal(withoutLinks(text).replaceAll("\u2060", ""), text.replaceAll("\u2060", ""));
    assert.doesNotMatch(withoutLinks(text), LINK);
  }
  assert.match("[a](command:b)", LINK);
  assert.equal(withoutLinks("f[0] (x), [y]"), "f[0] (x), [y]");
});
