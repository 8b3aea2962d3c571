//! ## What it does
//!
//! Reports an edge of an AgentOS graph that lacks what its type decides by: a conditional edge without a
//! condition, a search without a query or a fallback, a choice by a trait without the trait.
//!
//! ## Why it matters
//!
//! Such an edge is never followed, and its target is left out. A search without a query finds nothing; one
//! without a fallback leaves its target out when it finds nothing.
//!
//! ## Example
//!
//! ```yaml expect=undecided-edge
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: a, type: tool, executorConfig: {type: tool, toolName: a}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: b, type: tool, executorConfig: {type: tool, toolName: b}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: a, type: static}
//!   - {id: e2, source: a, target: b, type: conditional}
//!   - {id: e3, source: b, target: __END__, type: static}
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
//!   - {id: e2, source: a, target: b, type: conditional, condition: {type: expression, expr: "artifacts.a.ok"}}
//!   - {id: e3, source: b, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_model::Origin;
use nodewise_model::graph::{EdgeGuard, EndpointRole, GraphEdge};

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};

pub(crate) static RULE: Rule = Rule {
    id: "undecided-edge",
    former: &[],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Error, absence: true, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, _) in context.whole_graphs() {
        let leads_somewhere = |edge: &&GraphEdge| {
            edge.target.as_ref().is_none_or(|target| target.role != EndpointRole::Placeholder)
        };
        for edge in graph.edges.iter().filter(leads_somewhere) {
            match &edge.guard {
                EdgeGuard::When(None) => report.push(
                    Finding::new(place(edge), "the conditional edge has no condition")
                        .spec("agentos:I36")
                        .label("it is never followed, and its target is left out")
                        .help("add its `condition`, or make the edge static"),
                ),
                EdgeGuard::Personality(None) => report.push(
                    Finding::new(place(edge), "the edge does not say which trait decides")
                        .spec("agentos:I39")
                        .label("it is never followed, and its target is left out")
                        .help("add its `personalityCondition`"),
                ),
                EdgeGuard::Discovery(search) if search.query.is_none() => report.push(
                    Finding::new(place(edge), "the edge does not say what to look for")
                        .spec("agentos:I38")
                        .label("nothing is ever found; only the fallback is followed")
                        .help("add its `discoveryQuery`"),
                ),
                EdgeGuard::Discovery(search) if search.fallback.is_none() => report.push_at(
                    Severity::Warning,
                    Finding::new(place(edge), "the edge does not say what to do when nothing is found")
                        .spec("agentos:I38")
                        .label("the target is left out then")
                        .help("add its `discoveryFallback`"),
                ),
                _ => {}
            }
        }
    }
}

fn place(edge: &GraphEdge) -> Origin {
    edge.target.as_ref().map_or(edge.head, |target| target.name.at)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn each_type_lacks_something_else() {
        check_rule(
            "undecided-edge",
            r#"
nodes:
  - {id: a, executorConfig: {type: tool}}
  - {id: b, executorConfig: {type: tool}}
edges:
  - {source: a, target: b, type: conditional}
#                       ^ error[undecided-edge]: the conditional edge has no condition
  - {source: a, target: b, type: conditional, condition: {}}
  - {source: a, target: b, type: discovery}
#                       ^ error[undecided-edge]: the edge does not say what to look for
  - {source: a, target: b, type: discovery, discoveryQuery: q}
#                       ^ warning[undecided-edge]: the edge does not say what to do when nothing is found
  - {source: a, target: b, type: discovery, discoveryQuery: q, discoveryFallback: a}
  - {source: a, target: b, type: personality}
#                       ^ error[undecided-edge]: the edge does not say which trait decides
  - {source: a, target: b, type: odd}
  - {source: a, target: __DISCOVERY__, type: discovery, discoveryQuery: q}
"#,
        );
    }
}
