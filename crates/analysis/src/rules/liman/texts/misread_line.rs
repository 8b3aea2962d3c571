//! ## What it does
//!
//! Reports a line of a text that YAML reads as a key of its own, since it has a colon.
//!
//! ## Why it matters
//!
//! The text ends before the line. Nobody reads the key.
//!
//! ## Example
//!
//! ```yaml expect=misread-line
//! kind: LLMNode
//! name: chat
//! prompts:
//!   system: You help with the weather.
//!   Be short: two lines at most.
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: LLMNode
//! name: chat
//! prompts:
//!   system: |
//!     You help with the weather.
//!     Be short: two lines at most.
//! ```

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::ranges;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "misread-line",
    former: &["line-as-key"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (at, above) in context.documents().flat_map(|document| &document.faults.lines_as_keys) {
        let key = ranges::source(context, *at);
        report.push(
            Finding::new(*at, format!("YAML reads `{}` as a key, not as text", short(key)))
                .label(format!("the text of `{}` ends before it", short(above)))
                .help(format!(
                    "write `|` after `{}:`, and indent all lines of the text below it",
                    short(above)
                )),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn lines_with_colons() {
        check_rule(
            "misread-line",
            r"
kind: LLMNode
name: a
prompts:
  en:
    system: You help.
    Be short: two lines.
#   ^^^^^^^^ warning[misread-line]: YAML reads `Be short` as a key, not as text
  few shots: x
  system: Hi
  Notes: y
",
        );
    }
}
