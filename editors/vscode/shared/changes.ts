/**
 * Sends a list repeatedly, each time only the changes.
 *
 * Input: the current list. Output: the members that differ from the list that was sent before. Invariant: applying all
 * changes in order gives the list.
 */

export interface Changes<T> {
  length: number;
  /** Members by their positions. */
  at: [position: number, member: T][];
}

export class ChangeTracker<T> {
  private sent: string[] = [];

  changes(list: T[]): Changes<T> {
    const texts = list.map((member) => JSON.stringify(member));
    const at = list.flatMap((member, position): [number, T][] => (texts[position] === this.sent[position] ? [] : [[position, member]]));
    this.sent = texts;
    return { length: list.length, at };
  }

  /** Call this when the receiver has lost the list: the next changes then contain every member. */
  reset(): void {
    this.sent = [];
  }
}

export function changed<T>(before: T[], { length, at }: Changes<T>): T[] {
  const list = before.slice(0, length);
  for (const [position, member] of at) {
    list[position] = member;
  }
  return list;
}
