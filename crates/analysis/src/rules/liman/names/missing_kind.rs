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

use nodewise_dialect::recovery::{Mistake, MistakeKind};
use nodewise_dialect::table::Type;
use nodewise_model::Origin;
use nodewise_syntax::TextRange;

use crate::diagnostic::{Finding, Severity};
use crate::facts::{DocumentFacts, DocumentRole};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::wording::short;

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
        about_form: true,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for document in context.documents() {
        if matches!(document.role, DocumentRole::MissingKind) {
            let is_first = document.id.position == 0;
            let help = "add `kind`, or remove the `---` above if this belongs to the document before";
            report.push(no_kind(document).help(if is_first { "add `kind`" } else { help }));
        }
        let mistakes = document.faults.mistakes.iter();
        for mistake in mistakes.filter(|mistake| matches!(mistake.field.ty, Type::Kind)) {
            match &mistake.kind {
                MistakeKind::Key { written, .. } => report.push(other_key(document, mistake, written)),
                MistakeKind::MissingWord { meant } => {
                    report.push(missing_word(context, document, mistake, meant));
                }
                _ => {}
            }
        }
    }
}

fn no_kind(document: &DocumentFacts) -> Finding {
    Finding::new(document.head, "the document has no `kind`").label("nothing says what it declares")
}

/// The finding about a kind that follows from the other keys.
fn missing_word(context: &Context<'_>, document: &DocumentFacts, mistake: &Mistake, meant: &str) -> Finding {
    let line = format!("{}: {meant}", mistake.field.key);
    let finding = no_kind(document).help(format!("write `{line}`"));
    let start = document.head.range.start();
    let is_flow = context.file.text.get(..usize::from(start)).is_some_and(|before| before.ends_with('{'));
    let here = Origin::new(document.head.source, TextRange::empty(start));
    if is_flow { finding } else { finding.fix(format!("Write `{line}`"), false, here, format!("{line}\n")) }
}

/// The finding about a key that was written instead of `kind`.
fn other_key(document: &DocumentFacts, mistake: &Mistake, written: &str) -> Finding {
    let message = format!("`{}` does not say what the document declares", short(written));
    let finding = Finding::new(mistake.at, message).label("the document has no `kind`");
    let key = mistake.field.key;
    let help = match &document.role {
        DocumentRole::Kind(kind) => format!("write `{key}: {}`", kind.name),
        _ => format!("write `{key}`"),
    };
    finding.help(help).fix(format!("Write `{key}`"), true, mistake.at, key)
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

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
    fn the_keys_show_which_kind_is_missing() {
        check_fix(
            "missing-kind",
            r"
name: chat
prompts: {system: {en: Hi}}
---
kind: Node
name: n
func: f.n
",
            r"
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
---
kind: Node
name: n
func: f.n
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
