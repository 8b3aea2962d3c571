//! ## What it does
//!
//! Reports `max_retries: 1`.
//!
//! ## Why it matters
//!
//! The number counts all tries, the first one included: 1 means that the node is never tried again, as 0
//! does.
//!
//! ## Example
//!
//! ```yaml expect=single-attempt
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: agent, agent_id: one, write_keys: [reply], failure_policy: {max_retries: 1}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: agent, agent_id: one, write_keys: [reply], failure_policy: {max_retries: 2}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use super::visit::nodes;
use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "single-attempt",
    spec: None,
    systems: &["cycgraph"],
    severity: Severity::Hint,
    absence: false,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nothing,
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    for visit in nodes(context) {
        // A default stands at the node.
        let written = visit.node.failure.attempts.as_ref().filter(|tries| tries.at != visit.node.head);
        if let Some(tries) = written.filter(|tries| tries.value == 1.0) {
            report.push(
                Finding::new(tries.at, "this means one try, and none after it")
                    .label("all tries count, the first one included")
                    .help("write 2 for one more try, or 0 to say that there is none"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn zero_says_what_it_means() {
        check_rule(
            "single-attempt",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: agent, agent_id: one, write_keys: [reply], failure_policy: {max_retries: 0}}
  - {id: b, type: router, failure_policy: {max_retries: 1}}
#                                                       ^ hint[single-attempt]: this means one try, and none after it
  - {id: c, type: router}
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }
}
