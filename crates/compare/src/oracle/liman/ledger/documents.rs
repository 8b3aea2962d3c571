//! Differences in documents.
//!
//! Input is a disagreement. Output is whether an entry explains it. Invariant: if only one side rejects a document,
//! each of its reports has a cause. The entry is that of the first cause.

use nodewise_dialect::tables::liman::{ARGUMENT_TYPES, OUTPUT_TYPES};
use serde_json::Value;

use crate::oracle::liman::documents::{LOADED, REFUSED, SKIPPED, documents};
use crate::oracle::liman::specified::{self, Exception};
use crate::oracle::subject::{Disagreement, Entry, Known, WHY};

/// The entry for a cause.
macro_rules! entry {
    ($cause:ident, $name:literal, $reason:literal) => {
        Entry {
            name: $name,
            reason: $reason,
            known: Known::Part,
            holds: |case| cause(case) == Some(Cause::$cause),
        }
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
        "the requirement asks for one; the packages always follow such an edge"
    ),
    entry!(
        Texts,
        "two texts for the same place",
        "we report an error; the packages silently lose one of the two, depending on the order of the keys"
    ),
    entry!(
        FalsyText,
        "null instead of a text",
        "the packages treat null, false and 0 as a missing text, and fail when they need it"
    ),
    entry!(
        Unread,
        "a key that one side does not read",
        "these packages ignore the key, so that any value loads; other packages, and the specification, read it"
    ),
    entry!(
        LateReference,
        "a reference that is checked late",
        "the packages check its kind and form only when the edge is followed, and fail then"
    ),
    entry!(
        LatePath,
        "an injected path that is checked late",
        "the packages accept any text, and look up the variable when the node runs"
    ),
    entry!(LateAccount, "an identity without account", "the declaration loads; running the node fails"),
    entry!(
        LateType,
        "a type that is checked late",
        "the packages check a list of types only when the tool or the model is used"
    ),
    entry!(
        SecondOfRefused,
        "a duplicate of a rejected declaration",
        "the packages count only loaded declarations; we report all duplicates"
    ),
    entry!(
        FailingText,
        "a localized text that the packages fail on",
        "lists, unknown codes, numbers and empty mappings: we report at most a warning, as in the specification"
    ),
    entry!(
        NamedAccount,
        "an account by name",
        "the form of the documentation, which no release but 0.1.0a3 loads"
    ),
    entry!(
        MappedInjection,
        "an injection as a mapping",
        "the documentation has this form; the packages accept only a text"
    ),
    entry!(
        SpecifiedEdge,
        "an edge as the specification writes it",
        "lists of targets, numbers as ids, one id in depends, names of LLM nodes below a tool: no package reads them all"
    ),
    entry!(
        MappedTriggers,
        "triggers by language",
        "two examples of the documentation have this form; the packages accept only a list"
    ),
    entry!(
        YoungKind,
        "a kind that these packages lack",
        "the requirement has Node; the packages before 0.1.1 skip it"
    ),
    entry!(
        Overlaid,
        "a declaration with an overlay",
        "we check it with its overlays; the packages do not know overlays"
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
    FailingText,
    NamedAccount,
    MappedInjection,
    SpecifiedEdge,
    MappedTriggers,
    YoungKind,
    Overlaid,
}

/// How the packages begin a report about an account in place.
const INLINED_ACCOUNT: &str = "Invalid service_account spec: ";

/// What we reject and the packages load: line, kind, path, missing key (`-` if none is missing), rule. `*` matches
/// anything, `~` after a path matches everything below it.
const STRICTER: &[(Cause, &[&str])] = &[
    (
        Cause::Unread,
        &[
            "* FunctionNode auth~ * *",
            "* ToolNode nodes~ * *",
            "* ToolNode to - mixed-routing",
            "* ToolNode arguments.properties~ * *",
            "* LLMNode description~ * *",
            "classic * to~ * *",
            "classic * *.ref - invalid-reference",
            "classic LLMNode structured_output~ * *",
            "release * *.id - invalid-edge-id",
            "release * *.depends~ * *",
            "release * *.target~ - wrong-type",
        ],
    ),
    (
        Cause::Documented,
        &["* ToolNode * description *", "* ToolNode * func *", "* ToolNode func - wrong-type"],
    ),
    (Cause::Condition, &["* * * - missing-condition", "* * * - missing-condition"]),
    (Cause::Texts, &["* * * - duplicate-translation", "* * * - mixed-translation"]),
    (
        Cause::FalsyText,
        &[
            "* * description - wrong-type",
            "* * *.description - wrong-type",
            "* * prompts - wrong-type",
            "* * tool_prompt_template - wrong-type",
            "* * triggers - wrong-type",
            "* * auth.service_account.name - wrong-type",
        ],
    ),
    (Cause::LateReference, &["release * to - invalid-reference", "release * *.ref - invalid-reference"]),
    (
        Cause::LatePath,
        &["* * context.inject - invalid-injection", "* * *.context.inject - invalid-injection"],
    ),
    (Cause::LateAccount, &["* * auth~ service_account *", "* * auth.service_account - wrong-type"]),
    (
        Cause::LateType,
        &["release LLMNode structured_output.* - wrong-type", "* ToolNode arguments.type - wrong-type"],
    ),
    (Cause::SecondOfRefused, &["* * * - duplicate-declaration"]),
];

/// What the packages reject and we do not: line, kind, path, and the type of error.
const LAXER: &[(Cause, &[&str])] = &[
    (Cause::MappedInjection, &["* * context.inject - string_type"]),
    (
        Cause::SpecifiedEdge,
        &[
            "classic * *nodes*.target - string_type",
            "classic * *nodes*.target - missing",
            "classic * *nodes*.depends~ - *",
            "classic * *nodes*.id - string_type",
            "classic ToolNode llm_nodes - model_type",
            "release * *nodes*.ref - missing",
            "* * *nodes.str - string_type",
        ],
    ),
    (Cause::MappedTriggers, &["* ToolNode triggers - list_type"]),
];

/// The cause of the first document with different results, if all such documents have a cause.
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
    let complaints = |answer: &Value, cause: &dyn Fn(&str) -> Option<Cause>| {
        let whys = answer[WHY][position].as_array()?;
        let causes: Option<Vec<Cause>> = whys.iter().map(|why| cause(why.as_str()?)).collect();
        causes?.first().copied()
    };
    let word = |answer: &Value| answer["documents"][position].clone();
    let (ours, theirs) = (word(case.ours), word(case.theirs));
    match (ours.as_str()?, theirs.as_str()?) {
        (REFUSED, LOADED) => {
            let found = complaints(case.ours, &|why| {
                let complaint = Complaint::read(why)?;
                let cause = complaint.cause(line, kind?, STRICTER)?;
                let is_so = match cause {
                    Cause::Texts => document.get(complaint.way.split('.').next()?).is_some_and(has_conflict),
                    Cause::FalsyText => values_at(document, complaint.way).into_iter().any(holds_nothing),
                    Cause::LateType => {
                        let fails = if kind == Some("LLMNode") { fails_as_output } else { has_unknown_type };
                        values_at(document, complaint.way).into_iter().any(fails)
                    }
                    Cause::SecondOfRefused => is_second_of_refused(case, &documents, position),
                    _ => true,
                };
                is_so.then_some(cause)
            });
            found.or_else(|| is_overlaid(&documents, document).then_some(Cause::Overlaid))
        }
        (LOADED, REFUSED) => complaints(case.theirs, &|why| {
            let is_from_overlay =
                names_key_of_overlay(&documents, document, why) || is_replaced(&documents, document);
            let found = exception_cause(document, why).or_else(|| {
                let complaint = Complaint::read(why)?;
                let cause = complaint.cause(line, kind?, LAXER)?;
                let is_so = match cause {
                    Cause::MappedTriggers => {
                        document["triggers"].is_object() || document["triggers"].is_string()
                    }
                    Cause::MappedInjection => {
                        document["context"]["inject"]
                            .as_array()
                            .is_some_and(|items| items.iter().any(Value::is_object))
                            || document["context"]["inject"].is_object()
                    }
                    _ => true,
                };
                is_so.then_some(cause)
            });
            found.or_else(|| is_from_overlay.then_some(Cause::Overlaid))
        }),
        (_, SKIPPED) if line == "classic" && kind == Some("Node") => Some(Cause::YoungKind),
        _ => None,
    }
}

/// A report about one place: `path lacks key: rule`.
struct Complaint<'w> {
    way: &'w str,
    missing: &'w str,
    rule: &'w str,
}

impl<'w> Complaint<'w> {
    fn read(why: &'w str) -> Option<Complaint<'w>> {
        let (place, rule) = why.rsplit_once(": ")?;
        let (way, missing) = place.split_once(" lacks ").unwrap_or((place, "-"));
        Some(Complaint { way, missing, rule })
    }

    fn cause(&self, line: &str, kind: &str, causes: &[(Cause, &[&str])]) -> Option<Cause> {
        let is_this = |pattern: &str| {
            let words: Vec<&str> = pattern.split(' ').collect();
            let [of_line, of_kind, way, missing, rule] = words.as_slice() else { return false };
            fits(line, of_line)
                && fits(kind, of_kind)
                && leads(self.way, way)
                && fits(self.missing, missing)
                && fits(self.rule, rule)
        };
        let (cause, _) =
            causes.iter().find(|(_, patterns)| patterns.iter().any(|pattern| is_this(pattern)))?;
        Some(*cause)
    }
}

/// The cause of an exception of the packages, which has no place: the part of the document that must have caused it.
fn exception_cause(document: &Value, why: &str) -> Option<Cause> {
    let (class, message) = why.split_once(": ")?;
    let account = &document["auth"]["service_account"];
    let wanted = match (class, message) {
        ("AttributeError", "'str' object has no attribute 'get'") => {
            return account.is_string().then_some(Cause::NamedAccount);
        }
        ("InvalidSpecError", message) if message.contains("context.inject.") => {
            let items = account["context"]["inject"].as_array();
            let is_mapped = items.is_some_and(|items| items.iter().any(Value::is_object));
            return (is_mapped || account["context"]["inject"].is_object()).then_some(Cause::MappedInjection);
        }
        ("AttributeError", "'list' object has no attribute 'items'")
        | ("AttributeError", "'CommentedSeq' object has no attribute 'items'") => Exception::NoMapping,
        ("IndexError", _) => Exception::NoPath,
        ("LimanError", message) => match message.strip_prefix("Expected a dict for language '") {
            Some(rest) => Exception::TextAndMore(rest.split('\'').next()?.to_owned()),
            None if message.starts_with("Expected a dict at path ") => Exception::TextInWay,
            None => return None,
        },
        _ => return None,
    };
    // In the documentation, only triggers can be lists. Both sides reject a list for any other text.
    let triggers = document["triggers"].as_array().into_iter().flatten();
    let whole = ["prompts", "description", "tool_prompt_template"].iter().map(|key| &document[*key]);
    let descriptions = descriptions(&document["arguments"]);
    let fails = |value: &Value| specified::exception(value).as_ref() == Some(&wanted);
    let is_listed = wanted == Exception::NoMapping;
    let found = triggers.clone().any(fails) || (!is_listed && whole.chain(descriptions).any(fails));
    found.then_some(Cause::FailingText)
}

/// The descriptions of arguments, at any depth.
fn descriptions(arguments: &Value) -> Vec<&Value> {
    let mut found = Vec::new();
    for argument in arguments.as_array().into_iter().flatten() {
        found.push(&argument["description"]);
        found.extend(descriptions(&argument["properties"]));
    }
    found
}

/// Whether two texts of a part have the same place, in it or in one of its items.
fn has_conflict(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_conflict),
        Value::Object(members) => specified::conflicts(value) || members.values().any(has_conflict),
        _ => false,
    }
}

/// Whether the packages treat a value, or an item of it, as missing.
fn holds_nothing(value: &Value) -> bool {
    is_falsy(value) || value.as_array().is_some_and(|items| items.iter().any(is_falsy))
}

/// Whether the packages treat a value as missing.
fn is_falsy(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(true) => false,
    }
}

/// Whether a type of a structured answer fails when the model is called: also a list of several known types.
fn fails_as_output(value: &Value) -> bool {
    value.as_array().is_some_and(|items| items.len() > 1) || has_unknown_type(value)
}

/// Whether a type is a list with an unknown type in it. Lists of known types are not rejected.
fn has_unknown_type(value: &Value) -> bool {
    let is_known = |item: &Value| {
        let words = ARGUMENT_TYPES.iter().chain(OUTPUT_TYPES);
        item.as_str().is_some_and(|text| words.into_iter().any(|word| word.text == text))
    };
    match value {
        Value::Array(items) => items.is_empty() || items.iter().any(|item| !is_known(item)),
        Value::Object(members) => members.values().any(|item| !is_known(item)),
        _ => true,
    }
}

/// Whether another document with that kind and name is one that the packages rejected.
fn is_second_of_refused(case: &Disagreement<'_>, documents: &[&Value], position: usize) -> bool {
    let Some(document) = documents.get(position) else { return false };
    documents.iter().enumerate().any(|(other, one)| {
        other != position
            && one["kind"] == document["kind"]
            && one["name"] == document["name"]
            && case.theirs["documents"][other] != LOADED
    })
}

/// Whether an overlay patches this document.
fn is_overlaid(documents: &[&Value], document: &Value) -> bool {
    overlays_of(documents, document).next().is_some()
}

/// Whether a report about this document, or about the account in it, names a key that an overlay adds there.
fn names_key_of_overlay(documents: &[&Value], document: &Value, why: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    let (way, message) = match why.split_once(INLINED_ACCOUNT) {
        Some((_, message)) => ("/auth/service_account", message),
        None => ("", why),
    };
    let Some(patched) = document.pointer(way).filter(|patched| patched.is_object()) else { return false };
    let mut patches =
        overlays_of(documents, document).filter_map(|overlay| overlay.pointer(way)?.as_object());
    patches.any(|patch| {
        let mut words = message.split(|character| !is_part(character));
        words.any(|word| patch.contains_key(word) && patched.get(word).is_none())
    })
}

/// Whether an overlay replaces everything in this document, so that we do not read what the packages refuse.
fn is_replaced(documents: &[&Value], document: &Value) -> bool {
    overlays_of(documents, document).any(|overlay| overlay["strategy"] == "replace")
}

/// The overlays that patch a document.
fn overlays_of<'d>(documents: &[&'d Value], document: &Value) -> impl Iterator<Item = &'d Value> {
    let patched = document["kind"].as_str().zip(document["name"].as_str());
    let patched = patched.map(|(kind, name)| format!("{kind}:{name}"));
    let overlays = documents.iter().copied().filter(|other| other["kind"] == "Overlay");
    overlays.filter(move |overlay| patched.as_ref().is_some_and(|patched| overlay["to"] == **patched))
}

/// The values at the end of a path, in every item of the lists on it.
fn values_at<'v>(value: &'v Value, way: &str) -> Vec<&'v Value> {
    if way.is_empty() {
        return vec![value];
    }
    match value {
        Value::Array(items) => items.iter().flat_map(|item| values_at(item, way)).collect(),
        Value::Object(members) => {
            let inside = members.iter().filter_map(|(key, member)| {
                let rest = way.strip_prefix(key.as_str())?;
                let rest = if rest.is_empty() { rest } else { rest.strip_prefix('.')? };
                Some(values_at(member, rest))
            });
            inside.flatten().collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a path matches a pattern. With `~` at its end, the pattern also matches everything below.
fn leads(way: &str, pattern: &str) -> bool {
    match pattern.strip_suffix('~') {
        Some(pattern) => fits(way, pattern) || fits(way, &format!("{pattern}.*")),
        None => fits(way, pattern),
    }
}

/// Whether a text matches a pattern, in which `*` matches anything.
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
            ("release Node to: invalid-reference", "release * to: invalid-reference", true),
            ("release Node nodes.ref: invalid-reference", "release * to: invalid-reference", false),
            ("classic Node to.when: non-text-condition", "classic * to*", true),
            ("classic Node to", "* to", true),
            ("classic Node to", "classic Node to", true),
            ("classic Node to.x", "classic Node to", false),
            ("classic", "* * x", false),
        ] {
            assert_eq!(fits(text, pattern), expected, "{text} / {pattern}");
        }
    }
}
