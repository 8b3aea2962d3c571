// A clock that stands still while anything can go on, and jumps to the next timer when nothing can: runs that sleep for
// minutes take milliseconds, and what happens at which time is the same each time.
const real = { setTimeout, clearTimeout, setImmediate, Date };
/** Turns of the event loop after which nothing goes on by itself any more. */
const TURNS = 6;
/** Any moment will do. */
const BEGIN = 1_700_000_000_000;

/** Calls `work` with the clock in place of the machine's, and puts the machine's back. */
export async function withStillClock(work) {
  const clock = { now: BEGIN, next: 1, timers: new Map() };
  install(clock);
  let isDone = false;
  const result = work().finally(() => (isDone = true));
  result.catch(() => {});
  try {
    while (!isDone) {
      for (let turn = 0; turn < TURNS && !isDone; turn++) await new Promise((resolve) => real.setImmediate(resolve));
      if (!isDone && !fireNext(clock)) await new Promise((resolve) => real.setTimeout(resolve, 1));
    }
    return await result;
  } finally {
    Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout, Date: real.Date });
  }
}

function fireNext(clock) {
  let due;
  for (const timer of clock.timers.values()) if (!due || timer.at < due.at) due = timer;
  if (!due) return false;
  clock.timers.delete(due.id);
  clock.now = Math.max(clock.now, due.at);
  due.call();
  return true;
}

function install(clock) {
  globalThis.setTimeout = (call, after = 0, ...parameters) => {
    const id = clock.next++;
    const wait = after >= 1 && after <= 2 ** 31 - 1 ? Math.trunc(after) : 1;
    clock.timers.set(id, { id, at: clock.now + wait, call: () => call(...parameters) });
    const handle = { ref: () => handle, unref: () => handle, hasRef: () => true, refresh: () => handle, [Symbol.toPrimitive]: () => id };
    return handle;
  };
  globalThis.clearTimeout = (handle) => {
    if (handle !== undefined && handle !== null) clock.timers.delete(Number(handle));
  };
  globalThis.Date = class extends real.Date {
    constructor(...parts) {
      if (parts.length === 0) super(clock.now);
      else super(...parts);
    }
    static now() {
      return clock.now;
    }
  };
}
