// The functions of the module.
//
// Input: a compiled module, and requests. Output: answers. Invariant: the module imports nothing, so files are read only from what
// the caller passes.

/** A request that has no answer. `help` says what to do. */
export class NodewiseError extends Error {
  constructor(message, help) {
    super(message);
    this.name = "NodewiseError";
    this.help = help;
  }
}

/** The functions of one instance, which keeps the files of the last request: repeated requests about a project are fast. */
export function functionsOf(module) {
  let exports;
  const ask = (request) => {
    exports ??= new WebAssembly.Instance(module, {}).exports;
    let answer;
    try {
      const bytes = new TextEncoder().encode(JSON.stringify(request));
      const start = exports.request(bytes.length);
      new Uint8Array(exports.memory.buffer, start, bytes.length).set(bytes);
      const length = exports.respond();
      answer = new TextDecoder().decode(new Uint8Array(exports.memory.buffer, exports.answer(), length));
    } catch (error) {
      // An instance that failed cannot continue. The next request gets a new one.
      exports = undefined;
      throw new NodewiseError(`nodewise failed on these files: ${error.message}`, "this is a bug in nodewise, please report it");
    }
    const { ok, error } = JSON.parse(answer);
    if (error) {
      throw new NodewiseError(error.message, error.help ?? undefined);
    }
    return ok;
  };
  return {
    ask,
    check: (files) => ask({ want: "check", files }),
    format: (files) => ask({ want: "format", files }),
    graph: (files, options = {}) => ask({ want: "graph", files, options }),
    simulate: (files, options = {}) => ask({ want: "simulate", files, options }),
  };
}

/** The functions of the package: those of one instance, loaded when the first of them is called. */
export function whenLoaded(load) {
  let loading;
  const call =
    (name) =>
    async (...parameters) =>
      (await (loading ??= load()))[name](...parameters);
  return { check: call("check"), format: call("format"), graph: call("graph"), simulate: call("simulate") };
}
