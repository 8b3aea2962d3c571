//! ## What it does
//!
//! Reports a voice session that nothing but a hangup ends: no timeout, no last turn, no keyword and no silence.
//!
//! ## Why it matters
//!
//! Only the node's `timeout` ends a session that nobody closes; without it the run waits for as long as the line
//! is open.
//!
//! ## Example
//!
//! ```yaml expect=endless-session
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
//!
//! ## Instead
//!
//! ```yaml ok
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: talk, type: voice, executorConfig: {type: voice, voiceConfig: {mode: conversation}}, executionMode: react_bounded, effectClass: external, checkpoint: none, timeout: 600000}
//! edges:
//!   - {id: e1, source: __START__, target: talk, type: static}
//!   - {id: e2, source: talk, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_model::agentos::{VoiceTrigger, Work};

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::graph_findings;

pub(crate) static RULE: Rule = Rule {
    id: "endless-session",
    former: &[],
    category: Category::Cost,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for node in context.graph_nodes() {
        let Work::Voice(voice) = Work::of(node) else { continue };
        let ends = voice.speaks_only
            || voice.max_turns.as_ref().is_some_and(|turns| turns.value > 0.0)
            || voice
                .exit
                .as_ref()
                .and_then(|exit| exit.value)
                .is_some_and(|trigger| trigger != VoiceTrigger::Turns)
            || node.failure.timeout_ms.as_ref().is_some_and(|timeout| timeout.value > 0.0);
        if !ends {
            report.push(
                Finding::new(
                    graph_findings::id_place(node),
                    format!("nothing but a hangup ends {}", graph_findings::named(node)),
                )
                .label("the run waits for as long as the line is open")
                .help("give the node a `timeout`"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn each_end_counts() {
        check_rule(
            "endless-session",
            r#"
nodes:
  - {id: a, executorConfig: {type: voice, voiceConfig: {mode: conversation}}}
#        ^ hint[endless-session]: nothing but a hangup ends `a`
  - {id: b, executorConfig: {type: voice, voiceConfig: {mode: conversation, maxTurns: 2}}}
  - {id: c, executorConfig: {type: voice, voiceConfig: {mode: speak-only}}}
  - {id: d, executorConfig: {type: voice, voiceConfig: {mode: conversation, exitOn: silence-timeout}}}
  - {id: e, executorConfig: {type: voice, voiceConfig: {mode: conversation}}, timeout: 5}
edges:
"#,
        );
    }
}
