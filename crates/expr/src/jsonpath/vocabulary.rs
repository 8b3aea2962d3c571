//! The words and signs of JSONPath, and of the scripts in it.
//!
//! Input: what the path is over; output: entries. Invariant: the names of the state and of scripts, the types and
//! the functions come from their tables.

use super::check::{PathPurpose, STATE, UPDATES};
use super::{METHODS, NAMES};
use crate::vocabulary::{EntryKind, VocabularyEntry, call_snippet, plain};

pub(super) fn entries(used_for: PathPurpose) -> Vec<VocabularyEntry> {
    let roots: &[(&str, &str)] = match used_for {
        PathPurpose::Items => STATE,
        PathPurpose::Score => &[UPDATES],
        PathPurpose::Assertion => &[],
    };
    let roots = roots.iter().map(|(name, doc)| plain(EntryKind::Root, name, doc));
    let names = NAMES.iter().map(|name| plain(EntryKind::Builtin, name.written, name.doc));
    let methods = METHODS.iter().map(|method| VocabularyEntry {
        name: method.name,
        kind: EntryKind::Method,
        signature: Some(method.signature),
        doc: method.doc,
        snippet: call_snippet(method.name, method.signature),
    });
    let words = WORDS.iter().map(|(kind, name, doc)| plain(*kind, name, doc));
    let selectors = SELECTORS.iter().map(|(name, snippet, doc)| VocabularyEntry {
        snippet: snippet.map(str::to_owned),
        ..plain(EntryKind::Selector, name, doc)
    });
    roots.chain(names).chain(methods).chain(words).chain(selectors).collect()
}

const SELECTORS: &[(&str, Option<&str>, &str)] = &[
    ("*", None, "Every item of a list, every value of a mapping."),
    ("..", None, "The value and everything below it, at any depth."),
    ("?()", Some("?(${1:@.name})"), "The items for which the condition holds, each of which is `@` in it."),
    ("()", Some("(${1:@.length-1})"), "The item under a name or index that is calculated."),
    ("start:end", Some("${1:0}:${2:-1}"), "A run of a list; a negative number counts from the end."),
    ("^", None, "The value that holds this one."),
    ("~", None, "The name under which the value stands."),
];

const WORDS: &[(EntryKind, &str, &str)] = &[
    (EntryKind::Builtin, "$", "The value that the path begins at."),
    (EntryKind::Constant, "true", "True."),
    (EntryKind::Constant, "false", "False."),
    (EntryKind::Constant, "null", "Nothing."),
    (EntryKind::Constant, "undefined", "What a name that is not there stands for."),
    (
        EntryKind::Prefix,
        "!",
        "True when its operand is not. False are `false`, 0, an empty text, null and undefined.",
    ),
    (EntryKind::Prefix, "-", "The number with its sign changed."),
    (EntryKind::Prefix, "+", "The value as a number."),
    (EntryKind::Prefix, "typeof", "The name of the value's type."),
    (EntryKind::Comparison, "===", "Equal: the same type and the same value."),
    (EntryKind::Comparison, "!==", "The opposite of `===`."),
    (EntryKind::Comparison, "==", "Equal after JavaScript's conversions: `1 == '1'` holds."),
    (EntryKind::Comparison, "!=", "The opposite of `==`."),
    (EntryKind::Comparison, "<", "Less: texts by their letters, all else as numbers."),
    (EntryKind::Comparison, "<=", "Less or equal: texts by their letters, all else as numbers."),
    (EntryKind::Comparison, ">", "Greater: texts by their letters, all else as numbers."),
    (EntryKind::Comparison, ">=", "Greater or equal: texts by their letters, all else as numbers."),
    (EntryKind::Logic, "&&", "The left side if it counts as false, else the right one."),
    (EntryKind::Logic, "||", "The left side if it counts as true, else the right one."),
    (EntryKind::Operator, "+", "The sum of numbers; with a text on one side, both as one text."),
    (EntryKind::Operator, "-", "The difference of numbers."),
    (EntryKind::Operator, "*", "The product of numbers."),
    (EntryKind::Operator, "/", "The quotient of numbers."),
    (EntryKind::Operator, "%", "The rest of a division."),
    (EntryKind::Operator, "?", "Chooses: `condition ? one : other`."),
    (EntryKind::Continuation, ":", "The value if the condition does not hold."),
];
