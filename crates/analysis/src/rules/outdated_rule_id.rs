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

use super::{renamed, renamed_note};
use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, EVERY_SYSTEM, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "outdated-rule-id",
    former: &[],
    category: Category::Style,
    is_fixable: true,
    since: "0.1.0",
    spec: None,
    systems: EVERY_SYSTEM,
    severity: Severity::Hint,
    absence: false,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nothing,
    also: &[],
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    let text = &context.file.text;
    for comment in &context.file.suppressions.comments {
        let (start, end) = (usize::from(comment.range.start()), usize::from(comment.range.end()));
        let Some((before, behind)) = text.get(start..end).and_then(|body| body.split_once('[')) else {
            continue;
        };
        let mut offset = start + before.len() + 1;
        for name in behind.split(']').next().unwrap_or_default().split(',') {
            let word = name.trim();
            let at = offset + (name.len() - name.trim_start().len());
            offset += name.len() + 1;
            let (Some(rule), Ok(at)) = (renamed(word), TextSize::try_from(at)) else { continue };
            let at = Origin::new(context.file.source, TextRange::at(at, TextSize::of(word)));
            report.push(
                Finding::new(at, renamed_note(word, rule))
                    .label("the rule has a new id")
                    .help(format!("write `{}`", rule.id))
                    .fix(format!("Write `{}`", rule.id), true, at, rule.id),
            );
        }
    }
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
}
