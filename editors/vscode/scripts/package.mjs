// Packs the extension for one platform.
//
//   node scripts/package.mjs --target linux-x64 --server ../../target/release/nodewise [--out FOLDER]
//   node scripts/package.mjs --target web --server ../../target/module/language-server.wasm [--out FOLDER]
//
// Without `--target` and `--server`, the package contains no server and uses one on the machine. For the web, the server is the
// WebAssembly module, and the package has only the entry point for the web. The files are copied
// to a separate folder first, so that a package contains only the files in this list.

import { createVSIX } from "@vscode/vsce";
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";

const TARGETS = ["linux-x64", "linux-arm64", "linux-armhf", "alpine-x64", "alpine-arm64", "darwin-x64", "darwin-arm64", "win32-x64", "win32-arm64", "web"];
const FILES = ["README.md", "CHANGELOG.md", "dist", "media"];

const { values } = parseArgs({ options: { target: { type: "string" }, server: { type: "string" }, out: { type: "string" } } });
if ((values.target === undefined) !== (values.server === undefined)) {
  throw new Error("use --target and --server together: a server runs on one platform only");
}
if (values.target !== undefined && !TARGETS.includes(values.target)) {
  throw new Error(`--target must be one of ${TARGETS.join(", ")}`);
}

const extension = path.join(import.meta.dirname, "..");
const repository = path.join(extension, "..", "..");
const out = path.resolve(values.out ?? path.join(repository, "target", "vscode"));
const stage = path.join(out, "stage");
rmSync(stage, { recursive: true, force: true });
mkdirSync(stage, { recursive: true });

const isWeb = values.target === "web";
const parts = isWeb ? ["--module", path.resolve(values.server)] : [];
execFileSync(process.execPath, [path.join(import.meta.dirname, "build.mjs"), ...parts], { stdio: "inherit" });
for (const file of FILES) {
  cpSync(path.join(extension, file), path.join(stage, file), { recursive: true });
}
const licences = ["LICENSE-MIT", "LICENSE-APACHE"].map((file) => readFileSync(path.join(repository, file), "utf8"));
writeFileSync(path.join(stage, "LICENSE.txt"), licences.join("\n\n"));

const { scripts, devDependencies, private: _, ...manifest } = JSON.parse(readFileSync(path.join(extension, "package.json"), "utf8"));
const [, address] = /^repository = "(.*)"$/m.exec(readFileSync(path.join(repository, "Cargo.toml"), "utf8"));
manifest.repository = { type: "git", url: `${address}.git`, directory: "editors/vscode" };
if (isWeb) {
  rmSync(path.join(stage, "dist", "extension.js"));
  delete manifest.main;
  manifest.capabilities.virtualWorkspaces = { supported: "limited", description: "Live runs and the debugger are not available." };
} else {
  delete manifest.browser;
}
writeFileSync(path.join(stage, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);

if (values.server !== undefined && !isWeb) {
  const program = values.target?.startsWith("win32") ? "nodewise.exe" : "nodewise";
  const file = path.join(stage, "server", program);
  cpSync(path.resolve(values.server), file);
  chmodSync(file, 0o755);
}

const name = [manifest.name, manifest.version, values.target].filter((part) => part !== undefined).join("-");
const packagePath = path.join(out, `${name}.vsix`);
await createVSIX({
  cwd: stage,
  packagePath,
  dependencies: false,
  // Pictures are part of the package.
  rewriteRelativeLinks: false,
  ...(values.target === undefined ? {} : { target: values.target }),
});
console.log(packagePath);
