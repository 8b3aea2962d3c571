// The worker that is the language server in VS Code for the Web.
//
// Input: the module, then messages of the Language Server Protocol, and texts of files. Output: messages of the protocol. Invariant: messages
// are handled in their order, and the worker fetches nothing.

import { functionsOf } from "../../../npm/wasm/module.js";

/** What waits for a pause, such as problems of other files, is sent this long after the last message. */
const PAUSE_MS = 200;

let pausing;
let failure;
let loading;
let work = Promise.resolve();

self.onmessage = ({ data }) => {
  if (data.module) {
    loading = WebAssembly.compile(data.module).then(functionsOf);
    return;
  }
  work = work.then(() => handle(data));
};

async function handle(message) {
  clearTimeout(pausing);
  if (failure === undefined) {
    try {
      await tell(message);
      pausing = setTimeout(() => (work = work.then(() => tell(null)).catch(fail)), PAUSE_MS);
      return;
    } catch (error) {
      fail(error);
    }
  }
  if (message.id !== undefined && message.method !== undefined) {
    self.postMessage({ jsonrpc: "2.0", id: message.id, error: { code: -32603, message: failure } });
  }
}

async function tell(message) {
  const { ask } = await loading;
  ask({ want: "language", message, now: Date.now() }).forEach((answer) => self.postMessage(answer));
}

/** The files and documents of a server that failed are lost, so only a new worker can continue. */
function fail(error) {
  failure = `The nodewise server failed: ${error.message}`;
  self.postMessage({ jsonrpc: "2.0", method: "nodewise/failed", params: { reason: failure } });
}
