// Builds the page: node build.mjs MODULE FOLDER [DOCUMENTATION]
//
// Input: the module, the examples and the rule pages of the repository, and the address of the documentation for the page's links.
// Output: a folder of static files. Invariant: every file of the page is in the folder, and the page fetches nothing else.

import { build } from "esbuild";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const [module, out] = process.argv.slice(2, 4).map((argument) => path.resolve(argument));
const documentation = process.argv[4];
const here = path.dirname(fileURLToPath(import.meta.url));
const examples = path.join(here, "../examples");
const rules = path.join(here, "../docs/rules");
/** The examples: the title, the folder, and the file that is open at the beginning. One with mistakes is behind its twin without. */
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

const found = EXAMPLES.map(([title, folder, open, script], number) => ({
  title,
  files: textsOf(path.join(examples, folder)),
  open,
  subject: open,
  script,
  twin: folder.endsWith("-broken") ? number - 1 : undefined,
}));

/** Why what a rule reports matters, by rule. */
function reasons() {
  const pages = readdirSync(rules).filter((name) => name !== "README.md");
  const reason = (name) => {
    const [, behind] = readFileSync(path.join(rules, name), "utf8").split("\n## Why it matters\n");
    return behind.split("\n## ")[0].trim().replace(/([^\n])\n(?!\n)/g, "$1 ");
  };
  return Object.fromEntries(pages.map((name) => [path.basename(name, ".md"), reason(name)]));
}

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
  define: { DOCUMENTATION: JSON.stringify(documentation ?? null) },
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
writeFileSync(path.join(out, "reasons.json"), JSON.stringify(reasons()));
for (const file of ["index.html", "style.css"]) {
  copyFileSync(path.join(here, file), path.join(out, file));
}
copyFileSync(module, path.join(out, "nodewise.wasm"));
