//! ## What it does
//!
//! Reports nodes of an AgentOS graph that wait for one another: a circle of edges, or a node with an edge to itself.
//!
//! ## Why it matters
//!
//! A node runs once, when everything that leads to it has run. Nodes that wait for one another never run, and the
//! validator refuses the graph unless cycles are allowed. Loops do not work in any case.
//!
//! ## Example
//!
//! ```yaml expect=cyclic-graph
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: draft, type: gmi, executorConfig: {type: gmi, instructions: Go.}, executionMode: single_turn, effectClass: read, checkpoint: none}
//!   - {id: critique, type: gmi, executorConfig: {type: gmi, instructions: Go.}, executionMode: single_turn, effectClass: read, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: draft, type: static}
//!   - {id: e2, source: draft, target: critique, type: static}
//!   - {id: e3, source: critique, target: draft, type: conditional, condition: {type: expression, expr: "artifacts.critique === 'redo'"}}
//!   - {id: e4, source: critique, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: draft, type: gmi, executorConfig: {type: gmi, instructions: Go.}, executionMode: single_turn, effectClass: read, checkpoint: none}
//!   - {id: critique, type: gmi, executorConfig: {type: gmi, instructions: Go.}, executionMode: single_turn, effectClass: read, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: draft, type: static}
//!   - {id: e2, source: draft, target: critique, type: static}
//!   - {id: e3, source: critique, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_model::graph::Graph;

use crate::diagnostic::{Finding, Severity};
use crate::graphs::GraphFacts;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::graph_findings;
use crate::rules::wording::{listed, short};

pub(crate) static RULE: Rule = Rule {
    id: "cyclic-graph",
    former: &["graph-cycle"],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { spec: Some("agentos:R1"), severity: Severity::Error, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, facts) in context.whole_graphs() {
        for circle in facts.circles() {
            report.findings.extend(around(graph, facts, circle).map(|finding| (finding, None)));
        }
    }
}

/// The finding about a cycle, located at the edge that closes it.
fn around(graph: &Graph, facts: &GraphFacts, circle: &[usize]) -> Option<Finding> {
    let (first, last) = (*circle.first()?, *circle.last()?);
    let ids = circle.iter().filter_map(|node| graph.nodes.get(*node)?.id.as_ref());
    let ids: Vec<&str> = ids.map(|id| id.value.as_str()).collect();
    let closing = facts.outgoing(last).iter().find(|edge| facts.target(**edge) == Some(first))?;
    let target = graph.edges.get(*closing)?.target.as_ref()?;
    let message = match ids.as_slice() {
        [only] => format!("`{}` waits for itself", short(only)),
        several => format!("{} wait for one another: a cycle", listed(several.iter().copied())),
    };
    let finding = Finding::new(target.name.at, message)
        .label("none of them ever runs: a node runs once, after all that lead to it")
        .help("leave out this edge; repeat inside one node, or in the program that starts the run");
    let others = circle.iter().skip(1).filter_map(|node| graph.nodes.get(*node));
    Some(others.take(SHOWN_MAX).fold(finding, |finding, node| {
        finding
            .related(graph_findings::id_place(node), format!("{} is part of it", graph_findings::named(node)))
    }))
}

/// The most nodes of a cycle that a finding points at.
const SHOWN_MAX: usize = 5;

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn circles() {
        check_rule(
            "cyclic-graph",
            r#"
nodes:
  - {id: a, executorConfig: {type: tool}}
  - {id: b, executorConfig: {type: tool}}
  - {id: c, executorConfig: {type: tool}}
  - {id: d, executorConfig: {type: tool}}
  - {id: e, executorConfig: {type: tool}}
edges:
  - {source: __START__, target: a, type: static}
  - {source: a, target: b, type: static}
  - {source: b, target: c, type: static}
  - {source: c, target: a, type: static}
#                       ^ error[cyclic-graph]: `a`, `b` and `c` wait for one another: a cycle
  - {source: c, target: d, type: static}
  - {source: d, target: d, type: static}
#                       ^ error[cyclic-graph]: `d` waits for itself
  - {source: x, target: e, type: static}
  - {target: e}
"#,
        );
    }
}
