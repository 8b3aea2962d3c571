/**
 * Texts of files and runs: in messages of the editor, and as bytes.
 *
 * Input: a text. Output: a text that looks the same, or bytes. Invariant: the editor finds no links in a message, because a link
 * could run a command.
 */

/** A text as bytes. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The bytes that a text in base64 stands for. */
export function bytesOfBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

const WORD_JOINER = "\u2060";

/** The editor makes links of `[text](address)` in messages. An invisible character in between prevents that. */
export function withoutLinks(text: string): string {
  return text.replaceAll("](", `]${WORD_JOINER}(`);
}
