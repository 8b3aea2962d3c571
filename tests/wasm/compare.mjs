// The module for JavaScript beside the command, on the same files.
//
// Input: the variables NODEWISE_SERVER (the command), NODEWISE_PACKAGE (the folder of the npm package) and NODEWISE_ROOT (the checkout).
// Output: a line for each test, and the exit code. Invariant: an answer of the module is the command's, to the byte.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

const NODEWISE = existing("NODEWISE_SERVER");
const PACKAGE = existing("NODEWISE_PACKAGE");
const ROOT = existing("NODEWISE_ROOT");
/** Folders that are projects, or hold some. */
const PROJECTS = ["examples", "tests/data/corpus/agentos", "tests/readers/hostile"];
/** A folder whose configuration leaves out files that the command still runs when they are named. */
const LEAVES_OUT = "examples";
/** Folders whose entries are projects of their own. */
const CORPORA = ["examples", "tests/data/corpus/liman", "tests/data/corpus/cycgraph", "tests/data/modules"];
const TEXTS = /\.(ya?ml|json|tsx?|mts|cts|jsx?|mjs|cjs|toml)$/i;
/** What the module may weigh, in bytes: as it is, and as servers send it. */
const SIZE_MAX = 6_000_000;
const SENT_MAX = 1_800_000;

const { load, check, NodewiseError } = await import(pathToFileURL(path.join(PACKAGE, "node.js")).href);
const nodewise = await load();

function existing(name) {
  const value = process.env[name];
  assert.ok(value, `the variable ${name} is not set`);
  return value;
}

/** The texts below a folder, or of one file. */
function textsOf(place) {
  const files = {};
  const visit = (file, name) => {
    if (statSync(file).isDirectory()) {
      readdirSync(file).sort().forEach((entry) => visit(path.join(file, entry), name ? `${name}/${entry}` : entry));
    } else if (TEXTS.test(file)) {
      const bytes = readFileSync(file);
      const text = bytes.toString("utf8");
      // A text that is not UTF-8 cannot be passed to a function.
      if (Buffer.from(text).equals(bytes) && !text.includes("\0")) {
        files[name || path.basename(file)] = text;
      }
    }
  };
  visit(place, "");
  return files;
}

/** All projects: the name, and the texts. */
function projects() {
  const entries = CORPORA.flatMap((corpus) => readdirSync(path.join(ROOT, corpus)).sort().map((entry) => `${corpus}/${entry}`));
  const all = [...PROJECTS, ...entries].map((name) => [name, textsOf(path.join(ROOT, name))]);
  return all.filter(([, files]) => Object.keys(files).length > 0);
}

/** Writes texts to a folder, and calls with it. */
function inFolder(files, call) {
  const folder = mkdtempSync(path.join(tmpdir(), "nodewise-wasm-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const run = (...words) => spawnSync(NODEWISE, words, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28 });
  try {
    return call(run, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a function returns, or the message of its error. */
function answered(call) {
  try {
    return call();
  } catch (error) {
    assert.ok(error instanceof NodewiseError, error);
    return { message: error.message };
  }
}

const ALL = projects();

test("the findings are the command's", () => {
  let findings = 0;
  for (const [name, files] of ALL) {
    const report = nodewise.check(files);
    inFolder(files, (run) => {
      const { stdout, stderr } = run("check", "--format", "json", ".");
      const expected = JSON.parse(stdout);
      assert.deepEqual(report.diagnostics, expected.diagnostics, `${name}\n${stderr}`);
      assert.deepEqual(report.summary, expected.summary, name);
      findings += expected.diagnostics.length;
    });
  }
  console.log(`    ${findings} findings in ${ALL.length} projects`);
  assert.ok(findings > 500, "the corpora have findings");
});

test("the formatted bytes are the command's", () => {
  let changes = 0;
  for (const [name, files] of ALL) {
    const { changed } = nodewise.format(files);
    inFolder(files, (run, folder) => {
      const { stderr } = run("fmt", ".");
      for (const [file, before] of Object.entries(files)) {
        const after = readFileSync(path.join(folder, file), "utf8");
        assert.equal(changed[file] ?? before, after, `${name}: ${file}\n${stderr}`);
      }
    });
    changes += Object.keys(changed).length;
  }
  console.log(`    ${changes} files formatted`);
  assert.ok(changes > 20, "the corpora have files to format");
});

test("the graphs are the command's", () => {
  let drawn = 0;
  for (const [name, files] of ALL) {
    inFolder(files, (run) => {
      const forms = [["json"], ["text"], ["dot", "--direction", "right"], ["svg", "--nested"], ["markdown"]];
      for (const [format, ...words] of forms) {
        const { stdout, stderr } = run("graph", ".", "--format", format, ...words);
        const options = { format, nested: words.includes("--nested"), direction: words.includes("right") ? "right" : "down" };
        const ours = answered(() => nodewise.graph(files, options));
        if (stdout === "") {
          assert.equal(ours.message, "no graphs to draw", `${name}\n${stderr}`);
          return;
        }
        assert.deepEqual(ours, format === "json" ? JSON.parse(stdout) : stdout, `${name} ${format}`);
        drawn += 1;
      }
    });
  }
  console.log(`    ${drawn} drawings`);
  assert.ok(drawn > 200, "the corpora have graphs");
});

test("the traces are the command's", () => {
  let runs = 0;
  let refused = 0;
  for (const [name, texts] of ALL.filter(([name]) => name !== LEAVES_OUT)) {
    // Without a configuration, the command takes the folder of the named file for the project.
    const files = { "nodewise.toml": "", ...texts };
    inFolder(files, (run) => {
      for (const file of Object.keys(files).filter((file) => /\.(ya?ml|json|ts)$/.test(file))) {
        const { stdout, stderr } = run("simulate", file, "--format", "json");
        const ours = answered(() => nodewise.simulate(files, { file }));
        if (stdout === "") {
          assert.ok(ours.message, `${name}: ${file} runs only in the module\n${stderr}`);
          refused += 1;
          continue;
        }
        assert.equal(JSON.stringify(ours), JSON.stringify(JSON.parse(stdout)), `${name}: ${file}`);
        runs += 1;
      }
    });
  }
  console.log(`    ${runs} runs, ${refused} files that do not run`);
  assert.ok(runs > 50 && refused > 0, "the corpora have graphs that run, and files that do not");
});

test("a run has a script, an input and a form", () => {
  const files = textsOf(path.join(ROOT, "examples/cycgraph"));
  inFolder(files, (run) => {
    const words = ["simulate", "claims.yaml", "--script", "claims.script.yaml", "--seed", "7", "--limit-visits", "5"];
    const options = { file: "claims.yaml", script: "claims.script.yaml", seed: 7, limits: { visits: 5 } };
    for (const format of ["text", "svg", "mermaid"]) {
      assert.equal(nodewise.simulate(files, { ...options, format }), run(...words, "--format", format).stdout, format);
    }
  });
});

test("what a function cannot answer is said in words", async () => {
  await assert.rejects(check({ "a.yaml": 1 }), { name: "NodewiseError", message: /^the request cannot be read/ });
  assert.throws(() => nodewise.simulate({}, {}), { message: "there is nothing to run", help: /add files/ });
  const hostile = { "a.yaml": `${"[".repeat(200_000)}`, "b.json": `${'{"nodes":'.repeat(100_000)}` };
  assert.ok(nodewise.check(hostile).summary.errors >= 0);
  assert.deepEqual(nodewise.check({}).diagnostics, [], "the instance still answers");
});

test("the module imports nothing, and is small", async () => {
  const bytes = readFileSync(path.join(PACKAGE, "nodewise.wasm"));
  assert.deepEqual(WebAssembly.Module.imports(await WebAssembly.compile(bytes)), []);
  const sent = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } });
  console.log(`    ${(bytes.length / 1e6).toFixed(2)} MB, ${(sent.length / 1e6).toFixed(2)} MB with brotli`);
  assert.ok(bytes.length <= SIZE_MAX, `${bytes.length} bytes`);
  assert.ok(sent.length <= SENT_MAX, `${sent.length} bytes with brotli`);
});

test("the types fit the functions", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "nodewise-types-"));
  const modules = path.join(folder, "node_modules/@nodewise");
  mkdirSync(modules, { recursive: true });
  cpSync(PACKAGE, path.join(modules, "wasm"), { recursive: true });
  writeFileSync(path.join(folder, "package.json"), '{"type": "module"}\n');
  writeFileSync(
    path.join(folder, "use.ts"),
    `import { check, format, graph, load, NodewiseError, simulate } from "@nodewise/wasm";
const files = { "a.yaml": "kind: x" };
const errors: number = (await check(files)).summary.errors;
const changed: Record<string, string> = (await format(files)).changed;
const picture: string = await graph(files, { format: "svg" });
const graphs: unknown[] = (await graph(files)).graphs;
const status: string = (await simulate(files, { file: "a.yaml" })).outcome.status;
const first: string | undefined = (await load()).check(files).diagnostics[0]?.fixes[0]?.title;
const help = (error: NodewiseError): string | undefined => error.help;
// @ts-expect-error A picture is a text.
const data: { graphs: unknown[] } = await graph(files, { format: "svg" });
export { errors, changed, picture, graphs, status, first, help, data };
`,
  );
  const compiler = path.join(path.dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
  const words = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--lib", "es2022,dom", "use.ts"];
  execFileSync(process.execPath, [compiler, ...words], { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
  rmSync(folder, { recursive: true, force: true });
});
