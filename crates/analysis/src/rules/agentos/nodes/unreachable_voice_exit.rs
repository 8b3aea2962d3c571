//! ## What it does
//!
//! Reports an entry among the exits of a voice node whose reason does not exist, or cannot come up in this
//! session.
//!
//! ## Why it matters
//!
//! The entry is never used. Reasons are `completed` (speak-only sessions alone), `hangup`, `interrupted`,
//! `turns-exhausted`, `silence-timeout` and `keyword:` with one of the session's keywords.
//!
//! ## Example
//!
//! ```yaml expect=unreachable-voice-exit
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: talk, type: voice, executorConfig: {type: voice, voiceConfig: {mode: conversation}}, executionMode: react_bounded, effectClass: external, checkpoint: none, edges: {done: reply}}
//!   - {id: reply, type: tool, executorConfig: {type: tool, toolName: reply}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: talk, type: static}
//!   - {id: e2, source: talk, target: reply, type: static}
//!   - {id: e3, source: reply, target: __END__, type: static}
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
//!   - {id: talk, type: voice, executorConfig: {type: voice, voiceConfig: {mode: conversation}}, executionMode: react_bounded, effectClass: external, checkpoint: none, edges: {hangup: reply}}
//!   - {id: reply, type: tool, executorConfig: {type: tool, toolName: reply}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: talk, type: static}
//!   - {id: e2, source: talk, target: reply, type: static}
//!   - {id: e3, source: reply, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_model::agentos::{VoiceWork, Work};
use nodewise_model::graph::{Exit, ExitReason};

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "unreachable-voice-exit",
    former: &["voice-exit-target"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { spec: Some("agentos:I26"), severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for node in context.graph_nodes() {
        let Work::Voice(voice) = Work::of(node) else { continue };
        for exit in &node.execution.exits {
            judge(voice, exit, report);
        }
    }
}

fn judge(voice: &VoiceWork, exit: &Exit, report: &mut Report) {
    let reason = short(&exit.reason.value);
    let unused = |message: String, help: &str| {
        Finding::new(exit.reason.at, message).label("the entry is never used").help(help.to_owned())
    };
    match &exit.kind {
        None => report.push(unused(
            format!("no session ends with `{reason}`"),
            "write a reason such as `hangup`, `completed` or `keyword:` and a keyword",
        )),
        Some(ExitReason::Keyword(word)) if !voice.keywords.iter().any(|known| known.value == *word) => {
            report.push(unused(
                format!("`{}` is not a keyword of the session", short(word)),
                "add it to `exitKeywords`, spelt the same",
            ));
        }
        Some(ExitReason::Completed) if !voice.speaks_only => report.push(unused(
            format!("only a speak-only session ends with `{reason}`"),
            "name the reasons for which this session ends",
        )),
        Some(kind) if voice.speaks_only && *kind != ExitReason::Completed => report
            .push(unused(format!("a speak-only session never ends with `{reason}`"), "write `completed`")),
        Some(kind) if !voice.can_end(kind) => report.push_at(
            Severity::Hint,
            unused(
                format!("nothing makes this session end with `{reason}`"),
                "set what the session waits for",
            ),
        ),
        Some(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn reasons_of_the_session() {
        check_rule(
            "unreachable-voice-exit",
            r#"
nodes:
  - {id: a, executorConfig: {type: voice, voiceConfig: {mode: conversation, exitOn: keyword, exitKeywords: [bye]}}, edges: {'keyword:bye': b, 'keyword:hi': b, turns-exhausted: b, completed: b, over: b}}
#                                                                                                                                             ^^^^^^^^^^^^ warning[unreachable-voice-exit]: `hi` is not a keyword of the session
#                                                                                                                                                              ^^^^^^^^^^^^^^^ hint[unreachable-voice-exit]: nothing makes this session end with `turns-exhausted`
#                                                                                                                                                                                  ^^^^^^^^^ warning[unreachable-voice-exit]: only a speak-only session ends with `completed`
#                                                                                                                                                                                                ^^^^ warning[unreachable-voice-exit]: no session ends with `over`
  - {id: b, executorConfig: {type: voice, voiceConfig: {mode: speak-only}}, edges: {completed: a, hangup: a}}
#                                                                                                 ^^^^^^ warning[unreachable-voice-exit]: a speak-only session never ends with `hangup`
edges:
"#,
        );
    }
}
