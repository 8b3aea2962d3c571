//! Our verdict on a document, in the oracle's form.
//!
//! Input is a document's text; output is what it breaks of the system's specification, errors and warnings apart: the rule and
//! what the finding is about, as often as it is found. Invariant: it is what the command line reports for the one file.

use std::collections::BTreeSet;
use std::sync::Arc;

use nodewise_analysis::check::check;
use nodewise_analysis::diagnostic::{Diagnostic, Severity};
use nodewise_analysis::facts::{FileFacts, Ownership};
use nodewise_analysis::files::Files;
use nodewise_analysis::settings::Settings;
use nodewise_dialect::table::{Mark, Word};
use nodewise_dialect::tables::DIALECTS;
use nodewise_dialect::value::Value as Located;
use nodewise_model::SourceId;
use serde_json::{Value, json};

use super::places;
use crate::oracle::to_json;

/// The stage of a document that nobody claims.
pub(super) const UNCLAIMED: &str = "unclaimed";

/// All diagnostics for a file that stands alone; none if it is not this system's.
pub(super) fn diagnostics(path: &str, text: String, system: &str) -> Option<Vec<Diagnostic>> {
    // The packages read what is written.
    let settings = Settings { is_literal: true, ..Settings::default() };
    let facts = FileFacts::new(SourceId::default(), path.to_owned(), text.into(), Arc::new(settings));
    let is_claimed = matches!(facts.ownership, Ownership::Ours(dialect) if dialect.id == system);
    is_claimed.then(|| check(&Files::from_iter([facts])))
}

/// The rules of one system that diagnostics of this severity stand for.
pub(super) fn broken_rules(diagnostics: &[Diagnostic], system: &str, severity: Severity) -> BTreeSet<String> {
    diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == severity)
        .flat_map(Diagnostic::classes)
        .filter_map(|class| class.strip_prefix(system)?.strip_prefix(':'))
        .map(str::to_owned)
        .collect()
}

/// Whether a document bears the marks of one of a system's kinds, as the tables list them; others are left alone.
pub(super) fn has_marks(document: &Value, system: &str) -> bool {
    let kinds = DIALECTS.iter().filter(|dialect| dialect.id == system).flat_map(|dialect| dialect.kinds);
    let mut evidence = kinds.into_iter().flat_map(|kind| kind.evidence);
    evidence.any(|marks| marks.iter().all(|mark| holds(mark, document)))
}

fn holds(mark: &Mark, document: &Value) -> bool {
    let is_word = |value: &Value, words: &[Word]| {
        value.as_str().is_some_and(|text| words.iter().any(|word| word.text == text))
    };
    let items = |key: &str| document[key].as_array().into_iter().flatten();
    match mark {
        Mark::Has(key) => document.get(key).is_some(),
        Mark::Lacks(key) => document.get(key).is_none(),
        Mark::List(key) => document[*key].is_array(),
        Mark::Map(key) => document[*key].is_object(),
        Mark::Text(key) => document[*key].is_string(),
        Mark::Word(key, words) => is_word(&document[*key], words),
        Mark::ItemHas(key, inner) => items(key).any(|item| item.get(inner).is_some()),
        Mark::ItemWord(key, inner, words) => items(key).any(|item| is_word(&item[*inner], words)),
    }
}

/// What diagnostics of this severity say, as the system's rule and what it is about: `R9 edge`. `about` names that from the
/// rule and the way to the place.
pub(super) fn findings(
    text: &str,
    diagnostics: &[Diagnostic],
    system: &str,
    severity: Severity,
    about: impl Fn(&str, &[String], &Value) -> Option<String>,
) -> Vec<String> {
    let tree = nodewise_syntax::parse(text);
    let Some(root) = tree.documents().next().and_then(|document| document.root()) else {
        return Vec::new();
    };
    let root = Located::from_node(root, SourceId::default());
    let document = to_json(&root);
    let of_system = diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity);
    let found = of_system.flat_map(|diagnostic| {
        let way = places::way(&root, diagnostic);
        let rules = diagnostic.classes().filter_map(|spec| spec.strip_prefix(system)?.strip_prefix(':'));
        let named = rules.map(|rule| match about(rule, &way, &document) {
            Some(name) => format!("{rule} {name}"),
            None => rule.to_owned(),
        });
        named.collect::<Vec<_>>()
    });
    found.collect()
}

/// What an answer of the oracle lists.
pub(super) fn listed(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The rule of a finding.
pub(super) fn rule_of(finding: &str) -> &str {
    finding.split(' ').next().unwrap_or(finding)
}

/// Rules whose verdicts only follow from others, which name the cause: nodewise reports the cause alone.
pub(super) struct Consequences {
    /// What names the cause.
    pub(super) causes: &'static [&'static str],
    /// What follows.
    pub(super) follow: &'static [&'static str],
}

impl Consequences {
    /// Leaves out what follows, where a cause is named.
    pub(super) fn leave_out(&self, errors: &mut Vec<String>, warnings: &mut Vec<String>) {
        if errors.iter().any(|error| self.causes.contains(&rule_of(error))) {
            let stays = |finding: &String| !self.follow.contains(&rule_of(finding));
            errors.retain(stays);
            warnings.retain(stays);
        }
    }
}

/// Findings in an order of their own; how many there are of each counts.
pub(super) fn lists(stage: &str, mut errors: Vec<String>, mut warnings: Vec<String>) -> Value {
    errors.sort_unstable();
    warnings.sort_unstable();
    json!({"stage": stage, "errors": errors, "warnings": warnings})
}
