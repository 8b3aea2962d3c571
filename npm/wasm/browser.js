// The package in a browser or a worker: the module is fetched from beside this file, unless the caller passes it.

import { functionsOf, NodewiseError, whenLoaded } from "./module.js";

export { NodewiseError };

/** Loads the module. */
export async function load(module) {
  if (module instanceof WebAssembly.Module) {
    return functionsOf(module);
  }
  if (module) {
    return functionsOf(await WebAssembly.compile(module));
  }
  return functionsOf(await WebAssembly.compileStreaming(fetch(new URL("nodewise.wasm", import.meta.url))));
}

export const { check, format, graph, simulate } = whenLoaded(load);
