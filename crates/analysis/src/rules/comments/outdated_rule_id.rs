//! ## What it does
//!
//! Reports the former id of a rule in a `# nodewise: ignore…` comment.
//!
//! ## Why it matters
//!
//! The comment still works, but findings and documentation use the new id.
//!
//! ## Example
//!
//! ```yaml expect=outdated-rule-id
//! kind: Node
//! name: notify
//! func: notify  # nodewise: ignore[func-path] generated later
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Node
//! name: notify
//! func: notify  # nodewise: ignore[invalid-function-path] generated later
//! ```

use nodewise_model::Origin;
use nodewise_syntax::{TextRange, TextSize};

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::{current, renamed, renamed_note};

/// The id of the rule. `check --fix` fixes its findings even where it does not report hints.
pub const ID: &str = "outdated-rule-id";

pub(crate) static RULE: Rule = Rule {
    id: ID,
    former: &[],
    category: Category::Style,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for comment in &context.file.suppressions.comments {
        let names = names(&context.file.text, comment.range);
        for (position, (word, range)) in names.iter().enumerate() {
            let Some(rule) = renamed(word) else { continue };
            let at = |start, end| Origin::new(context.file.source, TextRange::new(start, end));
            let finding = Finding::new(at(range.start(), range.end()), renamed_note(word, rule))
                .label("the rule has a new id")
                .help(format!("write `{}`", rule.id));
            let (before, behind) = (&names[..position], &names[position + 1..]);
            let title = format!("Write `{}`", rule.id);
            report.push(
                if let Some((_, last)) = before.last()
                    && before.iter().any(|(other, _)| current(other) == rule.id)
                {
                    // Two former rules have become one, so its id is written only once.
                    finding.fix(title, true, at(last.end(), range.end()), "")
                } else if let Some((_, next)) = behind.first()
                    && behind.iter().any(|(other, _)| *other == rule.id)
                {
                    finding.fix(title, true, at(range.start(), next.start()), "")
                } else {
                    finding.fix(title, true, at(range.start(), range.end()), rule.id)
                },
            );
        }
    }
}

/// The names between the brackets of a comment, each with its range.
fn names(text: &str, comment: TextRange) -> Vec<(&str, TextRange)> {
    let start = usize::from(comment.start());
    let body = text.get(start..usize::from(comment.end())).unwrap_or_default();
    let Some((before, behind)) = body.split_once('[') else { return Vec::new() };
    let mut offset = start + before.len() + 1;
    let mut names = Vec::new();
    for name in behind.split(']').next().unwrap_or_default().split(',') {
        let word = name.trim();
        let at = TextSize::try_from(offset + name.len() - name.trim_start().len());
        names.extend(at.ok().map(|at| (word, TextRange::at(at, TextSize::of(word)))));
        offset += name.len() + 1;
    }
    names
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn former_ids_still_silence_and_are_rewritten() {
        check_rule(
            "outdated-rule-id",
            r"
kind: Node
name: a
func: notify  # nodewise: ignore[func-path, when-syntax] later
#                                ^^^^^^^^^ hint[outdated-rule-id]: `func-path` is now called `invalid-function-path`
#                                           ^^^^^^^^^^^ hint[outdated-rule-id]: `when-syntax` is now called `invalid-expression`
",
        );
        check_rule(
            "invalid-function-path",
            "kind: Node\nname: a\nfunc: notify  # nodewise: ignore[func-path] later\n",
        );
        check_fix(
            "outdated-rule-id",
            "kind: Node\nname: a\nfunc: notify  # nodewise: ignore[func-path] later\n",
            "kind: Node\nname: a\nfunc: notify  # nodewise: ignore[invalid-function-path] later\n",
        );
    }

    #[test]
    fn rules_that_became_one_are_named_once() {
        for (before, after) in [
            ("unresolved-node, unresolved-llm-node", "unknown-node, unresolved-llm-node"),
            ("unknown-node, unresolved-llm-node", "unknown-node"),
            ("unknown-node, missing-field,unresolved-node", "unknown-node, missing-field"),
            ("unresolved-node, unknown-node", "unknown-node"),
        ] {
            let text =
                |ids: &str| format!("kind: Node\nname: a\nfunc: a.b  # nodewise: ignore[{ids}] later\n");
            check_fix("outdated-rule-id", &text(before), &text(after));
        }
    }
}
