// Bundles the extension and its webviews into `dist`, and copies the grammars and the schema of `nodewise.toml` there.
//
//   node scripts/build.mjs [--module nodewise.wasm]
//
// With `--module`, the parts for VS Code for the Web are added, whose language server is that module.

import { build } from "esbuild";
import { cpSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { module: { type: "string" } } });
const module = values.module === undefined ? undefined : path.resolve(values.module);

const folder = path.join(import.meta.dirname, "..");
process.chdir(folder);
rmSync("dist", { recursive: true, force: true });

const shared = { bundle: true, minify: true, sourcemap: false, logLevel: "warning", legalComments: "none" };
await build({
  ...shared,
  entryPoints: ["src/desktop.ts"],
  outfile: "dist/extension.js",
  external: ["vscode"],
  format: "cjs",
  platform: "node",
  target: "node20",
});
if (module !== undefined) {
  const web = { ...shared, platform: "browser", target: "es2022" };
  await build({ ...web, entryPoints: ["src/web.ts"], outfile: "dist/web/extension.js", external: ["vscode"], format: "cjs" });
  await build({ ...web, entryPoints: ["web/worker.js"], outfile: "dist/web/worker.js", format: "iife" });
  cpSync(module, "dist/web/nodewise.wasm");
}
for (const view of ["graph", "simulation"]) {
  await build({
    ...shared,
    entryPoints: [`webview/${view}.ts`],
    outfile: `dist/webview/${view}.js`,
    format: "iife",
    platform: "browser",
    target: "chrome122",
  });
}
for (const sheet of ["surface.css", "simulation.css"]) {
  cpSync(`webview/${sheet}`, `dist/webview/${sheet}`);
}
cpSync(path.join("..", "..", "schemas", "config.schema.json"), path.join("dist", "schemas", "nodewise.toml.schema.json"));
const grammars = path.join("..", "..", "grammars", "textmate");
for (const grammar of readdirSync(grammars).filter((file) => file.endsWith(".tmLanguage.json"))) {
  cpSync(path.join(grammars, grammar), path.join("dist", "syntaxes", grammar));
}
