// Questions to the worker.
//
// Input: requests of the module. Output: promises of their answers. Invariant: an error of the module becomes an error with its help.

const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
const waiting = new Map();
let last = 0;

worker.onmessage = ({ data: { number, answer, error, help } }) => {
  const { resolve, reject } = waiting.get(number);
  waiting.delete(number);
  if (error === undefined) {
    resolve(answer);
  } else {
    reject(Object.assign(new Error(error), { help }));
  }
};

/** Asks the module. */
export function ask(request) {
  last += 1;
  const number = last;
  return new Promise((resolve, reject) => {
    waiting.set(number, { resolve, reject });
    worker.postMessage({ number, request });
  });
}
