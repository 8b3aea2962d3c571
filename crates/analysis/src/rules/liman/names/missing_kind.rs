//! ## What it does
//!
//! Reports a mapping without `kind` beside declarations.
//!
//! ## Why it matters
//!
//! Only `kind` says what a document declares; the loader rejects a document without it. A stray `---` that
//! cuts a declaration in two leaves a second half without a kind.
//!
//! ## Example
//!
//! ```yaml expect=missing-kind
//! kind: LLMNode
//! name: chat
//! prompts: {system: {en: Hi}}
//! ---
//! auth:
//!   service_account: reader
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: LLMNode
//! name: chat
//! prompts: {system: {en: Hi}}
//! auth:
//!   service_account: reader
//! ---
//! kind: ServiceAccount
//! name: reader
//! context: {inject: [user.id]}
//! ```

use nodewise_dialect::recognise;
use nodewise_dialect::value::SpannedValue;

use crate::diagnostic::{Finding, Severity};
use crate::facts::{DocumentFacts, DocumentRole};
use crate::rule::{Category, Context, Report, Rule, RulePart};

pub(crate) static RULE: Rule = Rule {
    id: "missing-kind",
    former: &[],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:missing-kind"),
        severity: Severity::Error,
        absence: true,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for document in context.documents() {
        if !matches!(document.role, DocumentRole::MissingKind) {
            continue;
        }
        if let Some(finding) = in_other_words(context, document) {
            report.push(finding);
            continue;
        }
        let finding =
            Finding::new(document.head, "the document has no `kind`").label("nothing says what it declares");
        report.push(if document.id.position == 0 {
            finding.help("add `kind`")
        } else {
            finding.help("add `kind`, or remove the `---` above if this belongs to the document before")
        });
    }
}

/// A finding about a key that stands where `kind` belongs.
fn in_other_words(context: &Context<'_>, document: &DocumentFacts) -> Option<Finding> {
    let root = context.file.tree().documents().nth(document.id.position as usize)?.root()?;
    let value = SpannedValue::from_node(root, context.file.source);
    let dialect = context.dialect()?;
    let (key, meant) = (dialect.discriminator()?, recognise::meant_discriminator(dialect, &value)?);
    let word = meant.value.as_text().unwrap_or_default();
    let message = format!("`{}` does not say what the document declares", meant.key);
    let finding = Finding::new(meant.key_at, message).label("the document has no `kind`");
    let help = format!("write `{key}: {word}`");
    Some(finding.help(help).fix(format!("Write `{key}`"), true, meant.key_at, key))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn on_the_first_line_of_the_document() {
        check_rule(
            "missing-kind",
            r"
kind: Node
name: n
func: f.n
---
name: b
^^^^ error[missing-kind]: the document has no `kind`
---
kind:
^^^^ error[missing-kind]: the document has no `kind`
name: c
",
        );
    }

    #[test]
    fn a_key_in_its_place_is_named() {
        check_rule(
            "missing-kind",
            r"
Kind: Node
^^^^ error[missing-kind]: `Kind` does not say what the document declares
name: n
func: f.n
---
type: LLMNode
^^^^ error[missing-kind]: `type` does not say what the document declares
name: c
prompts: {system: {en: x}}
",
        );
    }

    #[test]
    fn other_systems_are_left_alone() {
        check_rule(
            "missing-kind",
            r"
kind: Node
name: n
func: f.n
---
apiVersion: v1
metadata: {name: x}
",
        );
    }
}
