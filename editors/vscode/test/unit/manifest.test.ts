/** Everything that the manifest names exists. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { FOLDER, REPOSITORY } from "../tools.ts";

interface Grammar {
  scopeName: string;
  path: string;
}

const read = (file: string) => JSON.parse(readFileSync(file, "utf8"));
const manifest = read(path.join(FOLDER, "package.json"));
const textmate = path.join(REPOSITORY, "grammars", "textmate");

test("every grammar of the repository is contributed", () => {
  const named = (grammars: Grammar[]) => grammars.map((one) => ({ ...one, path: path.basename(one.path) }));
  assert.deepEqual(named(manifest.contributes.grammars), named(read(path.join(textmate, "package.json")).contributes.grammars));
  for (const grammar of manifest.contributes.grammars as Grammar[]) {
    assert.equal(read(path.join(textmate, path.basename(grammar.path))).scopeName, grammar.scopeName);
  }
});

test("pictures and pages exist", () => {
  const readme = readFileSync(path.join(FOLDER, "README.md"), "utf8");
  const pictures = [...readme.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map((found) => found[1] ?? "");
  const steps: { media: { markdown: string }; completionEvents?: string[] }[] = manifest.contributes.walkthroughs[0].steps;
  const pages = steps.map((step) => step.media.markdown);
  const onPages = pages.flatMap((page) => [...readFileSync(path.join(FOLDER, page), "utf8").matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map((found) => path.join(path.dirname(page), found[1] ?? "")));
  const files = [manifest.icon, ...pictures, ...pages, ...onPages];
  // Each step of the walkthrough has a picture, and can be finished.
  assert.equal(onPages.length, steps.length);
  assert.deepEqual(steps.filter((step) => (step.completionEvents ?? []).length === 0), []);
  assert.ok(pictures.length >= 5);
  assert.deepEqual(files.filter((file) => !existsSync(path.join(FOLDER, file))), []);
});

test("every setting is in the readme", () => {
  const readme = readFileSync(path.join(FOLDER, "README.md"), "utf8");
  const groups: { properties: Record<string, unknown> }[] = manifest.contributes.configuration;
  const last = (name: string) => name.split(".").at(-1) ?? name;
  const missing = groups.flatMap((group) => Object.keys(group.properties)).filter((name) => !readme.includes(name) && !readme.includes(`\`.${last(name)}\``));
  assert.deepEqual(missing, []);
});

test("the schema of nodewise.toml is the repository's, under the address in the manifest", () => {
  const folder = path.join(FOLDER, "dist", "schemas");
  rmSync(folder, { recursive: true, force: true });
  execFileSync(process.execPath, [path.join(FOLDER, "scripts", "build.mjs")]);
  const [shipped, ...others] = readdirSync(folder);
  assert.deepEqual([shipped, others], ["nodewise.toml.schema.json", []]);
  const schema = readFileSync(path.join(folder, shipped ?? ""), "utf8");
  assert.equal(schema, readFileSync(path.join(REPOSITORY, "schemas", "config.schema.json"), "utf8"));
  assert.deepEqual(manifest.contributes.tomlValidation, [{ fileMatch: "nodewise.toml", url: JSON.parse(schema).$id }]);
});

test("the version is that of the program", () => {
  const workspace = readFileSync(path.join(REPOSITORY, "Cargo.toml"), "utf8");
  assert.equal(/\[workspace\.package\][^[]*?version = "([^"]+)"/.exec(workspace)?.[1], manifest.version);
});

test("the folder with the records of live runs is hidden in the explorer", () => {
  assert.deepEqual(manifest.contributes.configurationDefaults["files.exclude"], { "**/.nodewise": true });
});

test("what a run did not visit is marked in grey, because red is for errors", () => {
  const source = readFileSync(path.join(FOLDER, "src", "paint.ts"), "utf8");
  assert.match(source, /missed = decoration\("disabledForeground", "disabledForeground"\)/);
});
