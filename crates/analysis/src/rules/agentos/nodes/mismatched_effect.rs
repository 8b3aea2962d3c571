//! ## What it does
//!
//! Reports a node that asks a person and has another `effectClass` than `human`, and another kind of node that
//! has it.
//!
//! ## Why it matters
//!
//! On resume a node with the effect `human` is replayed. A question without it is asked again; another node with
//! it is replayed instead of run.
//!
//! ## Example
//!
//! ```yaml expect=mismatched-effect
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: ask, type: human, executorConfig: {type: human, prompt: Continue?}, executionMode: single_turn, effectClass: read, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: ask, type: static}
//!   - {id: e2, source: ask, target: __END__, type: static}
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
//! edges:
//!   - {id: e1, source: __START__, target: ask, type: static}
//!   - {id: e2, source: ask, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_dialect::tables::agentos::{EFFECTS, HUMAN_EFFECT};
use nodewise_model::agentos::Work;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::graph_findings;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "mismatched-effect",
    former: &["human-effect"],
    category: Category::Security,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { spec: Some("agentos:I22"), severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for node in context.graph_nodes() {
        let Some(effect) = &node.execution.effect else { continue };
        let is_known = EFFECTS.iter().any(|known| effect.value == known.text);
        match (Work::of(node), effect.value == HUMAN_EFFECT) {
            (Work::Human(_), false) if is_known => {
                let message = format!("the effect of asking a person is not `{}`", short(&effect.value));
                let finding = Finding::new(effect.at, message)
                    .label("the person is asked again when the run is resumed")
                    .help(format!("write `{HUMAN_EFFECT}`"));
                report.push(graph_findings::replace(context, finding, effect, HUMAN_EFFECT));
            }
            (Work::Human(_) | Work::Unknown, _) | (_, false) => {}
            _ => report.push(
                Finding::new(effect.at, "only asking a person has this effect")
                    .label("the node is replayed when the run is resumed, not run")
                    .help("say what the node does: `pure`, `read`, `write` or `external`"),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn both_ways_round() {
        check_rule(
            "mismatched-effect",
            r#"
nodes:
  - {id: a, executorConfig: {type: human}, effectClass: write}
#                                                       ^^^^^ warning[mismatched-effect]: the effect of asking a person is not `write`
  - {id: b, executorConfig: {type: tool}, effectClass: human}
#                                                      ^^^^^ warning[mismatched-effect]: only asking a person has this effect
  - {id: c, executorConfig: {type: human}, effectClass: human}
  - {id: d, executorConfig: {type: human}, effectClass: odd}
edges:
"#,
        );
    }
}
