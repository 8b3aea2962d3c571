//! What `dependency-cycle` finds here. Reports an edge that depends on itself.

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, RulePart};
use crate::rules::wording::short;

pub(in crate::rules) static PART: RulePart =
    RulePart { spec: Some("liman:edge-self-depends"), severity: Severity::Error, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for edge in context.nodes().flat_map(|node| &node.edges) {
        let Some(id) = &edge.id else { continue };
        for depends in edge.depends.iter().filter(|depends| depends.value == id.value) {
            report.push(
                Finding::new(depends.at, format!("the edge `{}` depends on itself", short(&id.value)))
                    .label("it would wait for itself")
                    .help("name another edge, or leave it out"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn among_others() {
        check_rule(
            "dependency-cycle",
            r#"
kind: Node
name: router
func: r.route
nodes:
  - {target: router, when: a, id: 1, depends: ["1"]}
#                                              ^^^ error[dependency-cycle]: the edge `1` depends on itself
  - {target: router, when: a, id: x, depends: [1, x]}
#                                                 ^ error[dependency-cycle]: the edge `x` depends on itself
"#,
        );
    }
}
