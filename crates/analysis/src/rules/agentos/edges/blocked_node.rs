//! ## What it does
//!
//! Reports a node of an AgentOS graph that is on no circle itself, but waits for a node that is.
//!
//! ## Why it matters
//!
//! Nodes on a circle never run, and neither does what comes after them. A runtime that allows cycles accepts the
//! graph and then ends the run without a word. The circle itself is reported by `cyclic-graph`.
//!
//! ## Example
//!
//! ```yaml expect=blocked-node
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: search, type: tool, executorConfig: {type: tool, toolName: search}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: judge, type: gmi, executorConfig: {type: gmi, instructions: Go.}, executionMode: single_turn, effectClass: read, checkpoint: none}
//!   - {id: answer, type: gmi, executorConfig: {type: gmi, instructions: Go.}, executionMode: single_turn, effectClass: read, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: search, type: static}
//!   - {id: e2, source: search, target: judge, type: static}
//!   - {id: e3, source: judge, target: search, type: conditional, condition: {type: expression, expr: "artifacts.judge === 'more'"}}
//!   - {id: e4, source: judge, target: answer, type: conditional, condition: {type: expression, expr: "artifacts.judge !== 'more'"}}
//!   - {id: e5, source: answer, target: __END__, type: static}
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
//!   - {id: search, type: tool, executorConfig: {type: tool, toolName: search}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: judge, type: gmi, executorConfig: {type: gmi, instructions: Go.}, executionMode: single_turn, effectClass: read, checkpoint: none}
//!   - {id: answer, type: gmi, executorConfig: {type: gmi, instructions: Go.}, executionMode: single_turn, effectClass: read, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: search, type: static}
//!   - {id: e2, source: search, target: judge, type: static}
//!   - {id: e3, source: judge, target: answer, type: static}
//!   - {id: e4, source: answer, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Needs, Report, Rule, RulePart};
use crate::rules::graph_findings;

pub(crate) static RULE: Rule = Rule {
    id: "blocked-node",
    former: &["waiting-for-cycle"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("agentos:I13"),
        severity: Severity::Hint,
        needs: Needs::Edges,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, facts) in context.whole_graphs() {
        for (position, node) in graph.nodes.iter().enumerate() {
            let awaited = facts.incoming(position).iter().filter_map(|edge| facts.source(*edge));
            let on_circle = awaited.filter(|source| facts.is_circular(*source));
            let Some(source) = on_circle.min().and_then(|source| graph.nodes.get(source)) else { continue };
            if facts.is_circular(position) {
                continue;
            }
            report.push(
                Finding::new(
                    graph_findings::id_place(node),
                    format!("{} never runs", graph_findings::named(node)),
                )
                .label(format!("it waits for {}, which is on a circle", graph_findings::named(source)))
                .help("leave out the edge that closes the circle")
                .related(graph_findings::id_place(source), "this never runs either"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn the_first_behind_a_circle() {
        check_rule(
            "blocked-node",
            r#"
nodes:
  - {id: a, executorConfig: {type: tool}}
  - {id: b, executorConfig: {type: tool}}
  - {id: c, executorConfig: {type: tool}}
#        ^ hint[blocked-node]: `c` never runs
  - {id: d, executorConfig: {type: tool}}
edges:
  - {source: __START__, target: a, type: static}
  - {source: a, target: b, type: static}
  - {source: b, target: a, type: static}
  - {source: b, target: c, type: static}
  - {source: c, target: d, type: static}
  - {source: d, target: __END__, type: static}
"#,
        );
    }
}
