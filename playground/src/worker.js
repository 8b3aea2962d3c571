// The worker that holds nodewise.
//
// Input: messages with a number and a request. Output: messages with the same number, and an answer or an error. Invariant: requests are
// answered in their order, and the only thing that is fetched is the module.

import { functionsOf } from "../../npm/wasm/module.js";

const loading = WebAssembly.compileStreaming(fetch(new URL("nodewise.wasm", self.location.href))).then(functionsOf);

self.onmessage = async ({ data: { number, request } }) => {
  try {
    const { ask } = await loading;
    self.postMessage({ number, answer: ask(request) });
  } catch (error) {
    self.postMessage({ number, error: error.message, help: error.help });
  }
};
