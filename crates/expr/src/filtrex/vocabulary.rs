//! The words and signs of filtrex as cycgraph uses it.
//!
//! Input: whether the expression is a verifier's; output: entries. Invariant: functions and fields come from their tables.

use super::{FUNCTIONS, state_fields};
use crate::vocabulary::{EntryKind, VocabularyEntry, function, plain};

/// The entries of an edge's condition, or of a verifier's expression.
pub(super) fn entries(is_verifier: bool) -> Vec<VocabularyEntry> {
    let fields = state_fields().iter().filter(|field| field.in_verifier || !is_verifier);
    let fields = fields.map(|field| plain(EntryKind::Root, field.name, field.doc));
    let functions = FUNCTIONS.iter().map(|builtin| function(builtin, EntryKind::Function));
    let words = WORDS.iter().map(|(kind, name, doc)| plain(*kind, name, doc));
    let choice = VocabularyEntry {
        name: "if",
        kind: EntryKind::Prefix,
        signature: Some("if condition then value else value"),
        doc: "Chooses between two values. The condition must be true or false.",
        snippet: Some("if ${1:condition} then ${2:value} else ${3:value}".to_owned()),
    };
    fields.chain(functions).chain(words).chain([choice]).collect()
}

const WORDS: &[(EntryKind, &str, &str)] = &[
    (
        EntryKind::Prefix,
        "not",
        "True when its operand is false, which must be true or false and nothing else. It binds tighter than a \
         comparison: `not a == b` is `(not a) == b`.",
    ),
    (EntryKind::Prefix, "-", "The number with its sign changed."),
    (
        EntryKind::Comparison,
        "==",
        "Equal: the same type and the same value. `5 == '5'` is false, and lists and mappings equal only themselves.",
    ),
    (EntryKind::Comparison, "!=", "Not equal: the opposite of `==`."),
    (EntryKind::Comparison, "<", "Less. Numbers only: anything else is an error."),
    (EntryKind::Comparison, "<=", "Less or equal. Numbers only: anything else is an error."),
    (EntryKind::Comparison, ">", "Greater. Numbers only: anything else is an error."),
    (EntryKind::Comparison, ">=", "Greater or equal. Numbers only: anything else is an error."),
    (
        EntryKind::Comparison,
        "~=",
        "Whether the text on the left matches the regular expression in the text on the right, anywhere in it.",
    ),
    (
        EntryKind::Comparison,
        "in",
        "Whether the value, or each element of it, is an element of the list: `status in ('a', 'b')`. Nothing on \
         either side is an error.",
    ),
    (EntryKind::Comparison, "not in", "The opposite of `in`."),
    (
        EntryKind::Logic,
        "and",
        "True when both sides are. Both must be true or false; the right one is read only if the left one is true. \
         A blank must stand behind the word.",
    ),
    (
        EntryKind::Logic,
        "or",
        "True when one side is. Both must be true or false; the right one is read only if the left one is false. \
         A blank must stand behind the word.",
    ),
    (EntryKind::Operator, "+", "The sum of numbers; with a text on one side, both as one text."),
    (EntryKind::Operator, "-", "The difference of numbers. Names have no dashes: `a-b` subtracts."),
    (EntryKind::Operator, "*", "The product of numbers."),
    (EntryKind::Operator, "/", "The quotient of numbers; by 0 it is infinite."),
    (EntryKind::Operator, "mod", "The rest of a division, with the sign of the right side: `-1 mod 3` is 2."),
    (EntryKind::Operator, "%", "The older spelling of `mod`."),
    (
        EntryKind::Operator,
        "^",
        "The power. It groups to the right, and binds tighter than a sign: `-2 ^ 2` is -4.",
    ),
    (EntryKind::Operator, "of", "A part of a value, its name first: `length of memory.rows`."),
    (EntryKind::Operator, "?", "The older spelling of `if`: `condition ? value : value`."),
    (EntryKind::Continuation, "then", "The value if the condition holds."),
    (EntryKind::Continuation, "else", "The value if the condition does not hold."),
    (EntryKind::Continuation, ":", "The value if the condition does not hold."),
];
