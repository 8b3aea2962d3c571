// The frame of the Node oracles: JSON lines in, one JSON line out for each, in order.
import { createInterface } from 'node:readline';

// Upstream logs to the console; standard output belongs to the answers.
for (const level of ['debug', 'error', 'info', 'log', 'warn']) console[level] = () => {};

/** Answers every line with what `kinds[question.ask]` gives back; a bug of an oracle is an answer `{ broken }`. */
export async function answerLines(kinds) {
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    if (line.trim() === '') continue;
    let answer;
    try {
      const question = JSON.parse(line);
      answer = await kinds[question.ask](question);
    } catch (error) {
      answer = { broken: error.stack ?? String(error) };
    }
    process.stdout.write(JSON.stringify(answer) + '\n');
  }
}

/** A value as JSON; what JSON has no word for, fractions included, becomes `{"$": word}`. */
export function show(value, depth = 0) {
  if (value === undefined) return { $: 'undefined' };
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : { $: String(value) };
  if (typeof value === 'function') return { $: 'function' };
  if (value instanceof Error) return { $: value.constructor.name };
  if (value === null || typeof value !== 'object') return value;
  if (depth > 40) return { $: 'deep' };
  if (Array.isArray(value)) return Array.from(value, (item) => show(item, depth + 1));
  if (Object.getPrototypeOf(value) !== Object.prototype) return { $: 'engine object' };
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, show(item, depth + 1)]));
}
