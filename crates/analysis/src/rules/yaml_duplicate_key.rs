//! ## What it does
//!
//! Reports a key that its mapping holds twice.
//!
//! ## Why it matters
//!
//! YAML forbids it: the loader reads none of the file's documents. Parsers that are less strict keep one
//! of the two values, not always the same one.
//!
//! ## Example
//!
//! ```yaml expect=yaml-duplicate-key
//! kind: Node
//! name: notify
//! name: notify_all
//! func: desk.notify
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Node
//! name: notify_all
//! func: desk.notify
//! ```

use nodewise_model::Origin;
use nodewise_syntax::ProblemKind;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, EVERY_SYSTEM, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "yaml-duplicate-key",
    spec: Some("liman:yaml-duplicate-key"),
    systems: EVERY_SYSTEM,
    severity: Severity::Error,
    absence: false,
    about_syntax: true,
    about_form: false,
    needs: Needs::Nothing,
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    let at = |range| Origin::new(context.file.source, range);
    for problem in &context.file.problems {
        if problem.kind != ProblemKind::DuplicateKey {
            continue;
        }
        let mut finding = Finding::new(at(problem.range), problem.message())
            .label("no document of this file can be loaded")
            .help_if(problem.help());
        if let Some(first) = problem.related {
            finding = finding.related(at(first), "the key stands here first");
        }
        report.push(finding);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn the_second_key_is_reported() {
        check_rule(
            "yaml-duplicate-key",
            r"
kind: LLMNode
name: a
name: b
^^^^ error[yaml-duplicate-key]
prompts:
  system: {en: Hi, de: Hallo, en: Hello}
#                             ^^ error[yaml-duplicate-key]
",
        );
    }
}
