// The package in Node: the module is read from its file.

import { readFile } from "node:fs/promises";
import { functionsOf, NodewiseError, whenLoaded } from "./module.js";

export { NodewiseError };

/** Loads the module. */
export async function load(module) {
  if (module instanceof WebAssembly.Module) {
    return functionsOf(module);
  }
  return functionsOf(await WebAssembly.compile(module ?? (await readFile(new URL("nodewise.wasm", import.meta.url)))));
}

export const { check, format, graph, simulate } = whenLoaded(load);
