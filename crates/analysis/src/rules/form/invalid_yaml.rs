//! ## What it does
//!
//! Reports text that YAML 1.2 does not allow: unclosed quotes and brackets, bad indentation, tabs,
//! unknown escapes, aliases without an anchor.
//!
//! ## Why it matters
//!
//! The loader reads none of the file's documents, also those before the fault.
//!
//! ## Example
//!
//! ```yaml expect=invalid-yaml
//! kind: ToolNode
//! name: find
//! description: "Find a customer
//! func: tools.find
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: ToolNode
//! name: find
//! description: "Find a customer"
//! func: tools.find
//! ```

use nodewise_model::Origin;
use nodewise_syntax::{Problem, ProblemKind, TextSize};

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::form::yaml_fix;

pub(crate) static RULE: Rule = Rule {
    id: "invalid-yaml",
    former: &["yaml-syntax"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart {
        violation: Some(|violations| violations.broken_text),
        severity: Severity::Error,
        about_syntax: true,
        check,
        ..RulePart::DEFAULT
    }],
};

/// Only this many problems of a file get a fix.
const FIXES_MAX: usize = 20;

fn check(context: &Context<'_>, report: &mut Report) {
    let file = context.file;
    let mut reported: Vec<&Problem> = Vec::new();
    let mut flat_until = TextSize::default();
    for problem in file.problems.iter().filter(|problem| problem.kind != ProblemKind::DuplicateKey) {
        // A second fault on the same line usually results from the first. An editor that indents with tabs does so on every
        // line, so one report is enough.
        let is_reported = |other: &&Problem| {
            let between = file.text.get(usize::from(other.range.start())..usize::from(problem.range.start()));
            other.kind == ProblemKind::TabIndentation && problem.kind == ProblemKind::TabIndentation
                || between.is_some_and(|between| !between.contains('\n'))
        };
        if problem.range.start() < flat_until || reported.iter().rev().take(FIXES_MAX).any(is_reported) {
            continue;
        }
        reported.push(problem);
        let at = |range| Origin::new(file.source, range);
        let mut finding = Finding::new(at(problem.range), problem.message())
            .label("no document of this file can be loaded")
            .help_if(problem.help());
        if yaml_fix::is_separator(file, problem) {
            finding.message = "this line does not begin another document".to_owned();
            finding.help = Some("write `---`, three dashes".to_owned());
        }
        if let Some(lines) = yaml_fix::flat_block(&file.text, problem) {
            flat_until = lines.end();
            finding.help = Some("indent the text further than the key of its `|` or `>`".to_owned());
        }
        if let Some(related) = problem.related {
            finding = finding.related(at(related), "it belongs to this");
        }
        // Each fix is verified by parsing the whole text.
        if reported.len() <= FIXES_MAX {
            finding.fixes.extend(yaml_fix::fix(file, problem));
        }
        report.push(finding);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn an_unclosed_bracket_is_reported_once_and_the_rest_is_judged() {
        check_rule(
            "invalid-yaml",
            r"
kind: ToolNode
name: find
description: Find
func: tools.find
arguments: [a
#          ^ error[invalid-yaml]
",
        );
    }

    #[test]
    fn a_quote_that_takes_the_closing_brackets_is_the_one_fault() {
        check_rule(
            "invalid-yaml",
            r#"
kind: LLMNode
name: chat
prompts: {system: {en: "Hi}}
#                      ^^^^^ error[invalid-yaml]: the quoted text has no closing quote
tools: []
"#,
        );
    }
}
