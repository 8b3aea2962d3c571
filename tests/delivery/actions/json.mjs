// Lets modules import JSON without saying that it is JSON, as GitHub's packages do for their bundlers.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

export async function load(url, context, next) {
  if (!url.endsWith(".json")) {
    return next(url, context);
  }
  const source = `export default ${await readFile(fileURLToPath(url), "utf8")};`;
  return { format: "module", shortCircuit: true, source };
}
