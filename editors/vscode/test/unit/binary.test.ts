/** Which server is found. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { findBinary, type Surroundings } from "../../src/binary.ts";

function find(files: string[], more: Partial<Surroundings> = {}): string {
  const found = findBinary({
    setting: "",
    extensionFolder: "/extension",
    searchPath: "/usr/local/bin:/usr/bin",
    home: "/users/ada",
    platform: "linux",
    isExecutable: (file) => files.includes(file),
    ...more,
  });
  return found.file === undefined ? found.reason : `${found.origin}: ${found.file}`;
}

test("the one that came with the extension is better than one on the PATH", () => {
  assert.equal(find(["/extension/server/nodewise", "/usr/bin/nodewise"]), "bundled: /extension/server/nodewise");
  assert.equal(find(["/usr/bin/nodewise"]), "path: /usr/bin/nodewise");
});

test("the setting counts more than both, and is never replaced in silence", () => {
  const files = ["/extension/server/nodewise", "/opt/nodewise", "/users/ada/bin/nodewise"];
  assert.equal(find(files, { setting: "/opt/nodewise" }), "setting: /opt/nodewise");
  assert.equal(find(files, { setting: "~/bin/nodewise" }), "setting: /users/ada/bin/nodewise");
  assert.equal(find(files, { setting: "/opt/other" }), "The setting nodewise.server.path is not an executable file: /opt/other");
});

test("relative paths are refused: they would be looked up in the folder that is open", () => {
  assert.match(find(["bin/nodewise", "./nodewise"], { setting: "bin/nodewise" }), /must be an absolute path/);
  assert.match(find(["nodewise", "./nodewise", "bin/nodewise"], { searchPath: ".:bin:" }), /no bundled server, and nodewise is not on the PATH/);
});

test("on Windows the program has another name, and paths other separators", () => {
  const windows = { platform: "win32" as const, extensionFolder: "C:\\ext", searchPath: "C:\\bin;D:\\tools" };
  assert.equal(find(["D:\\tools\\nodewise.exe"], windows), "path: D:\\tools\\nodewise.exe");
  assert.equal(find(["C:\\ext\\server\\nodewise.exe"], windows), "bundled: C:\\ext\\server\\nodewise.exe");
});
