//! ## What it does
//!
//! Reports a condition that reads a key whose value nobody vouches for, where neither a person nor a verifier is on
//! the path to it, in a graph without `strict_taint`.
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

use nodewise_model::graph::{EdgeCondition, EdgeGuard};
use rustc_hash::FxHashSet;

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
            let read = expressions.keys(condition.at).iter().find(|key| written.contains(key.value.as_str()));
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
