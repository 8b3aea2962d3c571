//! ## What it does
//!
//! Reports a condition that release 0.1.1 rejects or reads differently. It speaks only under a release
//! profile; what `mixed-logic`, `chained-comparison` and `trailing-semicolon` say already is not repeated.
//!
//! ## Why it matters
//!
//! The release does not check conditions when it loads a file. One that it rejects counts as false: the
//! edge is never followed.
//!
//! ## Example
//!
//! ```yaml expect=unportable-condition profile=0.1.1
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: tries >= 3}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: tries > 2}
//! ```

use nodewise_dialect::tables::liman::LIMAN;
use nodewise_expr::limance::check::FindingKind;
use nodewise_expr::limance::{ReleaseDifference, ReleaseTree, release_verdict};
use nodewise_syntax::{TextRange, TextSize};

use crate::conditions::ConditionFacts;
use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::liman::conditions::condition;
use crate::rules::wording::short;
use crate::settings::Profile;

pub(crate) static RULE: Rule = Rule {
    id: "unportable-condition",
    former: &["when-release-difference"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    if context.file.settings.profile(&LIMAN) == Profile::Specification {
        return;
    }
    for facts in condition::conditions(context) {
        if facts.findings.iter().any(condition::is_error) {
            continue;
        }
        let finding = match release_verdict(&facts.text) {
            ReleaseDifference::None => None,
            ReleaseDifference::Rejects { offset } => rejected(context, facts, offset),
            ReleaseDifference::Groups(_) if has(facts, FindingKind::MixedLogic) => None,
            ReleaseDifference::Groups(reading) => Some(
                Finding::new(
                    facts.at,
                    format!("0.1.1 groups this differently: `{}`", short(&reading.printed)),
                )
                .label("the specification groups it from the left")
                .help("add parentheses"),
            ),
            ReleaseDifference::Reads(reading) => Some(read_differently(facts, &reading)),
        };
        report.findings.extend(finding.map(|finding| (finding, None)));
    }
}

/// The finding about a condition that the release reads differently. That is only the case for `null` and for escapes in
/// texts (liman:4.3, 13 and 15).
fn read_differently(facts: &ConditionFacts, reading: &ReleaseTree) -> Finding {
    let (message, help) = if reading.sexpr.contains("(var null)") {
        ("0.1.1 reads `null` as a variable", "compare with something else where the release runs")
    } else {
        ("0.1.1 keeps the backslashes of a text", "leave backslashes out where the release runs")
    };
    Finding::new(facts.at, message).label(format!("it reads `{}`", reading.sexpr)).help(help)
}

/// The finding at the place where the release stops reading; `None` if another rule reports the cause.
fn rejected(context: &Context<'_>, facts: &ConditionFacts, offset: TextSize) -> Option<Finding> {
    let rest = facts.text.get(usize::from(offset)..).unwrap_or_default();
    let length = rest.chars().next().map_or(TextSize::default(), TextSize::of);
    let at = facts.place(context.file.tree(), TextRange::at(offset, length));
    let explained = facts.findings.iter().any(|finding| {
        let speaks_of_release = condition::is_kind(finding, FindingKind::ChainedComparison)
            || condition::is_kind(finding, FindingKind::TrailingSemicolon);
        speaks_of_release && finding.at.range.contains_range(at.range)
    });
    (!explained).then(|| {
        Finding::new(at, "0.1.1 will reject this")
            .label("the release stops here and never follows the edge")
            .help("`>=`, `<=`, `in`, `null`, dotted names and builtins came with the specification")
    })
}

fn has(facts: &ConditionFacts, kind: FindingKind) -> bool {
    facts.findings.iter().any(|finding| condition::is_kind(finding, kind))
}

#[cfg(test)]
mod tests {
    use nodewise_dialect::tables::liman::{LIMAN, RELEASE_0_1_1};

    use crate::settings::Settings;
    use crate::testing::check_rule_with;

    fn release() -> Settings {
        Settings::default().following(&LIMAN, RELEASE_0_1_1)
    }

    #[test]
    fn what_the_release_rejects_or_reads_differently() {
        check_rule_with(
            "unportable-condition",
            &release(),
            r#"
kind: Node
name: router
func: r.route
nodes:
  - {target: router, when: tries >= 3}
#                                 ^ warning[unportable-condition]: 0.1.1 will reject this
  - {target: router, when: "$now() > 1"}
#                           ^ warning[unportable-condition]: 0.1.1 will reject this
  - {target: router, when: (user.active)}
#                               ^ warning[unportable-condition]: 0.1.1 will reject this
  - {target: router, when: owner == null}
#                          ^^^^^^^^^^^^^ warning[unportable-condition]: 0.1.1 reads `null` as a variable
  - {target: router, when: a and b or c}
  - {target: router, when: 0 < x < 3}
  - {target: router, when: ready;}
  - {target: router, when: "$nope() > 1"}
  - {target: router, when: a and b and c == 'd'}
"#,
        );
    }

    #[test]
    fn the_specification_is_enough_without_a_profile() {
        check_rule_with(
            "unportable-condition",
            &Settings::default(),
            r"
kind: Node
name: router
func: r.route
nodes:
  - {target: router, when: tries >= 3}
",
        );
    }
}
