//! ## What it does
//!
//! Reports a node of an AgentOS graph that is replayed on resume and whose edges are conditional.
//!
//! ## Why it matters
//!
//! A node that asked a person, or that writes or acts on the world, is replayed when the run is resumed: it
//! counts as done and routes nothing, so that everything it leads to runs, both arms of a choice included.
//! Questions to a person always end in a resume.
//!
//! ## Example
//!
//! ```yaml expect=replayed-choice
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: ask, type: human, executorConfig: {type: human, prompt: Continue?}, executionMode: single_turn, effectClass: human, checkpoint: none}
//!   - {id: yes, type: tool, executorConfig: {type: tool, toolName: yes}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: no, type: tool, executorConfig: {type: tool, toolName: no}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: ask, type: static}
//!   - {id: e2, source: ask, target: yes, type: conditional, condition: {type: expression, expr: "artifacts.ask.approved"}}
//!   - {id: e3, source: ask, target: no, type: conditional, condition: {type: expression, expr: "artifacts.ask.approved == false"}}
//!   - {id: e4, source: yes, target: __END__, type: static}
//!   - {id: e5, source: no, target: __END__, type: static}
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
//!   - {id: ask, type: human, executorConfig: {type: human, prompt: Continue?}, executionMode: single_turn, effectClass: human, checkpoint: none}
//!   - {id: decide, type: router, executorConfig: {type: router, condition: {type: expression, expr: "artifacts.ask.approved ? 'yes' : 'no'"}}, executionMode: single_turn, effectClass: pure, checkpoint: none}
//!   - {id: yes, type: tool, executorConfig: {type: tool, toolName: yes}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: no, type: tool, executorConfig: {type: tool, toolName: no}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: ask, type: static}
//!   - {id: e2, source: ask, target: decide, type: static}
//!   - {id: e3, source: decide, target: yes, type: static}
//!   - {id: e4, source: decide, target: no, type: static}
//!   - {id: e5, source: yes, target: __END__, type: static}
//!   - {id: e6, source: no, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_dialect::tables::agentos::HUMAN_EFFECT;
use nodewise_model::agentos::Work;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Needs, Report, Rule, RulePart};
use crate::rules::graph_findings;

pub(crate) static RULE: Rule = Rule {
    id: "replayed-choice",
    former: &[],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Hint, needs: Needs::Edges, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, facts) in context.whole_graphs() {
        for (position, node) in graph.nodes.iter().enumerate() {
            // Other effects are replayed after a failure alone.
            let is_replayed =
                node.execution.effect.as_ref().is_some_and(|effect| effect.value == HUMAN_EFFECT);
            let is_asked = match Work::of(node) {
                Work::Human(human) => human.automation.as_ref().is_none_or(|automation| {
                    !automation.auto_accept.as_ref().is_some_and(|accept| accept.value)
                        && automation.auto_reject.is_none()
                }),
                _ => false,
            };
            let decides = facts.outgoing(position).iter().any(|edge| facts.is_refusable(*edge));
            if is_replayed && is_asked && decides {
                report.push(
                    Finding::new(
                        graph_findings::id_place(node),
                        format!("{} decides nothing after a resume", graph_findings::named(node)),
                    )
                    .label("it is replayed, and every node that it leads to runs")
                    .help("let it lead to a router alone, which decides when the run is resumed"),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn automatic_answers_are_no_resume() {
        check_rule(
            "replayed-choice",
            r#"
nodes:
  - {id: a, executorConfig: {type: human}, effectClass: human}
#        ^ hint[replayed-choice]: `a` decides nothing after a resume
  - {id: b, executorConfig: {type: human, autoAccept: true}, effectClass: human}
  - {id: d, executorConfig: {type: tool}}
edges:
  - {source: __START__, target: a, type: static}
  - {source: a, target: b, type: conditional, condition: {type: expression, expr: "scratch.x"}}
  - {source: b, target: d, type: conditional, condition: {type: expression, expr: "scratch.y"}}
  - {source: d, target: __END__, type: static}
"#,
        );
    }
}
