/**
 * Texts of files and runs in messages of the editor.
 *
 * Input: a text; output: the same to a reader. Invariant: the editor finds no link in it, which could be one to a command.
 */

const WORD_JOINER = "\u2060";

/** The editor makes links of `[text](address)` in messages; what cannot be seen in between prevents that. */
export function withoutLinks(text: string): string {
  return text.replaceAll("](", `]${WORD_JOINER}(`);
}
