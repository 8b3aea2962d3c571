//! The words and signs of LimanCE.
//!
//! Input: none; output: entries. Invariant: builtins come from their table.

use super::builtins::BUILTINS;
use crate::vocabulary::{EntryKind, VocabularyEntry, function, plain};

/// The entries of LimanCE.
pub(super) fn entries() -> Vec<VocabularyEntry> {
    let builtins = BUILTINS.iter().map(|builtin| function(builtin, EntryKind::Builtin));
    let words = WORDS.iter().map(|(kind, name, doc)| plain(*kind, name, doc));
    builtins.chain(words).collect()
}

const WORDS: &[(EntryKind, &str, &str)] = &[
    (EntryKind::Constant, "true", "True. It equals 1."),
    (EntryKind::Constant, "false", "False. It equals 0."),
    (
        EntryKind::Constant,
        "null",
        "Nothing; it equals nothing but itself. A variable that does not exist is an error and no null.",
    ),
    (
        EntryKind::Prefix,
        "not",
        "True when the term behind it is not. It takes one term, a comparison included: `not a == b` is \
         `not (a == b)`. False are `false`, `null`, 0, an empty text, list and mapping.",
    ),
    (EntryKind::Prefix, "!", "The same as `not`: `!a == b` is `!(a == b)`."),
    (
        EntryKind::Comparison,
        "==",
        "Equal, which is never an error. Numbers compare by value, and `true` and `false` as 1 and 0; lists and \
         mappings by what they hold. Values of different types are not equal: `5 == '5'` is false.",
    ),
    (EntryKind::Comparison, "!=", "Not equal: the opposite of `==`."),
    (
        EntryKind::Comparison,
        "<",
        "Less. Numbers, texts and lists compare with their like; anything else is an error, and the edge is not \
         followed.",
    ),
    (
        EntryKind::Comparison,
        "<=",
        "Less or equal, for numbers, texts and lists. liman_core 0.1.1 rejects it.",
    ),
    (
        EntryKind::Comparison,
        ">",
        "Greater. Numbers, texts and lists compare with their like; anything else is an error, and the edge is \
         not followed.",
    ),
    (
        EntryKind::Comparison,
        ">=",
        "Greater or equal, for numbers, texts and lists. liman_core 0.1.1 rejects it.",
    ),
    (
        EntryKind::Comparison,
        "in",
        "Membership: an element of a list, a part of a text, or a key of a mapping. Anything else is an error.",
    ),
    (EntryKind::Comparison, "not in", "The opposite of `in`."),
    (
        EntryKind::Logic,
        "and",
        "True when both sides are. The right side is read only if the left one is true. It binds tighter than `or`.",
    ),
    (
        EntryKind::Logic,
        "or",
        "True when one side is. The right side is read only if the left one is false. `and` binds tighter.",
    ),
    (EntryKind::Logic, "&&", "The same as `and`."),
    (EntryKind::Logic, "||", "The same as `or`."),
];
