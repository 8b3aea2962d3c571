// Copies the README's screenshots from the last tests in the workbench.

import { cpSync, mkdirSync } from "node:fs";
import path from "node:path";

const PICTURES = ["problems", "completion", "graph", "simulation", "tests"];
const extension = path.join(import.meta.dirname, "..");
const results = process.env.NODEWISE_RESULTS ?? path.join(extension, "..", "..", "target", "vscode", "results");
const screenshots = path.join(extension, "media", "screenshots");
mkdirSync(screenshots, { recursive: true });
for (const picture of PICTURES) {
  cpSync(path.join(results, `${picture}.png`), path.join(screenshots, `${picture}.png`));
}
