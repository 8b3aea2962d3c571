//! Rules of a project as model.

use std::sync::Arc;

use nodewise_model::project_rule::{
    PartKind, PartPattern, PathEnd, PathPattern, ProjectRule, PropertyTest, RuleSubject, RuleTest, ValueTest,
};
use nodewise_model::{Body, Declaration, Located};
use smol_str::SmolStr;

use crate::table::Kind;
use crate::tables::rule::{ANY, AT_LEAST, AT_MOST, NOT, ONLY, SET, keys, property};
use crate::value::{Data, SpannedValue};

/// Converts a document to a declaration. Other documents cannot refer to it by name.
#[must_use]
pub fn declaration(kind: &'static Kind, value: &SpannedValue<'_>) -> Option<Declaration> {
    let rule = ProjectRule {
        head: value.head(),
        id: text(value, keys::RULE),
        message: text(value, keys::MESSAGE),
        help: text(value, keys::HELP),
        why: text(value, "why").map(|why| why.value),
        severity: text(value, "severity").map(|word| word.value),
        subjects: keys::SUBJECTS.iter().filter_map(|key| subject(value, key)).collect(),
        must: value.get(keys::MUST).map(|must| Located::new(pattern(&must.value), must.key_at)),
        tests: value
            .get("tests")
            .and_then(|tests| tests.value.as_list())
            .unwrap_or_default()
            .iter()
            .filter_map(test)
            .collect(),
    };
    Some(Declaration { kind: kind.name, name: None, head: value.head(), body: Body::Rule(Arc::new(rule)) })
}

fn subject(value: &SpannedValue<'_>, key: &str) -> Option<Located<RuleSubject>> {
    let member = value.get(key)?;
    let parts = |kind| RuleSubject::Parts(kind, pattern(&member.value));
    let subject = match key {
        keys::NODE => parts(PartKind::Node),
        keys::AGENT => parts(PartKind::Agent),
        keys::GRAPH => parts(PartKind::Graph),
        _ => RuleSubject::Paths(path(&member.value)),
    };
    Some(Located::new(subject, member.key_at))
}

fn path(value: &SpannedValue<'_>) -> PathPattern {
    let end = |key: &str, word: &str, terminal: PathEnd| {
        let value = &value.get(key)?.value;
        let end = match value.as_map() {
            Some(_) => PathEnd::Node(pattern(value)),
            None if value.as_text() == Some(word) => terminal,
            None => return None,
        };
        Some(Located::new(end, value.at))
    };
    PathPattern {
        from: end(keys::FROM, keys::START, PathEnd::Start),
        to: end(keys::TO, keys::END, PathEnd::End),
        without: value.get("without").map(|member| pattern(&member.value)),
    }
}

fn pattern(value: &SpannedValue<'_>) -> PartPattern {
    let mut found = PartPattern::default();
    for member in value.as_map().unwrap_or_default() {
        match member.key.as_ref() {
            ANY => found.any = member.value.as_list().unwrap_or_default().iter().map(pattern).collect(),
            NOT => found.not = Some(Box::new(pattern(&member.value))),
            key => {
                let Some(property) = property(key) else { continue };
                let tests = tests_of(&member.value).into_iter();
                found.tests.extend(tests.map(|test| PropertyTest { property, test }));
            }
        }
    }
    found
}

fn tests_of(value: &SpannedValue<'_>) -> Vec<ValueTest> {
    match &value.data {
        Data::Bool(flag) => vec![ValueTest::Flag(*flag)],
        Data::Number(number) => vec![ValueTest::AtLeast(*number), ValueTest::AtMost(*number)],
        Data::Text(_) | Data::List(_) => vec![ValueTest::Is(texts(value))],
        Data::Map(members) => {
            members.iter().filter_map(|member| mapped(&member.key, &member.value)).collect()
        }
        Data::Null | Data::Tagged(_) | Data::Unknown => Vec::new(),
    }
}

fn mapped(key: &str, value: &SpannedValue<'_>) -> Option<ValueTest> {
    match (key, &value.data) {
        (NOT, _) => Some(ValueTest::Not(texts(value))),
        (ONLY, _) => Some(ValueTest::Only(texts(value))),
        (SET, Data::Bool(flag)) => Some(ValueTest::Set(*flag)),
        (AT_LEAST, Data::Number(number)) => Some(ValueTest::AtLeast(*number)),
        (AT_MOST, Data::Number(number)) => Some(ValueTest::AtMost(*number)),
        _ => None,
    }
}

fn texts(value: &SpannedValue<'_>) -> Vec<SmolStr> {
    let items = value.as_list().unwrap_or(std::slice::from_ref(value));
    items.iter().filter_map(|item| item.as_text().map(SmolStr::new)).collect()
}

fn test(value: &SpannedValue<'_>) -> Option<RuleTest> {
    Some(RuleTest { title: text(value, "test"), text: text(value, "files")? })
}

fn text(value: &SpannedValue<'_>, key: &str) -> Option<Located<SmolStr>> {
    let value = &value.get(key)?.value;
    Some(Located::new(SmolStr::new(value.as_text()?), value.at))
}
