//! ## What it does
//!
//! Reports a condition that reads a key whose value nobody vouches for, where neither a person nor a verifier is on
//! the path to it, in a graph without `strict_taint`.
//!
//! `exists(memory.x)` of a key that the engine writes whatever the text says, such as the result of a tool node, is not
//! reported. Whether an agent or another graph writes a key may depend on the text.
//!
//! ## Why it matters
//!
//! The person who wrote the text that the key comes from decides which path the run takes. With `strict_taint`, the engine does not
//! follow such an edge.
//!
//! ## Example
//!
//! ```yaml expect=tainted-condition
//! name: claims
//! description: Pays claims.
//! nodes:
//!   - {id: read, type: agent, agent_id: reader, tools: [{type: mcp, server_id: mail}], write_keys: [valid]}
//!   - {id: pay, type: tool, tool_id: pay_out}
//! edges:
//!   - {source: read, target: pay, condition: {type: conditional, condition: memory.valid == "yes"}}
//! start_node: read
//! end_nodes: [read, pay]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: claims
//! description: Pays claims.
//! nodes:
//!   - {id: read, type: agent, agent_id: reader, tools: [{type: mcp, server_id: mail}], write_keys: [valid]}
//!   - {id: ask, type: approval, approval_config: {approval_type: human_review, prompt_message: Pay?}}
//!   - {id: pay, type: tool, tool_id: pay_out}
//! edges:
//!   - {source: read, target: ask}
//!   - {source: ask, target: pay, condition: {type: conditional, condition: memory.human_decision == "approved"}}
//! start_node: read
//! end_nodes: [read, pay]
//! ```

use nodewise_expr::filtrex;
use nodewise_model::Located;
use nodewise_model::graph::{EdgeCondition, EdgeGuard};
use nodewise_model::work::WorkKind;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::trust::trust_of;
use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Needs, Report, Rule, RulePart};
use crate::rules::cycgraph::state::keys::Expressions;
use crate::rules::graph_findings;
use crate::rules::security::trust::{self, TrustedGraph};
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "tainted-condition",
    former: &[],
    category: Category::Security,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("cycgraph:6.21"),
        severity: Severity::Hint,
        needs: Needs::Edges,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let graphs = trust::graphs(context, trust_of);
    if graphs.is_empty() {
        return;
    }
    let expressions = Expressions::of_file(context);
    for trusted in graphs.iter().filter(|trusted| !trusted.place.graph.strict_taint) {
        check_graph(trusted, &expressions, report);
    }
}

fn check_graph(trusted: &TrustedGraph<'_>, expressions: &Expressions<'_>, report: &mut Report) {
    let (graph, facts) = (trusted.place.graph, trusted.place.facts);
    let mut reported = FxHashSet::default();
    for (writer, later) in trusted.flows.moves() {
        let access = &facts.access[*writer];
        let written: FxHashSet<&str> = access.leaves.iter().map(|key| key.as_str()).collect();
        for edge in [*writer].iter().chain(later).flat_map(|node| facts.outgoing(*node)) {
            let EdgeGuard::When(Some(EdgeCondition::Expression(Some(condition)))) = &graph.edges[*edge].guard
            else {
                continue;
            };
            let is_decided_by = |key: &&Located<SmolStr>| {
                written.contains(key.value.as_str())
                    && !(is_always_written(trusted, *writer, &key.value)
                        && asks_only_existence(&condition.text, &key.value))
            };
            let read = expressions.keys(condition.at).iter().find(is_decided_by);
            let Some(key) = read.filter(|_| reported.insert(*edge)) else { continue };
            let name = graph_findings::named(&graph.nodes[*writer]);
            let message =
                format!("untrusted text decides by `{}` whether the edge is followed", short(&key.value));
            let mut finding = Finding::new(key.at, message)
                .label(format!("{name} writes it, and nothing checks it"))
                .help("check it with a verifier or an approval, or set `strict_taint: true`");
            for step in trusted.flows.path(*writer).unwrap_or_default() {
                let node = &graph.nodes[step.node];
                let text = match (&step.key, &trusted.nodes[step.node].source) {
                    (None, Some(source)) => format!("{} {}", graph_findings::named(node), source),
                    _ => format!("the text comes to {}", graph_findings::named(node)),
                };
                finding = finding.related(graph_findings::id_place(node), text);
            }
            report.push(finding);
        }
    }
}

/// Whether the engine writes the key whenever the node ends, whatever the untrusted text says.
fn is_always_written(trusted: &TrustedGraph<'_>, node: usize, key: &SmolStr) -> bool {
    let kind = trusted.place.graph.nodes[node].work.kind();
    matches!(kind, WorkKind::Tool | WorkKind::Many) && trusted.place.facts.access[node].implied.contains(key)
}

fn asks_only_existence(condition: &str, key: &str) -> bool {
    filtrex::asks_only_existence(&filtrex::parse(condition).expr, key)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn whether_a_key_is_there() {
        let graph = |condition: &str, mark: &str| {
            format!(
                "
name: claims
description: Pays claims.
nodes:
  - {{id: read, type: tool, tool_id: read_mail, tools: [{{type: mcp, server_id: mail}}]}}
  - {{id: note, type: agent, agent_id: noter, read_keys: [read_result], write_keys: [note]}}
  - {{id: pay, type: tool, tool_id: rate}}
edges:
  - {{source: read, target: note}}
  - source: note
    target: pay
    condition: {{type: conditional, condition: \"{condition}\"}}
{mark}start_node: read
end_nodes: [note, pay]
"
            )
        };
        let key = |name: &str, column: usize| {
            let (spaces, carets) = (" ".repeat(column - 1), "^".repeat(name.len()));
            format!(
                "#{spaces}{carets} hint[tainted-condition]: untrusted text decides by `{name}` whether the edge is followed\n"
            )
        };
        check_rule("tainted-condition", &graph("exists(memory.read_result)", ""));
        check_rule("tainted-condition", &graph("not (exists(memory.read_result)) and goal == 'x'", ""));
        check_rule("tainted-condition", &graph("exists(memory.note)", &key("note", 61)));
        check_rule("tainted-condition", &graph("memory.read_result == 'a'", &key("read_result", 54)));
        check_rule("tainted-condition", &graph("exists(memory.read_result.valid)", &key("read_result", 61)));
    }
}
