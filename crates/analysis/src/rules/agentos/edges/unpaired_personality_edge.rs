//! ## What it does
//!
//! Reports an edge that follows a trait of the persona and leads to neither of its two outcomes, and one whose
//! other outcome has no edge of its own.
//!
//! ## Why it matters
//!
//! The outcome is chosen by name. A node that is chosen without an edge from here does not wait for the choice:
//! it runs as soon as everything else that leads to it has run, at once if nothing does.
//!
//! ## Example
//!
//! ```yaml expect=unpaired-personality-edge
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: draft, type: tool, executorConfig: {type: tool, toolName: draft}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: proofread, type: tool, executorConfig: {type: tool, toolName: proofread}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: send, type: tool, executorConfig: {type: tool, toolName: send}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: draft, type: static}
//!   - {id: e2, source: draft, target: proofread, type: personality, personalityCondition: {trait: openness, threshold: 0.7, above: proofread, below: send}}
//!   - {id: e3, source: __START__, target: send, type: static}
//!   - {id: e4, source: proofread, target: __END__, type: static}
//!   - {id: e5, source: send, target: __END__, type: static}
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
//!   - {id: draft, type: tool, executorConfig: {type: tool, toolName: draft}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: proofread, type: tool, executorConfig: {type: tool, toolName: proofread}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: send, type: tool, executorConfig: {type: tool, toolName: send}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: draft, type: static}
//!   - {id: e2, source: draft, target: proofread, type: personality, personalityCondition: {trait: openness, threshold: 0.7, above: proofread, below: send}}
//!   - {id: e3, source: draft, target: send, type: personality, personalityCondition: {trait: openness, threshold: 0.7, above: proofread, below: send}}
//!   - {id: e4, source: proofread, target: __END__, type: static}
//!   - {id: e5, source: send, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_model::graph::{EdgeGuard, EndpointRole};

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "unpaired-personality-edge",
    former: &["lonely-personality-edge"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { spec: Some("agentos:I40"), severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, facts) in context.whole_graphs() {
        for (position, edge) in graph.edges.iter().enumerate() {
            let EdgeGuard::Personality(Some(choice)) = &edge.guard else { continue };
            let (Some(source), Some(target)) = (facts.source(position), &edge.target) else { continue };
            let outcomes = [&choice.above, &choice.below];
            let leads_to = |outcome: &str| target.name.value == outcome;
            if outcomes
                .iter()
                .all(|outcome| outcome.as_ref().is_some_and(|outcome| !leads_to(&outcome.value)))
            {
                report.push(
                    Finding::new(
                        target.name.at,
                        format!("`{}` is not an outcome of this choice", short(&target.name.value)),
                    )
                    .label("the edge is never followed")
                    .help("lead to one of the two outcomes"),
                );
            }
            for outcome in outcomes.into_iter().flatten().filter(|outcome| !leads_to(&outcome.value)) {
                let is_linked =
                    facts.node(&outcome.value).is_none_or(|outcome| facts.is_linked(source, outcome));
                if !is_linked && target.role != EndpointRole::Placeholder {
                    report.push(
                        Finding::new(
                            outcome.at,
                            format!("no edge leads to the outcome `{}`", short(&outcome.value)),
                        )
                        .label("it runs without waiting for the choice")
                        .help("add an edge of the same kind that leads there"),
                    );
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn edges_of_any_type_lead_to_the_other_outcome() {
        check_rule(
            "unpaired-personality-edge",
            r#"
nodes:
  - {id: a, executorConfig: {type: tool}}
  - {id: b, executorConfig: {type: tool}}
  - {id: c, executorConfig: {type: tool}}
  - {id: d, executorConfig: {type: tool}}
edges:
  - {source: a, target: b, type: personality, personalityCondition: {trait: openness, threshold: 0.5, above: b, below: c}}
#                                                                                                                      ^ warning[unpaired-personality-edge]: no edge leads to the outcome `c`
  - {source: a, target: b, type: personality, personalityCondition: {trait: openness, threshold: 0.5, above: b, below: d}}
  - {source: a, target: d, type: static}
  - {source: b, target: a, type: personality, personalityCondition: {trait: openness, threshold: 0.5, above: c, below: __END__}}
#                       ^ warning[unpaired-personality-edge]: `a` is not an outcome of this choice
#                                                                                                            ^ warning[unpaired-personality-edge]: no edge leads to the outcome `c`
  - {source: c, target: b, type: personality, personalityCondition: {trait: openness, threshold: 0.5, above: b, below: gone}}
"#,
        );
    }
}
