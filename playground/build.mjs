// Builds the page: node build.mjs MODULE FOLDER
//
// Input: the module, and the examples of the repository. Output: a folder of static files. Invariant: every file of the page is in the
// folder, and the page fetches nothing else.

import { build } from "esbuild";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const [module, out] = process.argv.slice(2).map((argument) => path.resolve(argument));
const here = path.dirname(fileURLToPath(import.meta.url));
const examples = path.join(here, "../examples");
/** The examples: the title, the folder, and the file that is open at the beginning. */
const EXAMPLES = [
  ["cycgraph: insurance claims", "cycgraph", "claims.yaml", "claims.script.yaml"],
  ["cycgraph: the same with mistakes", "cycgraph-broken", "claims.yaml"],
  ["AgentOS: refunds", "agentos", "refunds.yaml", "refunds.script.yaml"],
  ["AgentOS: the same with mistakes", "agentos-broken", "refunds.yaml"],
  ["Liman: a help desk", "liman", "desk.yaml"],
  ["Liman: the same with mistakes", "liman-broken", "desk.yaml"],
];

function textsOf(folder, prefix = "") {
  return Object.fromEntries(
    readdirSync(folder)
      .sort()
      .flatMap((name) => {
        const file = path.join(folder, name);
        if (statSync(file).isDirectory()) {
          return Object.entries(textsOf(file, `${prefix}${name}/`));
        }
        return /\.(ya?ml|json|toml)$/.test(name) ? [[`${prefix}${name}`, readFileSync(file, "utf8")]] : [];
      }),
  );
}

const found = EXAMPLES.map(([title, folder, open, script]) => ({
  title,
  files: textsOf(path.join(examples, folder)),
  open,
  subject: open,
  script,
}));

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: ["src/page.js", "src/worker.js"],
  outdir: out,
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "linked",
  plugins: [
    {
      name: "examples",
      setup({ onLoad, onResolve }) {
        onResolve({ filter: /^examples$/ }, () => ({ path: "examples", namespace: "examples" }));
        onLoad({ filter: /.*/, namespace: "examples" }, () => ({ contents: JSON.stringify(found), loader: "json" }));
      },
    },
  ],
});
for (const file of ["index.html", "style.css"]) {
  copyFileSync(path.join(here, file), path.join(out, file));
}
copyFileSync(module, path.join(out, "nodewise.wasm"));
