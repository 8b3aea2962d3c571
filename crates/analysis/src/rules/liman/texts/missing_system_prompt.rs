//! ## What it does
//!
//! Reports an LLMNode whose `prompts` have no `system`: a text in place of the mapping, or a mapping with other keys alone.
//!
//! ## Why it matters
//!
//! The model gets no system message. Release 0.1.1 of Liman refuses a text when it compiles the node, and fails with the
//! first call where `system` is missing.
//!
//! ## Example
//!
//! ```yaml expect=missing-system-prompt
//! kind: LLMNode
//! name: chat
//! prompts: You help with the weather.
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: LLMNode
//! name: chat
//! prompts:
//!   system: You help with the weather.
//! ```

use nodewise_dialect::tables::liman::SYSTEM_PROMPT;
use nodewise_model::Origin;

use crate::diagnostic::{Finding, Severity};
use crate::facts::MissingPrompt;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::ranges;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "missing-system-prompt",
    former: &[],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, absence: true, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for missing in context.effective().filter_map(|effective| effective.faults.without_system_prompt.as_ref())
    {
        let at = match missing {
            MissingPrompt::In(at) => *at,
            MissingPrompt::Misspelt(at, written) => {
                report.push(misspelt(context, *at, written));
                continue;
            }
        };
        let source = ranges::source(context, at);
        let finding =
            Finding::new(ranges::first_line(context, at), format!("the prompts have no `{SYSTEM_PROMPT}`"))
                .label("the model gets no system message")
                .help(format!("write the text below `{SYSTEM_PROMPT}`"));
        let is_text =
            !source.is_empty() && !source.contains('\n') && !source.starts_with(['|', '>', '&', '*', '!']);
        let is_key = ranges::is_word(source);
        report.push(match is_text && !is_key {
            true => finding.fix(
                format!("Put it below `{SYSTEM_PROMPT}`"),
                false,
                at,
                format!("\n  {SYSTEM_PROMPT}: {source}"),
            ),
            false => finding,
        });
    }
}

fn misspelt(context: &Context<'_>, at: Origin, written: &str) -> Finding {
    let finding = Finding::new(at, format!("`{}` is not the system message", short(written)))
        .label("the model gets no system message")
        .help(format!("write `{SYSTEM_PROMPT}`"));
    match ranges::part(context, at, written) {
        Some(key_at) => finding.fix(format!("Rename it to `{SYSTEM_PROMPT}`"), false, key_at, SYSTEM_PROMPT),
        None => finding,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn texts_and_mappings_with_other_keys() {
        check_rule(
            "missing-system-prompt",
            r"
kind: LLMNode
name: a
prompts: You help.
#        ^^^^^^^^^ warning[missing-system-prompt]: the prompts have no `system`
---
kind: LLMNode
name: b
prompts: {user: Hi, notes: x}
^^^^^^^ warning[missing-system-prompt]: the prompts have no `system`
---
kind: LLMNode
name: e
prompts:
  systemPrompt: Hi
  ^^^^^^^^^^^^ warning[missing-system-prompt]: `systemPrompt` is not the system message
---
kind: LLMNode
name: c
prompts: {en: {system: Hi}}
---
kind: LLMNode
name: d
prompts: {user: Hi}
---
kind: Overlay
to: LLMNode:d
prompts: {system: {en: Hi}}
",
        );
    }

    #[test]
    fn a_text_goes_below() {
        check_fix(
            "missing-system-prompt",
            r"
kind: LLMNode
name: a
prompts: You help.
tools: []
",
            r"
kind: LLMNode
name: a
prompts: 
  system: You help.
tools: []
"
            .replace("\\n", "\n")
            .as_str(),
        );
    }
}
