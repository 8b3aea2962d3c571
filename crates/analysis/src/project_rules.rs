//! Rules that a project writes for itself: what they are called, and which of them can be applied.
//!
//! Input: documents that declare rules. Output: the rules that the index holds. Reading order: `names` (what rules are
//! called), `wording` (names in messages), `usable` (what is wrong with a rule). Invariant: a rule with a mistake is not applied.

mod names;
mod usable;
mod wording;

use std::sync::Arc;

use nodewise_model::project_rule::ProjectRule;
use nodewise_model::{Body, Declaration};

use crate::diagnostic::Severity;
use crate::facts::{DocumentFacts, DocumentId};
pub use names::{GROUP, finding_id, is_project_rule, is_rule_name, name_of};
pub use usable::{RuleProblem, problems};
pub(crate) use wording::{Piece, pieces};

/// A project rule without faults, ready to be applied.
#[derive(Debug, Clone)]
pub struct ActiveRule {
    /// The id of its findings: `project/` and the name.
    pub id: &'static str,
    /// The severity of its findings.
    pub severity: Severity,
    /// The document that declares it.
    pub document: DocumentId,
    pub rule: Arc<ProjectRule>,
}

impl ActiveRule {
    /// The rule that a document declares; `None` if it declares none or a faulty one.
    #[must_use]
    pub fn of_document(document: &DocumentFacts) -> Option<ActiveRule> {
        let effective = document.effective.as_ref()?;
        let Body::Rule(rule) = &effective.declaration.as_ref()?.body else { return None };
        // A key that cannot be read would be a missing condition, and the rule would report too much.
        let is_whole = document.faults.issues.is_empty()
            && document.faults.mistakes.is_empty()
            && effective.faults.absences.is_empty();
        if !is_whole || problems(rule).next().is_some() {
            return None;
        }
        let id = finding_id(&rule.id.as_ref()?.value)?;
        Some(ActiveRule { id, severity: severity(rule), document: document.id, rule: Arc::clone(rule) })
    }
}

/// The severity of a rule's findings; a warning if the rule does not say.
fn severity(rule: &ProjectRule) -> Severity {
    let all = [Severity::Error, Severity::Warning, Severity::Hint];
    let word = rule.severity.as_deref();
    all.into_iter().find(|severity| Some(severity.word()) == word).unwrap_or(Severity::Warning)
}

/// The page of a rule, in Markdown: what `explain` prints.
#[must_use]
pub fn page(rule: &ProjectRule, id: &str, path: &str) -> String {
    let text = |part: &Option<nodewise_model::Located<smol_str::SmolStr>>| {
        part.as_ref().map(|part| part.value.to_string()).unwrap_or_default()
    };
    let mut page = format!("# {id}\n\n## What it reports\n\n{}\n", text(&rule.message));
    if rule.help.is_some() {
        page.push_str(&format!("\nHelp: {}\n", text(&rule.help)));
    }
    if let Some(why) = &rule.why {
        page.push_str(&format!("\n## Why\n\n{why}\n"));
    }
    page.push_str(&format!(
        "\n## Where it is\n\nA rule of the project, in `{path}`. Severity: {}. Tests: {}.\n",
        severity(rule).word(),
        rule.tests.len()
    ));
    page
}

/// The rule that a declaration contains; `None` if it declares something else.
#[must_use]
pub fn of_declaration(declaration: &Declaration) -> Option<&Arc<ProjectRule>> {
    match &declaration.body {
        Body::Rule(rule) => Some(rule),
        _ => None,
    }
}
