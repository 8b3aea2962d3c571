//! ## What it does
//!
//! Reports answers in a person's place that exclude one another, a meaning of a timeout that never comes, and a
//! judge without a model where its provider has no default.
//!
//! ## Why it matters
//!
//! Of several automatic answers the first counts: approval, rejection, judge. A judge of another provider than
//! `openai` without a model throws. Asking a person returns at once, so that only a judge can run into the node's
//! timeout.
//!
//! ## Example
//!
//! ```yaml expect=conflicting-automation
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: ask, type: human, executorConfig: {type: human, prompt: Continue?, autoAccept: true, autoReject: too late}, executionMode: single_turn, effectClass: human, checkpoint: none}
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
//!   - {id: ask, type: human, executorConfig: {type: human, prompt: Continue?, judge: {confidenceThreshold: 0.9}, onTimeout: reject}, executionMode: single_turn, effectClass: human, checkpoint: none, timeout: 60000}
//! edges:
//!   - {id: e1, source: __START__, target: ask, type: static}
//!   - {id: e2, source: ask, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_model::Origin;
use nodewise_model::agentos::Work;
use nodewise_model::graph::GraphNode;
use nodewise_model::work::HumanAutomation;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};

pub(crate) static RULE: Rule = Rule {
    id: "conflicting-automation",
    former: &["human-automation"],
    category: Category::Security,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { spec: Some("agentos:I23"), severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for node in context.graph_nodes() {
        let Work::Human(human) = Work::of(node) else { continue };
        let Some(automation) = &human.automation else { continue };
        hidden(automation, report);
        timeout(node, automation, report);
        if let Some(judge) =
            automation.judge.as_ref().filter(|judge| !judge.has_default_model && judge.model.is_none())
        {
            let at = judge.provider.as_ref().map_or(judge.at, |provider| provider.at);
            report.push_at(
                Severity::Error,
                Finding::new(at, "this provider has no default model for a judge")
                    .label("the node throws, and the run is aborted")
                    .help("name the judge's `model`"),
            );
        }
    }
}

/// Reports automatic answers that are never used because an earlier one comes first.
fn hidden(automation: &HumanAutomation, report: &mut Report) {
    let accepts = automation.auto_accept.as_ref().filter(|accept| accept.value).map(|accept| accept.at);
    let rejects = automation.auto_reject.as_ref().map(|reject| reject.at);
    let judges = automation.judge.as_ref().map(|judge| judge.at);
    let mut hide = |at: Option<Origin>, by: Option<Origin>, message: &str, label: &str| {
        if let (Some(at), Some(by)) = (at, by) {
            report.push(
                Finding::new(at, message).label(label).help("keep one of the two").related(by, "this counts"),
            );
        }
    };
    hide(rejects, accepts, "the rejection never happens", "everything is approved at once");
    hide(judges, accepts, "the judge is never asked", "everything is approved at once");
    if accepts.is_none() {
        hide(judges, rejects, "the judge is never asked", "everything is rejected at once");
    }
}

fn timeout(node: &GraphNode, automation: &HumanAutomation, report: &mut Report) {
    let Some(meaning) = &automation.on_timeout else { return };
    if node.failure.timeout_ms.is_none() {
        report.push(
            Finding::new(meaning.at, "the node has no timeout")
                .label("it never means anything")
                .help("add the node's `timeout`, or leave this out"),
        );
        return;
    }
    let approves = automation.auto_accept.as_ref().is_some_and(|accept| accept.value);
    if automation.judge.is_none() && !approves {
        report.push_at(
            Severity::Hint,
            Finding::new(meaning.at, "the node cannot run into its timeout")
                .label("asking a person returns at once; only a judge takes time")
                .help("leave it out, or add a judge"),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn what_hides_what() {
        check_rule(
            "conflicting-automation",
            r#"
nodes:
  - {id: a, executorConfig: {type: human, autoAccept: true, autoReject: no money, judge: {provider: anthropic}}}
#                                                                       ^^^^^^^^ warning[conflicting-automation]: the rejection never happens
#                                                                                 ^^^^^ warning[conflicting-automation]: the judge is never asked
#                                                                                                   ^^^^^^^^^ error[conflicting-automation]: this provider has no default model for a judge
  - {id: b, executorConfig: {type: human, autoAccept: false, autoReject: true, judge: {model: m, provider: p}}}
#                                                                              ^^^^^ warning[conflicting-automation]: the judge is never asked
  - {id: c, executorConfig: {type: human, onTimeout: reject}, timeout: 5}
#                                                    ^^^^^^ hint[conflicting-automation]: the node cannot run into its timeout
  - {id: d, executorConfig: {type: human, judge: {}, onTimeout: reject}}
#                                                               ^^^^^^ warning[conflicting-automation]: the node has no timeout
  - {id: e, executorConfig: {type: human, autoAccept: true, onTimeout: accept}, timeout: 5}
edges:
"#,
        );
    }
}
