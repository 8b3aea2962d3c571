//! ## What it does
//!
//! Reports a node that a choice names (where a violation is rerouted to, what a search falls back to, where a
//! voice session leaves to) and to which no edge leads from the same node.
//!
//! ## Why it matters
//!
//! Choices only leave out what they have an edge to. A node without such an edge runs as soon as everything else
//! that leads to it has run, at once if nothing does, whatever is chosen.
//!
//! ## Example
//!
//! ```yaml expect=unlinked-target
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: gate, type: guardrail, executorConfig: {type: guardrail, guardrailIds: [pii], onViolation: reroute, rerouteTarget: redact}, executionMode: single_turn, effectClass: pure, checkpoint: none}
//!   - {id: store, type: tool, executorConfig: {type: tool, toolName: store}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: redact, type: tool, executorConfig: {type: tool, toolName: redact}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: gate, type: static}
//!   - {id: e2, source: gate, target: store, type: static}
//!   - {id: e3, source: __START__, target: redact, type: static}
//!   - {id: e4, source: store, target: __END__, type: static}
//!   - {id: e5, source: redact, target: __END__, type: static}
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
//!   - {id: gate, type: guardrail, executorConfig: {type: guardrail, guardrailIds: [pii], onViolation: reroute, rerouteTarget: redact}, executionMode: single_turn, effectClass: pure, checkpoint: none}
//!   - {id: store, type: tool, executorConfig: {type: tool, toolName: store}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: redact, type: tool, executorConfig: {type: tool, toolName: redact}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: gate, type: static}
//!   - {id: e2, source: gate, target: store, type: static}
//!   - {id: e3, source: gate, target: redact, type: static}
//!   - {id: e4, source: store, target: __END__, type: static}
//!   - {id: e5, source: redact, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Needs, Report, Rule, RulePart};
use crate::rules::agentos::routing_targets;
use crate::rules::graph_findings;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "unlinked-target",
    former: &[],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("agentos:I11"),
        severity: Severity::Warning,
        needs: Needs::Edges,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, facts) in context.whole_graphs() {
        // A choice that never comes out like this leads nowhere.
        for choice in routing_targets::chosen(graph).filter(|choice| choice.is_possible) {
            let Some(from) = choice.source.and_then(|source| facts.node(source)) else { continue };
            let name = choice.target;
            let Some(to) = facts.node(&name.value).filter(|to| !facts.is_linked(from, *to)) else { continue };
            let Some(node) = graph.nodes.get(from) else { continue };
            let message =
                format!("no edge leads from {} to `{}`", graph_findings::named(node), short(&name.value));
            let harm = match facts.incoming(to) {
                [] => "it runs at once, whatever is chosen",
                _ => "it runs after the others that lead to it, whatever is chosen",
            };
            report
                .push(Finding::new(name.at, message).label(harm).help("add this edge to the graph's edges"));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn every_choice_that_can_come_out() {
        check_rule(
            "unlinked-target",
            r#"
nodes:
  - {id: gate, executorConfig: {type: guardrail, onViolation: reroute, rerouteTarget: b}, guardrailPolicy: {rerouteTarget: c}}
#                                                                                     ^ warning[unlinked-target]: no edge leads from `gate` to `b`
#                                                                                                                          ^ warning[unlinked-target]: no edge leads from `gate` to `c`
  - {id: talk, executorConfig: {type: voice, voiceConfig: {mode: conversation}}, edges: {hangup: b, silence-timeout: c, completed: c, interrupted: __END__}}
  - {id: b, executorConfig: {type: tool}}
  - {id: c, executorConfig: {type: tool}}
edges:
  - {source: __START__, target: gate, type: static}
  - {source: gate, target: talk, type: discovery, discoveryFallback: c}
#                                                                    ^ warning[unlinked-target]: no edge leads from `gate` to `c`
  - {source: talk, target: c, type: static}
  - {source: talk, target: b, type: static, guardrailPolicy: {rerouteTarget: gone}}
"#,
        );
    }
}
