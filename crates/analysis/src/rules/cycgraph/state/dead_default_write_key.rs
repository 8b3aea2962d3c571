//! ## What it does
//!
//! Reports a `default_write_key` of a node whose `write_keys` also hold `*` or `<id>_output`.
//!
//! ## Why it matters
//!
//! Plain text goes to `<id>_output` wherever the node may write it; the default key stays empty.
//!
//! ## Example
//!
//! ```yaml expect=dead-default-write-key
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: agent, agent_id: one, write_keys: [reply, a_output], default_write_key: reply}
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
//!   - {id: a, type: agent, agent_id: one, write_keys: [reply, notes], default_write_key: reply}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use nodewise_model::state::WILDCARD;
use smol_str::format_smolstr;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Needs, Report, Rule, RulePart};
use crate::rules::cycgraph::located_nodes::{answers_in_text, nodes};
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "dead-default-write-key",
    former: &[],
    category: Category::Dataflow,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, needs: Needs::Nodes, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for visit in nodes(context).filter(|visit| answers_in_text(visit.node)) {
        let access = &visit.node.access;
        let (Some(default), Some(id)) = (&access.default_write, &visit.node.id) else { continue };
        let output = format_smolstr!("{}_output", id.value);
        let winner = access.writes.iter().find(|key| key.value == WILDCARD || key.value == output);
        let Some(winner) = winner.filter(|_| default.value != output) else { continue };
        report.push(
            Finding::new(default.at, format!("plain text never goes to `{}`", short(&default.value)))
                .label(format!("it goes to `{}`", short(&output)))
                .help(format!("remove `{}` from `write_keys`, or remove the default", short(&winner.value)))
                .related(winner.at, "this lets the node write its output key"),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn only_where_text_is_answered() {
        check_rule(
            "dead-default-write-key",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: agent, agent_id: x, write_keys: ["*"], default_write_key: reply}
#                                                                           ^^^^^ warning[dead-default-write-key]: plain text never goes to `reply`
  - {id: b, type: agent, agent_id: x, write_keys: ["*"], default_write_key: b_output}
  - {id: c, type: router, write_keys: ["*"], default_write_key: reply}
  - {id: d, type: synthesizer, agent_id: x, write_keys: [d_output, reply], default_write_key: reply}
#                                                                                             ^^^^^ warning[dead-default-write-key]: plain text never goes to `reply`
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }
}
