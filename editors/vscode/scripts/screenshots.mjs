// Copies the pictures of the README and of the walkthrough from the last tests in the workbench.

import { cpSync, mkdirSync } from "node:fs";
import path from "node:path";

const PICTURES = {
  screenshots: ["problems", "completion", "graph", "simulation", "tests", "live", "compare"],
  walkthrough: ["example", "check", "graph", "simulate", "scenarios", "runs"],
};
const extension = path.join(import.meta.dirname, "..");
const results = process.env.NODEWISE_RESULTS ?? path.join(extension, "..", "..", "target", "vscode", "results");
for (const [folder, pictures] of Object.entries(PICTURES)) {
  const target = path.join(extension, "media", folder);
  mkdirSync(target, { recursive: true });
  for (const picture of pictures) {
    const name = folder === "walkthrough" ? `walkthrough-${picture}` : picture;
    cpSync(path.join(results, `${name}.png`), path.join(target, `${picture}.png`));
  }
}
