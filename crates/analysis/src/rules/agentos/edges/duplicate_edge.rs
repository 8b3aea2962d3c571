//! ## What it does
//!
//! Reports an edge of an AgentOS graph that says the same as an earlier one: same source, target, type and
//! condition.
//!
//! ## Why it matters
//!
//! The edge adds nothing, and the run reports the step twice.
//!
//! ## Example
//!
//! ```yaml expect=duplicate-edge
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: a, type: tool, executorConfig: {type: tool, toolName: a}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: b, type: tool, executorConfig: {type: tool, toolName: b}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: a, type: static}
//!   - {id: e2, source: a, target: b, type: static}
//!   - {id: e3, source: a, target: b, type: static}
//!   - {id: e4, source: b, target: __END__, type: static}
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
//!   - {id: a, type: tool, executorConfig: {type: tool, toolName: a}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: b, type: tool, executorConfig: {type: tool, toolName: b}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: a, type: static}
//!   - {id: e2, source: a, target: b, type: static}
//!   - {id: e3, source: b, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_model::Located;
use nodewise_model::graph::{EdgeCondition, EdgeGuard, GraphEdge};
use smol_str::SmolStr;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Needs, Report, Rule, RulePart};
use crate::rules::first_places::FirstPlaces;

pub(crate) static RULE: Rule = Rule {
    id: "duplicate-edge",
    former: &["repeated-edge"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("agentos:I8"),
        severity: Severity::Warning,
        needs: Needs::Nodes,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, _) in context.whole_graphs() {
        let mut first_places = FirstPlaces::new();
        for edge in &graph.edges {
            let Some(key) = key(edge) else { continue };
            if let Some(first) = first_places.before(key, edge.head) {
                report.push(
                    Finding::new(edge.head, "an earlier edge is the same")
                        .label("it adds nothing, and the step is reported twice")
                        .help("remove one of the two")
                        .related(first, "the earlier edge"),
                );
            }
        }
    }
}

/// Two edges with the same key are duplicates.
fn key(edge: &GraphEdge) -> Option<Vec<&str>> {
    let mut key = vec![edge.source.as_ref()?.name.value.as_str(), edge.target.as_ref()?.name.value.as_str()];
    match &edge.guard {
        EdgeGuard::Always => {}
        EdgeGuard::When(Some(EdgeCondition::Expression(Some(condition)))) => {
            key.extend(["?", &condition.text])
        }
        EdgeGuard::Discovery(search) => {
            key.extend(["search", text(&search.query), text(&search.kind), text(&search.fallback)]);
        }
        EdgeGuard::Personality(Some(choice)) => {
            key.extend(["persona", text(&choice.trait_name), text(&choice.above), text(&choice.below)]);
        }
        _ => return None,
    }
    Some(key)
}

fn text(part: &Option<Located<SmolStr>>) -> &str {
    part.as_ref().map_or("", |text| text.value.as_str())
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn all_that_decides_counts() {
        check_rule(
            "duplicate-edge",
            r#"
nodes:
  - {id: a, executorConfig: {type: tool}}
  - {id: b, executorConfig: {type: tool}}
edges:
  - {source: a, target: b, type: static}
  - {source: a, target: b, type: static}
#    ^^^^^^ warning[duplicate-edge]: an earlier edge is the same
  - {source: a, target: b, type: conditional, condition: {type: expression, expr: "true"}}
  - {source: a, target: b, type: conditional, condition: {type: expression, expr: "false"}}
  - {source: a, target: b, type: conditional, condition: {type: expression, expr: "true"}}
#    ^^^^^^ warning[duplicate-edge]: an earlier edge is the same
  - {source: b, target: a, type: static}
  - {source: a, target: b, type: discovery, discoveryQuery: q}
  - {source: a, target: b, type: discovery, discoveryQuery: r}
"#,
        );
    }
}
