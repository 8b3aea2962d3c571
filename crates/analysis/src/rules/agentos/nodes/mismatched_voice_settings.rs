//! ## What it does
//!
//! Reports a voice node with another effect than `external`, or another execution mode than `react_bounded`.
//!
//! ## Why it matters
//!
//! Builders write these two for every voice session. Other words say something else than what happens.
//!
//! ## Example
//!
//! ```yaml expect=mismatched-voice-settings
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: talk, type: voice, executorConfig: {type: voice, voiceConfig: {mode: conversation}}, executionMode: react_bounded, effectClass: pure, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: talk, type: static}
//!   - {id: e2, source: talk, target: __END__, type: static}
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
//!   - {id: talk, type: voice, executorConfig: {type: voice, voiceConfig: {mode: conversation}}, executionMode: react_bounded, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: talk, type: static}
//!   - {id: e2, source: talk, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_dialect::tables::agentos::{VOICE_EFFECT, VOICE_MODE};
use nodewise_model::agentos::Work;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};

pub(crate) static RULE: Rule = Rule {
    id: "mismatched-voice-settings",
    former: &["voice-conduct"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { spec: Some("agentos:I24"), severity: Severity::Hint, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for node in context.graph_nodes().filter(|node| matches!(Work::of(node), Work::Voice(_))) {
        let (effect, mode) = (&node.execution.effect, &node.execution.execution_mode);
        for (word, usual) in [(effect, VOICE_EFFECT), (mode, VOICE_MODE)] {
            if let Some(word) = word.as_ref().filter(|word| word.value != usual) {
                report.push(
                    Finding::new(word.at, format!("a voice session usually says `{usual}` here"))
                        .label("builders write it for every voice session")
                        .help(format!("write `{usual}`")),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn effect_and_mode() {
        check_rule(
            "mismatched-voice-settings",
            r#"
nodes:
  - {id: a, executorConfig: {type: voice}, effectClass: pure, executionMode: single_turn}
#                                                       ^^^^ hint[mismatched-voice-settings]: a voice session usually says `external` here
#                                                                            ^^^^^^^^^^^ hint[mismatched-voice-settings]: a voice session usually says `react_bounded` here
  - {id: b, executorConfig: {type: voice}, effectClass: external, executionMode: react_bounded}
edges:
"#,
        );
    }
}
