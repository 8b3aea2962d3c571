//! ## What it does
//!
//! Reports an edge that may be refused and leads to a node that another node leads to as well.
//!
//! ## Why it matters
//!
//! One refusal leaves the node out for good, whatever the other nodes decide. This hits "either of two" joins,
//! and optional steps: where `b` or `j` is chosen and `b` leads to `j`, choosing `b` loses `j`.
//!
//! ## Example
//!
//! ```yaml expect=skipped-join
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: a, type: tool, executorConfig: {type: tool, toolName: a}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: b, type: tool, executorConfig: {type: tool, toolName: b}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: alert, type: tool, executorConfig: {type: tool, toolName: alert}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: a, type: static}
//!   - {id: e2, source: __START__, target: b, type: static}
//!   - {id: e3, source: a, target: alert, type: conditional, condition: {type: expression, expr: "artifacts.a.bad"}}
//!   - {id: e4, source: b, target: alert, type: conditional, condition: {type: expression, expr: "artifacts.b.bad"}}
//!   - {id: e5, source: alert, target: __END__, type: static}
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
//!   - {id: a, type: extension, executorConfig: {type: extension, extensionId: com.acme.kit, method: a}, executionMode: single_turn, effectClass: read, checkpoint: none}
//!   - {id: b, type: extension, executorConfig: {type: extension, extensionId: com.acme.kit, method: b}, executionMode: single_turn, effectClass: read, checkpoint: none}
//!   - {id: decide, type: router, executorConfig: {type: router, condition: {type: expression, expr: "scratch.bad ? alert : calm"}}, executionMode: single_turn, effectClass: pure, checkpoint: none}
//!   - {id: alert, type: tool, executorConfig: {type: tool, toolName: alert}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: calm, type: tool, executorConfig: {type: tool, toolName: calm}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: a, type: static}
//!   - {id: e2, source: a, target: b, type: static}
//!   - {id: e3, source: b, target: decide, type: static}
//!   - {id: e4, source: decide, target: alert, type: static}
//!   - {id: e5, source: decide, target: calm, type: static}
//!   - {id: e6, source: alert, target: __END__, type: static}
//!   - {id: e7, source: calm, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Needs, Report, Rule, RulePart};
use crate::rules::graph_findings;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "skipped-join",
    former: &[],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("agentos:I17"),
        severity: Severity::Warning,
        needs: Needs::Edges,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, facts) in context.whole_graphs() {
        for position in 0..graph.nodes.len() {
            for edge in facts.lossy_edges(position) {
                let target = graph.edges.get(edge).and_then(|edge| edge.target.as_ref());
                let source = facts.source(edge).and_then(|source| graph.nodes.get(source));
                let (Some(target), Some(source)) = (target, source) else { continue };
                let name = short(&target.name.value);
                report.push(
                    Finding::new(
                        target.name.at,
                        format!("{} alone can leave out `{name}`", graph_findings::named(source)),
                    )
                    .label("one refusal skips it for good, whatever others decide")
                    .help("let all of them lead to one router, which decides once"),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn arms_of_one_choice_and_circles_are_fine() {
        check_rule(
            "skipped-join",
            r#"
nodes:
  - {id: a, executorConfig: {type: tool}}
  - {id: b, executorConfig: {type: tool}}
  - {id: c, executorConfig: {type: tool}}
  - {id: d, executorConfig: {type: tool}}
  - {id: j, executorConfig: {type: tool}}
edges:
  - {source: __START__, target: a, type: static}
  - {source: a, target: b, type: conditional, condition: {type: expression, expr: "scratch.x"}}
  - {source: a, target: c, type: conditional, condition: {type: expression, expr: "scratch.y"}}
  - {source: b, target: j, type: conditional, condition: {type: expression, expr: "scratch.z"}}
  - {source: c, target: j, type: static}
  - {source: __START__, target: d, type: static}
  - {source: j, target: __END__, type: static}
---
nodes:
  - {id: a, executorConfig: {type: tool}}
  - {id: b, executorConfig: {type: tool}}
  - {id: j, executorConfig: {type: tool}}
edges:
  - {source: __START__, target: a, type: static}
  - {source: a, target: b, type: conditional, condition: {type: expression, expr: "scratch.x"}}
  - {source: a, target: j, type: conditional, condition: {type: expression, expr: "scratch.y"}}
#                       ^ warning[skipped-join]: `a` alone can leave out `j`
  - {source: b, target: j, type: static}
"#,
        );
    }
}
