//! ## What it does
//!
//! Reports expectations of a scenario that no run can meet together.
//!
//! ## Why it matters
//!
//! The scenario fails whatever the graph does.
//!
//! ## Example
//!
//! ```yaml expect=contradictory-expectation
//! #- /desk.scenario.yaml
//! scenario: The desk greets.
//! start: desk
//! expect:
//!   path: {includes: [desk], excludes: [desk]}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! #- /desk.scenario.yaml
//! scenario: The desk greets.
//! start: desk
//! expect:
//!   path: {includes: [desk]}
//! ```

use nodewise_dialect::tables::scenario::STATUSES;
use nodewise_model::Located;
use nodewise_model::scenario::{AmountBounds, Expectations};
use smol_str::SmolStr;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::scenario::scripted::scenarios;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "contradictory-expectation",
    former: &[],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Error, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (scenario, _) in scenarios(context) {
        let Some(expect) = &scenario.expect else { continue };
        path(expect, report);
        ending(expect, report);
        let amounts = [expect.cost_usd, expect.tokens, expect.time_ms, expect.visits];
        amounts.into_iter().flatten().for_each(|bounds| amount(bounds, report));
    }
}

fn path(expect: &Expectations, report: &mut Report) {
    let wanted = || expect.includes.iter().chain(&expect.in_order).chain(exact(expect));
    for excluded in &expect.excludes {
        if let Some(also) = wanted().find(|node| node.value == excluded.value) {
            let message = format!("`{}` must be visited, and must not be visited", short(&excluded.value));
            report.push(Finding::new(excluded.at, message).related(also.at, "it must be visited"));
        }
    }
    if expect.path.is_some() {
        let missing = expect.includes.iter().chain(&expect.in_order);
        for node in missing.filter(|node| exact(expect).all(|exact| exact.value != node.value)) {
            let message = format!("`{}` is not on the path that must be taken exactly", short(&node.value));
            report.push(Finding::new(node.at, message));
        }
    }
}

fn exact(expect: &Expectations) -> impl Iterator<Item = &Located<SmolStr>> {
    expect.path.iter().flat_map(|path| &path.value)
}

/// Reports an expected error in a run that should complete.
fn ending(expect: &Expectations, report: &mut Report) {
    let completed = STATUSES.first().map(|word| word.text);
    if let (Some(status), Some(error)) = (&expect.status, &expect.error)
        && Some(status.value.as_str()) == completed
    {
        let message = format!("a run that is `{}` has no error", status.value);
        report.push(Finding::new(error.at, message).related(status.at, "it must end like this"));
    }
}

fn amount(bounds: AmountBounds, report: &mut Report) {
    if let (Some(least), Some(most)) = (bounds.at_least, bounds.at_most)
        && least > most
    {
        report.push(Finding::new(bounds.at, format!("nothing is at least {least} and at most {most}")));
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn paths_endings_and_amounts() {
        check_rule(
            "contradictory-expectation",
            r"
#- /a.scenario.yaml
scenario: All of it.
start: a
expect:
  path: {exactly: [a, b], includes: [c], excludes: [b]}
#                                    ^ error[contradictory-expectation]: `c` is not on the path that must be taken exactly
#                                                   ^ error[contradictory-expectation]: `b` must be visited, and must not be visited
  status: completed
  error: BudgetExceededError
#        ^^^^^^^^^^^^^^^^^^^ error[contradictory-expectation]: a run that is `completed` has no error
  tokens: {at_least: 10, at_most: 5}
#         ^^^^^^^^^^^^^^^^^^^^^^^^^^ error[contradictory-expectation]: nothing is at least 10 and at most 5
  cost: 0.2
---
scenario: None of it.
start: a
expect:
  path: {in_order: [a, b], excludes: [c]}
  status: failed
  error: {message: budget}
  time: {at_least: 1 s, at_most: 2 min}
",
        );
    }
}
