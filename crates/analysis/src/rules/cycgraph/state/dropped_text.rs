//! ## What it does
//!
//! Reports an agent, or a synthesizer with an agent, whose plain text goes nowhere: it has no key to write,
//! or several and none of them is `<id>_output` or the `default_write_key`. It is a warning where the node
//! has no key and no tools, so that the agent cannot do anything else either.
//!
//! ## Why it matters
//!
//! The text is dropped without an error, and the node succeeds. Only an agent that calls `save_to_memory`
//! leaves something.
//!
//! ## Example
//!
//! ```yaml expect=dropped-text
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: agent, agent_id: one, write_keys: [reply, notes]}
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

use smol_str::format_smolstr;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Needs, Report, Rule, RulePart};
use crate::rules::cycgraph::located_nodes;
use crate::rules::cycgraph::located_nodes::{answers_in_text, nodes};
use crate::rules::graph_findings;
use crate::rules::wording::listed;

pub(crate) static RULE: Rule = Rule {
    id: "dropped-text",
    former: &[],
    category: Category::Dataflow,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Hint, needs: Needs::Nodes, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for visit in nodes(context).filter(|visit| answers_in_text(visit.node) && !visit.access.writes_all) {
        let access = &visit.node.access;
        let output =
            visit.node.id.as_ref().map(|id| format_smolstr!("{}_output", id.value)).unwrap_or_default();
        let takes_text =
            access.default_write.is_some() || access.writes.iter().any(|key| key.value == output);
        let at = access.writes_at.unwrap_or(graph_findings::id_place(visit.node));
        let name = graph_findings::named(visit.node);
        match access.writes.as_slice() {
            _ if takes_text => {}
            [] => {
                let finding = Finding::new(at, format!("the answer of {name} is dropped"))
                    .label("it may not write any key")
                    .help("list the key that takes the answer in `write_keys`");
                let severity = if can_only_answer(&visit) { Severity::Warning } else { Severity::Hint };
                report.push_at(severity, finding);
            }
            [_] => {}
            several => report.push(
                Finding::new(at, format!("plain text of {name} is dropped"))
                    .label("it may write several keys, and none is the default")
                    .help(format!(
                        "name one of {} as `default_write_key`",
                        listed(several.iter().map(|key| key.value.as_str()))
                    )),
            ),
        }
    }
}

/// Whether the node declares that its agent has no tools, so that it can only answer with text.
fn can_only_answer(visit: &located_nodes::Visit<'_>) -> bool {
    visit.node.tools.as_ref().is_some_and(|tools| tools.value.is_empty())
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn no_key_or_several() {
        check_rule(
            "dropped-text",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: agent, agent_id: x}
#        ^ hint[dropped-text]: the answer of `a` is dropped
  - {id: b, type: agent, agent_id: x, tools: [], write_keys: []}
#                                                ^^^^^^^^^^ warning[dropped-text]: the answer of `b` is dropped
  - {id: c, type: agent, agent_id: x, write_keys: [one, two]}
#                                     ^^^^^^^^^^ hint[dropped-text]: plain text of `c` is dropped
  - {id: d, type: agent, agent_id: x, write_keys: [one, d_output]}
  - {id: e, type: agent, agent_id: x, write_keys: [one]}
  - {id: f, type: synthesizer}
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }
}
