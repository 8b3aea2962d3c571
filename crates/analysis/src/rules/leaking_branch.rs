//! ## What it does
//!
//! Reports an arm of a choice with nodes behind it that only this arm leads to.
//!
//! ## Why it matters
//!
//! Being left out does not spread. A node that was not chosen counts as done, so that the nodes behind it run all
//! the same, in spite of the choice.
//!
//! ## Example
//!
//! ```yaml expect=leaking-branch
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: pick, type: router, executorConfig: {type: router, condition: {type: expression, expr: "input.digital ? 'email' : 'pack'"}}, executionMode: single_turn, effectClass: pure, checkpoint: none}
//!   - {id: email, type: tool, executorConfig: {type: tool, toolName: email}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: pack, type: tool, executorConfig: {type: tool, toolName: pack}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: ship, type: tool, executorConfig: {type: tool, toolName: ship}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: pick, type: static}
//!   - {id: e2, source: pick, target: email, type: static}
//!   - {id: e3, source: pick, target: pack, type: static}
//!   - {id: e4, source: pack, target: ship, type: static}
//!   - {id: e5, source: email, target: __END__, type: static}
//!   - {id: e6, source: ship, target: __END__, type: static}
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
//!   - {id: pick, type: router, executorConfig: {type: router, condition: {type: expression, expr: "input.digital ? 'email' : 'pack'"}}, executionMode: single_turn, effectClass: pure, checkpoint: none}
//!   - {id: email, type: tool, executorConfig: {type: tool, toolName: email}, executionMode: single_turn, effectClass: external, checkpoint: none}
//!   - {id: pack, type: tool, executorConfig: {type: tool, toolName: pack}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: pick, type: static}
//!   - {id: e2, source: pick, target: email, type: static}
//!   - {id: e3, source: pick, target: pack, type: static}
//!   - {id: e4, source: pack, target: __END__, type: static}
//!   - {id: e5, source: email, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use super::step;
use super::wording::short;
use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "leaking-branch",
    spec: Some("agentos:I16"),
    systems: &["agentos"],
    severity: Severity::Warning,
    absence: false,
    about_syntax: false,
    source: include_str!("leaking_branch.rs"),
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, flow) in context.flows() {
        for position in 0..graph.nodes.len() {
            let [first, ..] = flow.dependents(position) else { continue };
            let refusing = flow.incoming(position).iter().find(|edge| flow.is_refusable(**edge));
            let edge = refusing.and_then(|edge| graph.edges.get(*edge));
            let (Some(target), Some(behind)) =
                (edge.and_then(|edge| edge.target.as_ref()), graph.nodes.get(*first))
            else {
                continue;
            };
            let name = short(&target.name.value);
            report.push(
                Finding::new(
                    target.name.at,
                    format!("{} runs even when `{name}` does not", step::named(behind)),
                )
                .label("what is not chosen counts as done for what comes after it")
                .help("put the rest of this arm into a graph of its own, and run that")
                .related(step::id_place(behind), "runs in any case"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn joins_behind_a_choice_are_fine() {
        check_rule(
            "leaking-branch",
            r#"
nodes:
  - {id: a, executorConfig: {type: tool}}
  - {id: b, executorConfig: {type: tool}}
  - {id: c, executorConfig: {type: tool}}
  - {id: d, executorConfig: {type: tool}}
  - {id: e, executorConfig: {type: tool}}
  - {id: f, executorConfig: {type: tool}}
edges:
  - {source: __START__, target: a, type: static}
  - {source: a, target: b, type: conditional, condition: {type: expression, expr: "scratch.x"}}
  - {source: a, target: c, type: conditional, condition: {type: expression, expr: "scratch.y"}}
  - {source: b, target: d, type: static}
  - {source: c, target: d, type: static}
  - {source: d, target: e, type: conditional, condition: {type: expression, expr: "scratch.z"}}
#                       ^ warning[leaking-branch]: `f` runs even when `e` does not
  - {source: e, target: f, type: static}
  - {source: f, target: __END__, type: static}
"#,
        );
    }
}
