/** Paths as Node's own functions understand them. */

import assert from "node:assert/strict";
import { posix } from "node:path";
import { test } from "node:test";

import { fileName, folderOf, relativePath } from "../../shared/paths.ts";

test("names, folders and ways are those of posix", () => {
  for (const [folder, file] of [["/a/b", "/a/b/c.yaml"], ["/a/b", "/a/c/d.yaml"], ["/", "/a.yaml"], ["/a", "/a"], ["/a/bc", "/a/b/x"]] as const) {
    assert.equal(relativePath(folder, file), posix.relative(folder, file));
    assert.equal(fileName(file), posix.basename(file));
  }
  assert.equal(folderOf("a/b/c.yaml"), "a/b");
  assert.equal(folderOf("c.yaml"), "");
});
