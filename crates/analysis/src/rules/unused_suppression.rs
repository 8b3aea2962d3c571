//! ## What it does
//!
//! Reports a `# nodewise: ignore…` comment that silences nothing, or whose word is not known.
//!
//! ## Why it matters
//!
//! A comment that outlives its reason hides the next real finding at its place.
//!
//! ## Example
//!
//! ```yaml expect=unused-suppression
//! kind: Node
//! name: notify
//! func: desk.notify  # nodewise: ignore[func-path] generated later
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Node
//! name: notify
//! func: desk.notify
//! ```

use nodewise_model::Origin;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, EVERY_SYSTEM, Report, Rule};
use crate::suppress::{Suppression, SuppressionScope};

pub(crate) static RULE: Rule = Rule {
    id: "unused-suppression",
    spec: None,
    systems: EVERY_SYSTEM,
    severity: Severity::Warning,
    absence: false,
    about_syntax: false,
    source: include_str!("unused_suppression.rs"),
    check,
};

/// Which comments were of use is known only when every other rule has spoken; see `check::finish`.
fn check(_context: &Context<'_>, _report: &mut Report) {}

/// The finding for a comment that silenced nothing.
pub(crate) fn finding(comment: &Suppression, at: Origin) -> Finding {
    if comment.scope == SuppressionScope::Unknown {
        return Finding::new(at, "this comment is no suppression that we know")
            .help("write `ignore[rule]`, `ignore-next[rule]` or `ignore-file[rule]`");
    }
    let what = if comment.rules.is_empty() {
        "nothing".to_owned()
    } else {
        format!("no `{}`", comment.rules.join("`, `"))
    };
    Finding::new(at, format!("this comment silences {what}")).help("remove the comment")
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn used_and_unused_comments() {
        check_rule(
            "unused-suppression",
            r"
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
# nodewise: ignore-next[unresolved-tool] registered in code
tools: [a]
nodes: []  # nodewise: ignore[unresolved-tool] nothing here
#          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[unused-suppression]
",
        );
    }
}
