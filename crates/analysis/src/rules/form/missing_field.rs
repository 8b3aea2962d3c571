//! ## What it does
//!
//! Reports a declaration, or a part of one, that lacks a required key, after overlays have added theirs.
//!
//! ## Why it matters
//!
//! The declaration does not load, or the node fails when it is compiled.
//!
//! ## Example
//!
//! ```yaml expect=missing-field
//! kind: Node
//! name: notify
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Node
//! name: notify
//! func: desk.nodes.notify
//! ```

use nodewise_dialect::bind::IssueKind;
use nodewise_dialect::recovery::{Mistake, MistakeKind};
use nodewise_dialect::table::Type;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::form::key_fix;
use crate::rules::list_fixes;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "missing-field",
    former: &[],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart {
        violation: Some(|violations| violations.missing),
        severity: Severity::Error,
        absence: true,
        about_form: true,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let class = context.violations().and_then(|violations| violations.missing);
    let of_overlays = context.documents().flat_map(|document| &document.faults.issues);
    let of_declarations = context.effective().flat_map(|effective| &effective.faults.absences);
    for issue in of_overlays.chain(of_declarations) {
        let (shape, key, doc) = match (&issue.kind, issue.field) {
            (IssueKind::MissingField, Some(field)) => (issue.shape.name, field.key, field.doc.to_owned()),
            (IssueKind::MissingVariant(variant), _) => {
                let words: Vec<&str> = variant.words().map(|word| word.text).collect();
                (variant.name, variant.key, format!("one of {}", words.join(", ")))
            }
            _ => continue,
        };
        let finding = Finding::new(issue.at, format!("`{shape}` lacks the required key `{key}`"))
            .label("it must be there")
            .help(format!("add `{key}`: {doc}"));
        report.push_violation(issue, class, finding);
    }
    for mistake in context.documents().flat_map(|document| &document.faults.mistakes) {
        if let MistakeKind::Short { written, key, other } = &mistake.kind {
            report.push(short_item(context, mistake, written, key, *other).spec(class));
        }
        let MistakeKind::MissingWord { meant } = &mistake.kind else { continue };
        // `missing-kind` reports it.
        if matches!(mistake.field.ty, Type::Kind) {
            continue;
        }
        let key = mistake.field.key;
        let finding =
            Finding::new(mistake.at, format!("`{}` lacks the required key `{key}`", mistake.shape.name))
                .spec(class)
                .label("it must be there")
                .help(format!("add `{key}: {meant}`"));
        let edits = key_fix::with_entry(context, mistake.at, key, meant);
        report.push(list_fixes::offer(finding, format!("Add `{key}: {meant}`"), false, edits));
    }
}

/// The finding about an item whose keys were left out.
fn short_item(
    context: &Context<'_>,
    mistake: &Mistake,
    written: &str,
    key: &str,
    other: Option<&str>,
) -> Finding {
    let written = short(written);
    let (message, help) = match other {
        Some(other) => (
            format!("each item of `{}` needs the keys `{key}` and `{other}`", mistake.field.key),
            format!("write `{key}: {written}`, and below it `{other}: ...`"),
        ),
        None => (
            format!("each item of `{}` needs the key `{key}`", mistake.field.key),
            format!("write `{key}: {written}`, and the other keys next to it"),
        ),
    };
    let finding = Finding::new(mistake.at, message).label("this is a key of its own").help(help);
    let edits = key_fix::in_full(context, mistake.at, key, other);
    list_fixes::offer(finding, "Write it in full".to_owned(), false, edits)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn each_missing_key_is_reported_on_the_first_line() {
        check_rule(
            "missing-field",
            r"
kind: LLMNode
^^^^ error[missing-field]: `LLMNode` lacks the required key `name`
^^^^ error[missing-field]: `LLMNode` lacks the required key `prompts`
tools: []
",
        );
    }

    #[test]
    fn an_agent_that_lacks_one_key_stays_an_agent() {
        let agents =
            "#- /agents.yaml\nid: clerk\nname: C\nmodel: m\nprovider: openai\nsystem_prompt: Hi\n---\n";
        let lacking = r"id: critic
name: C
model: m
system_prompt: Hi
temperature: 0.2
permissions: {read_keys: [a], write_keys: [b]}
";
        let finding = "^^ error[missing-field]: `Agent` lacks the required key `provider`\n";
        let (first, others) = lacking.split_once('\n').unwrap();
        check_rule("missing-field", &format!("{agents}{first}\n{finding}{others}"));
        check_rule("unknown-field", &format!("{agents}{lacking}"));
    }

    #[test]
    fn an_overlay_may_bring_it() {
        check_rule(
            "missing-field",
            r"
#- /base.yaml
kind: LLMNode
name: greeter
#- /langs/en.yaml
kind: Overlay
to: LLMNode:greeter
prompts: {en: {system: Hi}}
",
        );
    }
}
