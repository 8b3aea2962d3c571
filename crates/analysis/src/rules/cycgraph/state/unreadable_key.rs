//! ## What it does
//!
//! Reports a key that a `verifier` or `reflection` node must look at and may not read. The key itself must be
//! listed: a part of it, such as `draft.title`, is another key.
//!
//! ## Why it matters
//!
//! The graph does not load: the node would judge nothing.
//!
//! ## Example
//!
//! ```yaml expect=unreadable-key
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, write_keys: [draft]}
//!   - {id: b, type: verifier, verifier_config: {type: llm_judge, target_key: draft, evaluator_agent_id: judge}}
//! edges:
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, write_keys: [draft]}
//!   - {id: b, type: verifier, read_keys: [draft], verifier_config: {type: llm_judge, target_key: draft, evaluator_agent_id: judge}}
//! edges:
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```

use nodewise_model::Located;
use nodewise_model::cycgraph::{Verification, Work};
use nodewise_model::graph::GraphNode;
use nodewise_model::state::WILDCARD;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Needs, Report, Rule, RulePart};
use crate::rules::cycgraph::fixes;
use crate::rules::cycgraph::located_nodes;
use crate::rules::cycgraph::state::keys;
use crate::rules::graph_findings;
use crate::rules::list_fixes;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "unreadable-key",
    former: &[],
    category: Category::Dataflow,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Error, needs: Needs::Nodes, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for visit in located_nodes::nodes(context) {
        let node = visit.node;
        let readable: FxHashSet<&str> = node.access.reads.iter().map(|key| key.value.as_str()).collect();
        if readable.contains(WILDCARD) {
            continue;
        }
        for (key, class) in needed(node) {
            let is_misspelt = || keys::is_misspelt_in_reads(context, &visit, &key.value, Severity::Error);
            if !readable.contains(key.value.as_str()) && !is_misspelt() {
                let finding = Finding::new(
                    key.at,
                    format!("{} may not read `{}`", graph_findings::named(node), short(&key.value)),
                )
                .spec(class)
                .label("the graph does not load")
                .help("add the key to `read_keys`");
                let edit = fixes::with_read(context, node, &key.value);
                let title = format!("Let {} read `{}`", graph_findings::named(node), short(&key.value));
                report.push(list_fixes::offer(finding, title, true, edit));
            }
        }
    }
}

/// The keys that a node's work uses, each with the class for a key that the node may not read.
fn needed(node: &GraphNode) -> Vec<(&Located<SmolStr>, &'static str)> {
    match Work::of(node) {
        Work::Verifier(verifier) => {
            let target = match &verifier.verification {
                Some(Verification::Judge { target, .. }) => target.as_ref(),
                Some(Verification::JsonPath(check)) => check.target.as_ref(),
                _ => None,
            };
            target.into_iter().map(|target| (target, "cycgraph:R42")).collect()
        }
        Work::Reflection(reflection) => {
            let sources = reflection.sources.iter().map(|source| (source, "cycgraph:R44"));
            sources.chain(reflection.entities.iter().map(|entity| (entity, "cycgraph:R45"))).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn exactly_the_key() {
        check_rule(
            "unreadable-key",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: v, type: verifier, read_keys: [draft.title], verifier_config: {type: jsonpath, target_key: draft, path: $, assertion: {op: exists}}}
#                                                                                                   ^^^^^ error[unreadable-key]: `v` may not read `draft`
  - {id: r, type: reflection, read_keys: [a], reflection_config: {source_keys: [a, b], entity_keys: [c], extractor: {type: rule_based}}}
#                                                                                  ^ error[unreadable-key]: `r` may not read `b`
#                                                                                                    ^ error[unreadable-key]: `r` may not read `c`
  - {id: s, type: reflection, read_keys: ['*'], reflection_config: {source_keys: [a], extractor: {type: rule_based}}}
edges: []
start_node: a
end_nodes: [b]
",
        );
    }

    #[test]
    fn the_list_is_added_with_the_key() {
        let head = "name: brief\ndescription: Write a brief.\nnodes:\n";
        let foot = "edges: []\nstart_node: r\nend_nodes: [r]\n";
        let config = "reflection_config: {source_keys: [b], extractor: {type: rule_based}}";
        check_fix(
            "unreadable-key",
            &format!("{head}  - {{id: r, type: reflection, {config}}}\n{foot}"),
            &format!("{head}  - {{id: r, type: reflection, {config}, read_keys: [b]}}\n{foot}"),
        );
        check_fix(
            "unreadable-key",
            &format!("{head}  - id: r\n    type: reflection\n    {config}\n{foot}"),
            &format!(
                "{head}  - id: r\n    type: reflection\n    {config}\n    read_keys:\n      - b\n{foot}"
            ),
        );
    }

    #[test]
    fn the_key_is_added_to_the_list() {
        check_fix(
            "unreadable-key",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: r, type: reflection, read_keys: [a], reflection_config: {source_keys: [b], extractor: {type: rule_based}}}
edges: []
start_node: a
end_nodes: [b]
",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: r, type: reflection, read_keys: [a, b], reflection_config: {source_keys: [b], extractor: {type: rule_based}}}
edges: []
start_node: a
end_nodes: [b]
",
        );
    }
}
