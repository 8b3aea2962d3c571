//! What `duplicate-entry` finds here. Reports a node that stands twice in the list of targets of one edge.

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, RulePart};
use crate::rules::first_places::FirstPlaces;
use crate::rules::wording::short;

pub(in crate::rules) static PART: RulePart =
    RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for edge in context.nodes().flat_map(|node| &node.edges).filter(|edge| edge.targets.len() > 1) {
        let mut first_places = FirstPlaces::new();
        for target in &edge.targets {
            let key = (target.kind(), target.name.as_str());
            if let Some(first) = first_places.before(key, target.at) {
                report.push(
                    Finding::new(
                        target.at,
                        format!("`{}` is a target of this edge already", short(&target.name)),
                    )
                    .label("the node would be visited twice")
                    .help("leave it out")
                    .related(first, "first named here"),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn within_one_list() {
        check_rule(
            "duplicate-entry",
            r"
kind: Node
name: router
func: r.route
nodes:
  - {target: [router, other, router], when: a}
#                            ^^^^^^ hint[duplicate-entry]: `router` is a target of this edge already
  - {target: router, when: b}
",
        );
    }
}
