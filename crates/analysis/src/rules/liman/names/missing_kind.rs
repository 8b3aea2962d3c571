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

use std::cell::LazyCell;
use std::cmp::Reverse;

use nodewise_dialect::recognise;
use nodewise_dialect::table::{Kind, Required, Type};
use nodewise_dialect::value::SpannedValue;
use nodewise_model::Origin;
use nodewise_platform::sorting::Sorting;
use nodewise_syntax::{SyntaxNode, TextRange};

use crate::diagnostic::{Finding, Severity};
use crate::facts::DocumentRole;
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
    let roots = LazyCell::new(|| -> Vec<Option<SyntaxNode<'_>>> {
        context.file.tree().documents().map(|document| document.root()).collect()
    });
    for document in context.documents() {
        if !matches!(document.role, DocumentRole::MissingKind) {
            continue;
        }
        let root = roots.get(document.id.position as usize).copied().flatten();
        let value = root.map(|root| SpannedValue::from_node(root, context.file.source));
        if let Some(finding) = value.as_ref().and_then(|value| in_other_words(context, value)) {
            report.push(finding);
            continue;
        }
        let is_block = root.and_then(|root| root.as_mapping()).is_some_and(|mapping| !mapping.is_flow());
        let kind = value.as_ref().filter(|_| is_block).and_then(|value| kind_by_keys(context, value));
        let finding =
            Finding::new(document.head, "the document has no `kind`").label("nothing says what it declares");
        report.push(if let Some(kind) = kind {
            let line = format!("kind: {kind}");
            let here = Origin::new(document.head.source, TextRange::empty(document.head.range.start()));
            finding.help(format!("write `{line}`")).fix(
                format!("Write `{line}`"),
                false,
                here,
                format!("{line}\n"),
            )
        } else if document.id.position == 0 {
            finding.help("add `kind`")
        } else {
            finding.help("add `kind`, or remove the `---` above if this belongs to the document before")
        });
    }
}

/// The kind that has all of the document's keys as fields and the most required keys, all of which exist. `None` if several
/// kinds are equally good, or if only one key is required.
fn kind_by_keys(context: &Context<'_>, value: &SpannedValue<'_>) -> Option<&'static str> {
    let keys: Vec<&str> = value.as_map()?.iter().map(|member| member.key.as_ref()).collect();
    let has_all = |kind: &&Kind| keys.iter().all(|key| kind.shape.field(key).is_some());
    let needed = |kind: &'static Kind| {
        let fields = kind.shape.fields.iter().filter(|field| field.required == Required::Yes);
        let mut fields = fields.filter(|field| !matches!(field.ty, Type::Kind));
        fields.clone().all(|field| keys.contains(&field.key)).then(|| (fields.by_ref().count(), kind))
    };
    let kinds = context.dialect()?.kinds.iter().filter(|kind| kind.is_declarable()).filter(has_all);
    let mut fitting: Vec<(usize, &Kind)> = kinds.filter_map(needed).collect();
    fitting.arrange_by_key(|(count, _)| Reverse(*count));
    match fitting.as_slice() {
        [(most, _), (next, _), ..] if most == next => None,
        [(most, kind), ..] if *most > 1 => Some(kind.name),
        _ => None,
    }
}

/// The finding about a key that was written instead of `kind`.
fn in_other_words(context: &Context<'_>, value: &SpannedValue<'_>) -> Option<Finding> {
    let dialect = context.dialect()?;
    let (key, meant) = (dialect.discriminator()?, recognise::meant_discriminator(dialect, value)?);
    let word = meant.value.as_text().unwrap_or_default();
    let message = format!("`{}` does not say what the document declares", meant.key);
    let finding = Finding::new(meant.key_at, message).label("the document has no `kind`");
    let help = format!("write `{key}: {word}`");
    Some(finding.help(help).fix(format!("Write `{key}`"), true, meant.key_at, key))
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
