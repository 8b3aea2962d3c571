//! ## What it does
//!
//! Reports a condition of which YAML took a part before LimanCE saw it: a `!` that became a tag, an `&&`
//! that became an anchor, quotes that were meant as a text's, a `#` that began a comment.
//!
//! ## Why it matters
//!
//! The rest is a valid condition with another meaning, and nothing says so when the file is loaded.
//!
//! ## Example
//!
//! ```yaml expect=damaged-condition
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - target: router
//!     when: ! open
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - target: router
//!     when: "!open"
//! ```

use nodewise_model::Origin;
use nodewise_syntax::TextRange;

use crate::conditions::{ConditionFacts, YamlTrap};
use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::liman::conditions::condition;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "damaged-condition",
    former: &["when-yaml-trap"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:when-yaml-trap"),
        severity: Severity::Warning,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for facts in condition::conditions(context) {
        if let Some(trap) = &facts.trap {
            report.push(finding(facts, **trap));
        }
    }
}

fn finding(facts: &ConditionFacts, trap: YamlTrap) -> Finding {
    let left = short(&facts.text);
    match trap {
        YamlTrap::Tag(at) => quoted(
            Finding::new(at, format!("YAML reads `!` as a tag: the condition is `{left}`"))
                .label("the negation is gone"),
            facts,
            at,
        ),
        YamlTrap::Anchor(at) => {
            Finding::new(at, format!("YAML reads this as an anchor: the condition is `{left}`"))
                .label("it is not part of the condition")
                .help("write the whole condition in quotes")
        }
        YamlTrap::Quotes(at) => {
            Finding::new(at, format!("the quotes are YAML's: `{left}` is a variable here"))
                .label("it is not a text")
                .help(format!(
                    "write `{left}` for the variable, `\"name == '{left}'\"` to compare with the text"
                ))
        }
        YamlTrap::Comment(at) => {
            Finding::new(at, format!("YAML reads `#` as a comment: the condition is `{left}`"))
                .label("this is not part of the condition")
                .help("put a space after `#` if it is a comment; if not, quote the condition")
        }
    }
}

/// Adds a fix that puts the negation in quotes, unless it already has quotes.
fn quoted(finding: Finding, facts: &ConditionFacts, tag: Origin) -> Finding {
    let finding = finding.help("write the whole condition in quotes");
    if facts.text.contains(['"', '\\', '\n']) {
        return finding;
    }
    let whole = Origin::new(tag.source, TextRange::new(tag.range.start(), facts.at.range.end()));
    finding.fix("Put the condition in quotes", false, whole, format!("\"!{}\"", facts.text))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn tags_anchors_quotes_and_comments() {
        check_rule(
            "damaged-condition",
            r"
kind: Node
name: router
func: r.route
nodes:
  - target: router
    when: ! open
#         ^ warning[damaged-condition]: YAML reads `!` as a tag: the condition is `open`
  - target: router
    when: && open
#         ^^ warning[damaged-condition]: YAML reads this as an anchor: the condition is `open`
  - target: router
    when: 'open'
#         ^^^^^^ warning[damaged-condition]: the quotes are YAML's: `open` is a variable here
  - target: router
    when: open #1
#              ^^ warning[damaged-condition]: YAML reads `#` as a comment: the condition is `open`
  - target: router
    when: open  # the shop is open
  - target: router
    when: 'true'
",
        );
    }
}
