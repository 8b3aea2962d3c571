//! The words and signs of AgentOS' routing expressions.
//!
//! Input: none; output: entries. Invariant: the parts of the state are those of `PARTITION_TABLE`.

use super::PARTITION_TABLE;
use crate::vocabulary::{EntryKind, VocabularyEntry, plain};

/// The entries of routing expressions.
pub(super) fn entries() -> Vec<VocabularyEntry> {
    let parts = PARTITION_TABLE.iter().map(|(name, doc)| plain(EntryKind::Root, name, doc));
    let words = WORDS.iter().map(|(kind, name, doc)| plain(*kind, name, doc));
    parts.chain(words).collect()
}

const WORDS: &[(EntryKind, &str, &str)] = &[
    (EntryKind::Constant, "true", "True. As the result of an edge it leads to the edge's target."),
    (EntryKind::Constant, "false", "False. As the result of an edge it leads nowhere."),
    (EntryKind::Constant, "null", "Nothing; it equals `undefined` too. As a result it is `false`."),
    (
        EntryKind::Constant,
        "undefined",
        "What a path that leads nowhere stands for. As a result it is `false`.",
    ),
    (
        EntryKind::Comparison,
        "===",
        "Equal: the same type and the same value. Lists and mappings equal only themselves.",
    ),
    (EntryKind::Comparison, "!==", "The opposite of `===`."),
    (
        EntryKind::Comparison,
        "==",
        "Equal after conversion: a number and a text compare as numbers, `null` equals `undefined` and nothing else.",
    ),
    (EntryKind::Comparison, "!=", "The opposite of `==`."),
    (EntryKind::Comparison, ">=", "Greater or equal. Both sides are read as numbers, texts too."),
    (EntryKind::Comparison, "<=", "Less or equal. Both sides are read as numbers, texts too."),
    (EntryKind::Comparison, ">", "Greater. Both sides are read as numbers, texts too."),
    (EntryKind::Comparison, "<", "Less. Both sides are read as numbers, texts too."),
    (
        EntryKind::Logic,
        "&&",
        "True when both sides are. False are `false`, 0, an empty text, `null` and `undefined`. It binds tighter \
         than `||`, and counts within quotes too.",
    ),
    (EntryKind::Logic, "||", "True when one side is. It counts within quotes too."),
    (
        EntryKind::Operator,
        "?",
        "Chooses: `condition ? one : other`. An arm is a path, a literal or a plain word, and holds no operator.",
    ),
    (EntryKind::Continuation, ":", "The result if the condition does not hold."),
];
