//! Our verdict on a document, in the oracle's form.
//!
//! Input is a document's text; output is the rules of the system's specification that it breaks, errors and warnings
//! apart. Invariant: it is what the command line reports for the one file.

use std::collections::BTreeSet;
use std::sync::Arc;

use nodewise_analysis::check::check;
use nodewise_analysis::diagnostic::{Diagnostic, Severity};
use nodewise_analysis::facts::{FileFacts, Ownership};
use nodewise_analysis::files::Files;
use nodewise_analysis::settings::Settings;
use nodewise_model::SourceId;
use serde_json::{Value, json};

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

/// The rules that an answer of the oracle lists, each once.
pub(super) fn listed_rules(list: &Value) -> BTreeSet<String> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
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
    pub(super) fn leave_out(&self, errors: &mut BTreeSet<String>, warnings: &mut BTreeSet<String>) {
        if self.causes.iter().any(|cause| errors.contains(*cause)) {
            let stays = |rule: &String| !self.follow.contains(&rule.as_str());
            errors.retain(stays);
            warnings.retain(stays);
        }
    }
}

pub(super) fn sets(stage: &str, errors: &BTreeSet<String>, warnings: &BTreeSet<String>) -> Value {
    json!({"stage": stage, "errors": errors, "warnings": warnings})
}
