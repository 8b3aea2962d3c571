//! ## What it does
//!
//! Reports a key in the expression of a verifier, or in the path to the items of a map, that the node may not
//! read.
//!
//! ## Why it matters
//!
//! The node sees only what it may read, so that nothing is found there: the map has no items, and a verifier
//! whose expression ends in an error passes.
//!
//! ## Example
//!
//! ```yaml expect=unreadable-expression-key
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, read_keys: [], write_keys: [score]}
//!   - {id: b, type: verifier, verifier_config: {type: expression, expression: memory.score > 3}}
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
//!   - {id: a, type: agent, agent_id: writer, read_keys: [], write_keys: [score]}
//!   - {id: b, type: verifier, read_keys: [score], verifier_config: {type: expression, expression: memory.score > 3}}
//! edges:
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```

use nodewise_model::Origin;
use nodewise_model::cycgraph::{Verification, Work};
use nodewise_model::state::top_level;
use rustc_hash::FxHashSet;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Needs, Report, Rule, RulePart};
use crate::rules::cycgraph::fixes;
use crate::rules::cycgraph::located_nodes::{self, Visit};
use crate::rules::cycgraph::state::keys::{self, Expressions};
use crate::rules::graph_findings;
use crate::rules::list_fixes;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "unreadable-expression-key",
    former: &[],
    category: Category::Dataflow,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, needs: Needs::Nodes, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let expressions = Expressions::of_file(context);
    for visit in located_nodes::nodes(context) {
        let Visit { facts, node, access, .. } = visit;
        let Some((at, harm)) = expression(Work::of(node)).filter(|_| !access.reads_all) else { continue };
        let readable: FxHashSet<&str> = access.reads.iter().map(|key| top_level(key)).collect();
        for key in expressions.keys(at).iter().filter(|key| !readable.contains(key.value.as_str())) {
            if keys::is_misspelt_in_reads(context, &visit, &key.value, Severity::Warning) {
                continue;
            }
            let finding = Finding::new(
                key.at,
                format!("{} may not read `{}`", graph_findings::named(node), short(&key.value)),
            )
            .label(harm);
            if !keys::is_there(context, facts, &key.value) {
                report.push(keys::other_key(context, facts, finding, key));
                continue;
            }
            let finding = finding.help("add the key to `read_keys`");
            let edit = fixes::with_read(context, node, &key.value);
            let title = format!("Let {} read `{}`", graph_findings::named(node), short(&key.value));
            report.push(list_fixes::offer(finding, title, true, edit));
        }
    }
}

/// The expression that a node evaluates on the keys that it may read, and the effect of a missing key.
fn expression(work: &Work) -> Option<(Origin, &'static str)> {
    match work {
        Work::Map(map) if map.items.is_none() => Some((map.items_path.as_ref()?.at, "the map has no items")),
        Work::Verifier(verifier) => match &verifier.verification {
            Some(Verification::Expression(Some(expression))) => {
                Some((expression.at, "nothing is found there, and an error passes"))
            }
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn verifiers_and_maps() {
        check_rule(
            "unreadable-expression-key",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: v, type: verifier, read_keys: [a.b], verifier_config: {type: expression, expression: memory.a.b > memory.c}}
#                                                                                                                 ^ warning[unreadable-expression-key]: `v` may not read `c`
  - {id: m, type: map, read_keys: [x], map_reduce_config: {worker_node_id: v, items_path: $.memory.rows}}
#                                                                                                  ^^^^ warning[unreadable-expression-key]: `m` may not read `rows`
  - {id: n, type: map, map_reduce_config: {worker_node_id: v, static_items: [], items_path: $.memory.rows}}
  - {id: w, type: verifier, read_keys: ['*'], verifier_config: {type: expression, expression: memory.c}}
edges: []
start_node: a
end_nodes: [b]
",
        );
    }

    #[test]
    fn the_key_is_added() {
        check_fix(
            "unreadable-expression-key",
            r"
name: brief
description: Write a brief.
inputs: {rows: {schema: {}}}
nodes:
  - {id: m, type: map, read_keys: [x], map_reduce_config: {worker_node_id: v, items_path: $.memory.rows}}
edges: []
start_node: a
end_nodes: [b]
",
            r"
name: brief
description: Write a brief.
inputs: {rows: {schema: {}}}
nodes:
  - {id: m, type: map, read_keys: [x, rows], map_reduce_config: {worker_node_id: v, items_path: $.memory.rows}}
edges: []
start_node: a
end_nodes: [b]
",
        );
    }
}
