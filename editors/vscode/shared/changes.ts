/**
 * A list that is told again and again, each time by what differs.
 *
 * Input: the list as it is now; output: which members differ from what was told before. Invariant: whoever applies all changes
 * in their order has the list.
 */

export interface Changes<T> {
  length: number;
  /** Members by their positions. */
  at: [position: number, member: T][];
}

export class Teller<T> {
  private told: string[] = [];

  tell(list: T[]): Changes<T> {
    const texts = list.map((member) => JSON.stringify(member));
    const at = list.flatMap((member, position): [number, T][] => (texts[position] === this.told[position] ? [] : [[position, member]]));
    this.told = texts;
    return { length: list.length, at };
  }

  /** What was told went nowhere: everything is told again. */
  forget(): void {
    this.told = [];
  }
}

export function changed<T>(before: T[], { length, at }: Changes<T>): T[] {
  const list = before.slice(0, length);
  for (const [position, member] of at) {
    list[position] = member;
  }
  return list;
}
