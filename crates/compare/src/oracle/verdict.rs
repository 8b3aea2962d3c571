//! Our findings for a document, in the oracle's format.
//!
//! Input is the text of a document. Output is the broken rules of the system's specification, separately for errors and
//! warnings: each rule with its subject, once per finding. Invariant: the command line reports the same for this file.

use std::collections::BTreeSet;
use std::sync::Arc;

use nodewise_analysis::check::check;
use nodewise_analysis::diagnostic::{Diagnostic, Severity};
use nodewise_analysis::facts::{FileFacts, Ownership};
use nodewise_analysis::files::Files;
use nodewise_analysis::settings::Settings;
use nodewise_dialect::table::{Mark, Word};
use nodewise_dialect::tables::DIALECTS;
use nodewise_dialect::value::SpannedValue as Located;
use nodewise_model::SourceId;
use serde_json::{Value, json};

use super::places;
use crate::oracle::to_json;

/// The stage of a document that no system recognises.
pub(super) const UNCLAIMED: &str = "unclaimed";

/// All diagnostics for a single file. `None` if it does not belong to this system.
pub(super) fn diagnostics(path: &str, text: String, system: &str) -> Option<Vec<Diagnostic>> {
    // The packages do not correct misspelt keys.
    let settings = Settings { is_literal: true, ..Settings::default() };
    let facts = FileFacts::new(SourceId::default(), path.into(), text.into(), Arc::new(settings));
    let is_claimed = matches!(facts.ownership, Ownership::Ours(dialect) if dialect.id == system);
    is_claimed.then(|| check(&Files::from_iter([facts])))
}

/// The rules of one system for diagnostics of this severity.
pub(super) fn broken_rules(diagnostics: &[Diagnostic], system: &str, severity: Severity) -> BTreeSet<String> {
    diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == severity)
        .flat_map(Diagnostic::classes)
        .filter_map(|class| class.strip_prefix(system)?.strip_prefix(':'))
        .map(str::to_owned)
        .collect()
}

/// Whether a document has the marks of one of a system's kinds, as the tables list them. Other documents are ignored.
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

/// The diagnostics of this severity, as the system's rule with its subject: `R9 edge`. `about` computes the subject
/// from the rule and the path.
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

/// The list in an answer of the oracle.
pub(super) fn listed(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The rule of a finding.
pub(super) fn rule_of(finding: &str) -> &str {
    finding.split(' ').next().unwrap_or(finding)
}

/// Rules whose findings follow from other findings. Nodewise reports only the cause.
pub(super) struct Consequences {
    /// The rules that report the cause.
    pub(super) causes: &'static [&'static str],
    /// The rules that follow.
    pub(super) follow: &'static [&'static str],
}

impl Consequences {
    /// Removes the findings that follow, if the cause is reported.
    pub(super) fn leave_out(&self, errors: &mut Vec<String>, warnings: &mut Vec<String>) {
        if errors.iter().any(|error| self.causes.contains(&rule_of(error))) {
            let stays = |finding: &String| !self.follow.contains(&rule_of(finding));
            errors.retain(stays);
            warnings.retain(stays);
        }
    }
}

/// The findings, sorted. The number of equal ones is compared too.
pub(super) fn lists(stage: &str, mut errors: Vec<String>, mut warnings: Vec<String>) -> Value {
    errors.sort_unstable();
    warnings.sort_unstable();
    json!({"stage": stage, "errors": errors, "warnings": warnings})
}
