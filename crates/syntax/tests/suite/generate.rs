//! Random documents, from pieces that meet in odd ways.

use crate::support::Random;

/// Pieces of a line: indicators, scalars, properties, brackets, comments.
const PIECES: [&str; 44] = [
    "- ",
    "- ",
    "-",
    "? ",
    "?",
    ": ",
    ":",
    "a: ",
    "b: ",
    "key: ",
    "a",
    "b c",
    "word",
    "'q'",
    "\"d\"",
    "'it''s'",
    "\"x\\ty\"",
    "[",
    "]",
    "{",
    "}",
    ", ",
    ",",
    "[a, b]",
    "{a: b}",
    "[a: b]",
    "&x ",
    "*x",
    "!t ",
    "!!str ",
    "!<u> ",
    "|",
    ">",
    "|-",
    ">+",
    "|2",
    "# c",
    " # c",
    "\t",
    " ",
    "---",
    "...",
    "\"open",
    "'open",
];

/// A document of a few lines.
pub(crate) fn document(random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..=random.below(6) {
        text.push_str(&" ".repeat([0, 0, 1, 2, 2, 3, 4][random.below(7)]));
        for _ in 0..random.below(5) {
            text.push_str(random.pick(&PIECES));
        }
        text.push_str(["\n", "\n", "\n", "\n\n", "\r\n"][random.below(5)]);
    }
    text
}
