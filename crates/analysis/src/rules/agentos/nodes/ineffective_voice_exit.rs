//! ## What it does
//!
//! Reports settings of a voice session that arm nothing: a keyword exit without keywords, keywords without a
//! keyword exit, an exit after the last turn without a number of turns, a line outside `speak-only`, and
//! `speak-only` without a line.
//!
//! ## Why it matters
//!
//! The session continues until the other side hangs up, or the setting is ignored.
//!
//! ## Example
//!
//! ```yaml expect=ineffective-voice-exit
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: talk, type: voice, executorConfig: {type: voice, voiceConfig: {mode: conversation, exitOn: keyword}}, executionMode: react_bounded, effectClass: external, checkpoint: none}
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
//!   - {id: talk, type: voice, executorConfig: {type: voice, voiceConfig: {mode: conversation, exitOn: keyword, exitKeywords: [goodbye]}}, executionMode: react_bounded, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: talk, type: static}
//!   - {id: e2, source: talk, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_model::Origin;
use nodewise_model::agentos::{VoiceTrigger, VoiceWork, Work};

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};

pub(crate) static RULE: Rule = Rule {
    id: "ineffective-voice-exit",
    former: &["voice-exit"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { spec: Some("agentos:I25"), severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for node in context.graph_nodes() {
        if let Work::Voice(voice) = Work::of(node) {
            faults(voice).into_iter().for_each(|finding| report.push(finding));
        }
    }
}

fn faults(voice: &VoiceWork) -> Vec<Finding> {
    let waits_for = |trigger: VoiceTrigger| voice.exit.as_ref().filter(|exit| exit.value == Some(trigger));
    let mut found = Vec::new();
    let mut push = |at: Origin, message: &str, label: &str, help: &str| {
        found.push(Finding::new(at, message).label(label).help(help));
    };
    match (waits_for(VoiceTrigger::Keyword), voice.keywords_at) {
        (Some(exit), _) if voice.keywords.is_empty() => push(
            exit.at,
            "the session waits for a keyword, and there is none",
            "it only ends with a hangup",
            "list `exitKeywords`",
        ),
        (None, Some(at)) => push(
            at,
            "nothing listens for these keywords",
            "they are ignored",
            "write `exitOn: keyword`, or leave them out",
        ),
        _ => {}
    }
    let has_turns = voice.max_turns.as_ref().is_some_and(|turns| turns.value > 0.0);
    if let Some(exit) = waits_for(VoiceTrigger::Turns).filter(|_| !has_turns) {
        push(
            exit.at,
            "the session waits for its last turn, and there is none",
            "it only ends with a hangup",
            "set `maxTurns`",
        );
    }
    match (&voice.line, &voice.mode) {
        (Some(line), Some(_)) if !voice.speaks_only => push(
            line.at,
            "the line is never spoken",
            "only `speak-only` delivers a line",
            "write `mode: speak-only`, or leave it out",
        ),
        (None, Some(mode)) if voice.speaks_only => {
            push(mode.at, "the session has nothing to say", "no line is delivered", "add the `speakText`");
        }
        _ => {}
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn each_setting_that_arms_nothing() {
        check_rule(
            "ineffective-voice-exit",
            r#"
nodes:
  - {id: a, executorConfig: {type: voice, voiceConfig: {mode: conversation, exitOn: keyword, exitKeywords: []}}}
#                                                                                   ^^^^^^^ warning[ineffective-voice-exit]: the session waits for a keyword, and there is none
  - {id: b, executorConfig: {type: voice, voiceConfig: {mode: conversation, exitKeywords: [bye]}}}
#                                                                           ^^^^^^^^^^^^ warning[ineffective-voice-exit]: nothing listens for these keywords
  - {id: c, executorConfig: {type: voice, voiceConfig: {mode: listen-only, exitOn: turns-exhausted, speakText: Hi}}}
#                                                                                  ^^^^^^^^^^^^^^^ warning[ineffective-voice-exit]: the session waits for its last turn, and there is none
#                                                                                                              ^^ warning[ineffective-voice-exit]: the line is never spoken
  - {id: d, executorConfig: {type: voice, voiceConfig: {mode: speak-only}}}
#                                                             ^^^^^^^^^^ warning[ineffective-voice-exit]: the session has nothing to say
  - {id: e, executorConfig: {type: voice, voiceConfig: {mode: conversation, exitOn: turns-exhausted, maxTurns: 3}}}
edges:
"#,
        );
    }
}
