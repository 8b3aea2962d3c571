//! The disagreements about documents.
//!
//! Input is a disagreement; output is whether an entry explains it. Invariant: every single complaint about a document
//! that only one side refuses has a cause; the entry is that of the first.

use serde_json::Value;

use crate::oracle::liman::documents::{LOADED, REFUSED, SKIPPED, documents};
use crate::oracle::subject::{Disagreement, Entry, WHY};

/// The words of an entry for a cause.
macro_rules! entry {
    ($cause:ident, $name:literal, $reason:literal) => {
        Entry { name: $name, reason: $reason, holds: |case| cause(case) == Some(Cause::$cause) }
    };
}

pub(in crate::oracle::liman) const DOCUMENTS: &[Entry] = &[
    entry!(
        Documented,
        "keys that the documentation requires",
        "the packages load a tool without description or func, and cannot use it"
    ),
    entry!(
        Condition,
        "an edge without condition",
        "the requirement asks for one; the packages follow such an edge always"
    ),
    entry!(
        Texts,
        "two texts for one place",
        "an error of ours; the packages lose one of the two in silence, by the order of the keys"
    ),
    entry!(
        FalsyText,
        "nothing for a text",
        "the packages take null, false and 0 for an absent text, and fail when they need it"
    ),
    entry!(
        Unread,
        "what one side does not read",
        "these packages ignore the key, so that any value loads; other packages, and the specification, read it"
    ),
    entry!(
        LateReference,
        "a reference that is read late",
        "the packages look at its kind and form only when the edge is followed, and fail there"
    ),
    entry!(
        LatePath,
        "an injected path that is read late",
        "the packages take any text, and look for the variable when the node runs"
    ),
    entry!(LateAccount, "an identity without account", "the declaration loads; running the node fails"),
    entry!(
        LateType,
        "a type that is read late",
        "the packages look into a list of types when the tool or the model is used"
    ),
    entry!(
        SecondOfRefused,
        "a duplicate of what was refused",
        "the packages count declarations that loaded; ours are duplicates whatever else is wrong with them"
    ),
    entry!(
        EmptyDocument,
        "an empty document",
        "the packages complain about it and go on; ours may be silent about what declares nothing"
    ),
    entry!(
        FailingText,
        "a localized text that the packages fail on",
        "lists, unknown codes, numbers and empty mappings: at most a warning of ours, by the specification"
    ),
    entry!(
        NamedAccount,
        "an account by name",
        "the form of the documentation, which no release but 0.1.0a3 loads"
    ),
    entry!(
        MappedInjection,
        "an injection as a mapping",
        "the documentation writes it so; the packages take a text only"
    ),
    entry!(
        SpecifiedEdge,
        "an edge as the specification writes it",
        "lists of targets, numbers as ids, one id in depends, names of LLM nodes below a tool: no package reads them all"
    ),
    entry!(
        MappedTriggers,
        "triggers by language",
        "two examples of the documentation write them so; the packages take a list only"
    ),
    entry!(
        YoungKind,
        "a kind that these packages lack",
        "the requirement has Node; the packages before 0.1.1 skip it"
    ),
    entry!(
        OddKind,
        "a kind that is no word",
        "an error of ours; the packages skip the document in silence, or refuse it where the kind is empty"
    ),
    entry!(
        Overlaid,
        "a declaration with an overlay",
        "ours is checked with its overlays; the packages know none"
    ),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cause {
    Documented,
    Condition,
    Texts,
    FalsyText,
    Unread,
    LateReference,
    LatePath,
    LateAccount,
    LateType,
    SecondOfRefused,
    EmptyDocument,
    FailingText,
    NamedAccount,
    MappedInjection,
    SpecifiedEdge,
    MappedTriggers,
    YoungKind,
    OddKind,
    Overlaid,
}

/// What we refuse and the packages load: line, kind and complaint, with `*` for anything.
const STRICTER: &[(Cause, &[&str])] = &[
    (
        Cause::Unread,
        &[
            "* FunctionNode auth*",
            "* ToolNode nodes*",
            "* ToolNode to: mixed-routing",
            "* ToolNode arguments.properties*",
            "* LLMNode description*",
            "classic * to*",
            "classic * *.ref: bad-ref",
            "classic LLMNode structured_output*",
            "release * *.id: edge-bad-id",
            "release * *.depends*",
            "release * *.target*: wrong-type",
        ],
    ),
    (
        Cause::Documented,
        &["* ToolNode * lacks description: *", "* ToolNode * lacks func: *", "* ToolNode func: wrong-type"],
    ),
    (Cause::Condition, &["* * *: when-missing", "* * *: when-empty"]),
    (Cause::Texts, &["* * *: bundle-duplicate-text", "* * *: bundle-text-and-mapping"]),
    (
        Cause::FalsyText,
        &[
            "* * *description: wrong-type",
            "* * prompts: wrong-type",
            "* * tool_prompt_template: wrong-type",
            "* * triggers: wrong-type",
            "* * auth.service_account.name: wrong-type",
        ],
    ),
    (Cause::LateReference, &["release * to: bad-ref", "release * *.ref: bad-ref"]),
    (Cause::LatePath, &["* * *context.inject: sa-inject"]),
    (Cause::LateAccount, &["* * auth* lacks service_account: *", "* * auth.service_account: wrong-type"]),
    (
        Cause::LateType,
        &["release LLMNode structured_output.*: wrong-type", "* ToolNode arguments.*type: wrong-type"],
    ),
    (Cause::SecondOfRefused, &["* * *: duplicate-declaration"]),
];

/// What the packages refuse and we do not.
const LAXER: &[(Cause, &[&str])] = &[
    (Cause::NamedAccount, &["* * AttributeError: 'str' object has no attribute 'get'"]),
    (
        Cause::MappedInjection,
        &[
            "* * context.inject: string_type",
            "* * InvalidSpecError: Invalid service_account spec: *context.inject.*",
        ],
    ),
    (
        Cause::FailingText,
        &[
            "* * AttributeError: '*' object has no attribute 'items'",
            "* * IndexError: *",
            "* * LimanError: Expected a dict *",
        ],
    ),
    (
        Cause::SpecifiedEdge,
        &[
            "classic * *nodes*.target: string_type",
            "classic * *nodes*.target: missing",
            "classic * *nodes*.depends: *",
            "classic * *nodes*.id: string_type",
            "classic ToolNode llm_nodes: model_type",
            "release * *nodes*.ref: missing",
            "* * *nodes.str: string_type",
        ],
    ),
    (Cause::MappedTriggers, &["* ToolNode triggers: list_type"]),
];

/// The cause of the first document that the two sides judge differently, if all of them have one.
fn cause(case: &Disagreement<'_>) -> Option<Cause> {
    let words = |answer: &Value| answer["documents"].as_array().cloned().unwrap_or_default();
    let (ours, theirs) = (words(case.ours), words(case.theirs));
    if ours.len() != theirs.len() {
        return None;
    }
    let differing = (0..ours.len()).filter(|position| ours[*position] != theirs[*position]);
    let causes: Option<Vec<Cause>> = differing.map(|position| cause_at(case, position)).collect();
    causes?.first().copied()
}

fn cause_at(case: &Disagreement<'_>, position: usize) -> Option<Cause> {
    let documents = documents(case.question);
    let document = *documents.get(position)?;
    let kind = document["kind"].as_str();
    let line = case.question["line"].as_str()?;
    let complaints = |answer: &Value, causes: &[(Cause, &[&str])]| {
        let whys = answer[WHY][position].as_array()?;
        let found: Option<Vec<Cause>> = whys
            .iter()
            .map(|why| {
                let complaint = format!("{line} {} {}", kind?, why.as_str()?);
                let (cause, _) = causes
                    .iter()
                    .find(|(_, patterns)| patterns.iter().any(|pattern| fits(&complaint, pattern)))?;
                Some(*cause)
            })
            .collect();
        found?.first().copied()
    };
    let word = |answer: &Value| answer["documents"][position].clone();
    let (ours, theirs) = (word(case.ours), word(case.theirs));
    let found = match (ours.as_str()?, theirs.as_str()?) {
        (REFUSED, LOADED) => complaints(case.ours, STRICTER),
        (LOADED, REFUSED) if document.is_null() => Some(Cause::EmptyDocument),
        (LOADED, REFUSED) => complaints(case.theirs, LAXER),
        (_, SKIPPED) if line == "classic" && kind == Some("Node") => Some(Cause::YoungKind),
        (REFUSED, SKIPPED) if kind.is_none() => Some(Cause::OddKind),
        (SKIPPED, REFUSED) if kind == Some("") => Some(Cause::OddKind),
        _ => None,
    };
    let is_overlaid = documents.iter().any(|other| other["kind"] == "Overlay");
    found.or_else(|| is_overlaid.then_some(Cause::Overlaid))
}

/// Whether a text is a pattern, in which `*` stands for anything.
fn fits(text: &str, pattern: &str) -> bool {
    let mut pieces = pattern.split('*');
    let Some(mut rest) = pieces.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let mut pieces = pieces.peekable();
    if pieces.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_none() {
            return rest.ends_with(piece);
        }
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_star_stands_for_anything() {
        for (text, pattern, expected) in [
            ("release Node to: bad-ref", "release * to: bad-ref", true),
            ("release Node nodes.ref: bad-ref", "release * to: bad-ref", false),
            ("classic Node to.when: when-type", "classic * to*", true),
            ("classic Node to", "* to", true),
            ("classic Node to", "classic Node to", true),
            ("classic Node to.x", "classic Node to", false),
            ("classic", "* * x", false),
        ] {
            assert_eq!(fits(text, pattern), expected, "{text} / {pattern}");
        }
    }
}
