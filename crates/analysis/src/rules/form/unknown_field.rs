//! ## What it does
//!
//! Reports a key that its declaration, edge, argument or account does not have.
//!
//! ## Why it matters
//!
//! The loader ignores the key: what it says has no effect. It may be misspelt.
//!
//! ## Example
//!
//! ```yaml expect=unknown-field
//! kind: ToolNode
//! name: find
//! descripton: Find a customer
//! description: Find
//! func: desk.find
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: ToolNode
//! name: find
//! description: Find a customer
//! func: desk.find
//! ```
//!
//! ## Options
//!
//! `extra_fields` in `nodewise.toml`, for instance under `[liman]`, lists fields that plugins add.

use nodewise_dialect::bind::{Issue, IssueKind};
use nodewise_dialect::recovery::{AbsentMapping, Mistake, MistakeKind, SingleValue};
use nodewise_dialect::table::{Dialect, Required, Type};

use crate::diagnostic::{Finding, Severity};
use crate::facts::Ownership;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::form::{key_fix, level_fix};
use crate::rules::list_fixes;
use crate::rules::wording::{listed, short};

pub(crate) static RULE: Rule = Rule {
    id: "unknown-field",
    former: &[],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart {
        violation: Some(|violations| violations.unknown_key),
        severity: Severity::Warning,
        about_form: true,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let Ownership::Ours(dialect) = context.file.ownership else { return };
    for document in context.documents() {
        // `missing-kind` and `unknown-kind` report those of the kind.
        let mistakes = document.faults.mistakes.iter();
        for mistake in mistakes.filter(|mistake| !matches!(mistake.field.ty, Type::Kind)) {
            check_mistake(context, dialect, mistake, report);
        }
        for issue in &document.faults.issues {
            if let IssueKind::UnknownField(key) = &issue.kind
                && !context.file.settings.is_extra_field(dialect, key)
            {
                report.push(unknown(dialect, issue, key));
            }
        }
    }
}

/// The finding about an unknown key whose meaning is not known.
fn unknown(dialect: &Dialect, issue: &Issue, key: &str) -> Finding {
    // The shape has the field, so this is a field that an overlay may not have.
    if issue.shape.field(key).is_some() {
        let message = format!("an overlay cannot change the `{}` of its target", short(key));
        return Finding::new(issue.at, message).label("it has no effect").help("remove it");
    }
    Finding::new(issue.at, format!("`{}` has no field `{}`", issue.shape.name, short(key)))
        .spec(dialect.violations.unknown_key)
        .label("it has no effect")
        .help(match dialect.foreign(issue.shape, key) {
            Some(foreign) => foreign.instead.to_owned(),
            None => elsewhere(dialect, key),
        })
}

/// The kinds that have the field, or what else to do.
fn elsewhere(dialect: &Dialect, key: &str) -> String {
    let owners: Vec<&str> =
        dialect.kinds.iter().filter(|kind| kind.shape.field(key).is_some()).map(|kind| kind.name).collect();
    match owners.is_empty() {
        false => format!("remove it here; it is a field of {}", listed(owners)),
        true if dialect.has_plugins => {
            "remove it, or list it in nodewise.toml if a plugin adds it".to_owned()
        }
        true => "remove it".to_owned(),
    }
}

/// Reports a key whose meaning is clear. If a required key was meant, that one is missing, so the class of the missing key
/// is added.
fn check_mistake(context: &Context<'_>, dialect: &Dialect, mistake: &Mistake, report: &mut Report) {
    let required = match &mistake.kind {
        // Without the mapping, the key inside it does not fulfil the requirement.
        MistakeKind::TooHigh { below, absent: Some(absent), .. } => absent.is_required.then_some(*below),
        _ => (mistake.field.required == Required::Yes).then_some(mistake.field.key),
    };
    let is_required = required.is_some();
    let (class, label) = match required {
        Some(key) => (dialect.violations.missing, format!("`{key}` is required")),
        None => (dialect.violations.unknown_key, "it has no effect".to_owned()),
    };
    let key = mistake.field.key;
    let finding = match &mistake.kind {
        MistakeKind::Key { written, alone } => {
            let message = format!("`{}` has no field `{}`", mistake.shape.name, short(written));
            let help = match alone {
                Some(SingleValue::Item) => format!("write `{key}`, with a list"),
                Some(alone) => format!("write `{key}: {}`", key_fix::completed(*alone)),
                None => format!("write `{key}`"),
            };
            let edits = key_fix::renamed_key(context, mistake.at, written, key, *alone);
            let finding = Finding::new(mistake.at, message).label(label).help(help);
            list_fixes::offer(finding, format!("Rename it to `{key}`"), false, edits)
        }
        MistakeKind::TooHigh { written, below, absent } => {
            let message = format!("`{}` belongs below `{below}`", short(written));
            let label = match absent {
                Some(_) => label,
                None => format!("here it is next to `{below}`"),
            };
            let help = match written == key && absent.is_none() {
                true => format!("indent it, below `{below}`"),
                false => format!("write `{below}: {{{key}: ...}}`"),
            };
            // The fix of the first key creates the mapping. Then the fixes of the other keys can move them into it.
            let edits = match absent {
                Some(AbsentMapping { is_first: false, .. }) => None,
                Some(_) => level_fix::wrapped_entry(context, mistake.at, written, below, key),
                None => level_fix::lowered_key(context, mistake.at, below, key),
            };
            let finding = Finding::new(mistake.at, message).label(label).help(help);
            list_fixes::offer(finding, format!("Move it below `{below}`"), false, edits)
        }
        MistakeKind::TooLow { written, inside } => {
            let message = format!("`{}` belongs next to `{inside}`, not below it", short(written));
            let finding = Finding::new(mistake.at, message)
                .label(format!("it is a field of `{}`", mistake.shape.name))
                .help(format!("indent it like `{inside}`"));
            let edits = level_fix::lifted_key(context, mistake.at, inside);
            list_fixes::offer(finding, format!("Move it next to `{inside}`"), false, edits)
        }
        MistakeKind::Word { .. }
        | MistakeKind::MissingWord { .. }
        | MistakeKind::Unquoted(_)
        | MistakeKind::OtherList { .. }
        | MistakeKind::Listed
        | MistakeKind::Only
        | MistakeKind::Wrapped { .. }
        | MistakeKind::Keys
        | MistakeKind::Tag { .. }
        | MistakeKind::SingleValue(_)
        | MistakeKind::Short { .. }
        | MistakeKind::Schema { .. }
        | MistakeKind::Named { .. } => return,
    };
    let severity = if is_required { Severity::Error } else { Severity::Warning };
    match mistake.field.violation.filter(|_| is_required) {
        Some(violation) if violation.is_refused => report.push_at(severity, finding.spec(violation.class)),
        Some(violation) => report.push(finding.spec(violation.class)),
        None => report.push_at(severity, finding.spec(class)),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn at_any_depth_with_near_names() {
        check_rule(
            "unknown-field",
            r"
kind: LLMNode
node: StartNode
^^^^ warning[unknown-field]: `LLMNode` has no field `node`
name: chat
prompts: {system: {en: Hi}}
tool: [find]
^^^^ warning[unknown-field]: `LLMNode` has no field `tool`
llm_nodes: []
^^^^^^^^^ warning[unknown-field]: `LLMNode` has no field `llm_nodes`
nodes:
  - {target: chat, whn: a, when: b}
#                  ^^^ warning[unknown-field]: `Edge` has no field `whn`
---
kind: Overlay
to: LLMNode:chat
name: other
^^^^ warning[unknown-field]: an overlay cannot change the `name` of its target
arguments: [{name: a, type: string}]
^^^^^^^^^ warning[unknown-field]: `LLMNode` has no field `arguments`
",
        );
    }

    #[test]
    fn a_misspelt_key_is_renamed() {
        check_fix(
            "unknown-field",
            r"
kind: LLMNode
name: a
prompts: {system: {en: Hi}}
tool: []
",
            r"
kind: LLMNode
name: a
prompts: {system: {en: Hi}}
tools: []
",
        );
    }

    #[test]
    fn a_key_of_a_mapping_that_is_not_there_is_put_into_one() {
        check_rule(
            "unknown-field",
            r"
kind: LLMNode
name: a
system_prompt: Hi
^^^^^^^^^^^^^ error[unknown-field]: `system_prompt` belongs below `prompts`
",
        );
        check_fix(
            "unknown-field",
            r"
kind: LLMNode
name: a
system_prompt: Hi
",
            r"
kind: LLMNode
name: a
prompts:
  system: Hi
",
        );
        // The first of several keys makes the mapping, and the others follow.
        let graph = |inputs: &str| {
            format!(
                "\nname: n\ndescription: d\ninputs: {{places: {inputs}}}\nnodes: [{{id: a, type: agent, agent_id: w}}]\nedges: []\nstart_node: a\nend_nodes: [a]\n"
            )
        };
        let steps = [
            "{type: array, items: {type: string}}",
            "{schema: {type: array}, items: {type: string}}",
            "{schema: {type: array, items: {type: string}}}",
        ];
        for step in steps.windows(2) {
            check_fix("unknown-field", &graph(step[0]), &graph(step[1]));
        }
    }

    #[test]
    fn a_text_becomes_the_usual_mapping() {
        check_fix(
            "unknown-field",
            r"
kind: LLMNode
name: a
prompt: Hi
",
            r"
kind: LLMNode
name: a
prompts:
  system: Hi
",
        );
    }

    #[test]
    fn a_key_of_other_systems_is_another_word_if_the_value_fits() {
        check_fix(
            "unknown-field",
            r"
kind: ToolNode
name: b
description: {en: Looks}
func: app.look
parameters: [{name: city, type: string}]
",
            r"
kind: ToolNode
name: b
description: {en: Looks}
func: app.look
arguments: [{name: city, type: string}]
",
        );
    }
}
