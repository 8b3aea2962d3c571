//! ## What it does
//!
//! Reports scripted answers that can never be given: they stand behind an answer that always fits, chance never chooses
//! them, or they come with an error, which is given in their place.
//!
//! ## Why it matters
//!
//! Who wrote the answer expects it to be given.
//!
//! ## Example
//!
//! ```yaml expect=unusable-answer
//! #- /desk.script.yaml
//! script: The desk greets, then says goodbye.
//! nodes:
//!   desk:
//!     - {text: hello, times: always}
//!     - goodbye
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! #- /desk.script.yaml
//! script: The desk greets, then says goodbye.
//! nodes:
//!   desk:
//!     - hello
//!     - {text: goodbye, times: always}
//! ```

use nodewise_model::scenario::{AnswerCondition, ScriptedAnswer, Times};

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::scenario::scripted::scenarios;

pub(crate) static RULE: Rule = Rule {
    id: "unusable-answer",
    former: &[],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (scenario, _) in scenarios(context) {
        let parts =
            scenario.answers.parts.iter().chain(scenario.phases.iter().flat_map(|phase| &phase.nodes));
        for part in parts {
            behind_another(&part.answers, report);
            for answer in &part.answers {
                never_chosen(answer, report);
                beside_an_error(answer, report);
            }
        }
        for answer in scenario.answers.decisions.iter().flat_map(|decisions| &decisions.value) {
            never_chosen(answer, report);
        }
    }
}

/// Reports answers that are never given because an earlier answer always comes first.
fn behind_another(answers: &[ScriptedAnswer], report: &mut Report) {
    for (position, answer) in answers.iter().enumerate() {
        let before = answers.iter().take(position);
        let always = before.filter(|before| before.times == Times::Always);
        let Some(hiding) = always.into_iter().find(|before| covers(&before.when, &answer.when)) else {
            continue;
        };
        report.push(
            Finding::new(answer.at, "this answer is never given")
                .label("an earlier answer always matches first")
                .related(hiding.at, "this one is given `always`")
                .help("put it first, or say with `when` what it is for"),
        );
    }
}

/// Whether every question that fits `narrow` also fits `wide`.
fn covers(wide: &AnswerCondition, narrow: &AnswerCondition) -> bool {
    fn part<T: PartialEq>(wide: &Option<T>, narrow: &Option<T>) -> bool {
        wide.is_none() || wide == narrow
    }
    part(&wide.prompt, &narrow.prompt)
        && part(&wide.input, &narrow.input)
        && part(&wide.attempt, &narrow.attempt)
        && part(&wide.call, &narrow.call)
}

fn never_chosen(answer: &ScriptedAnswer, report: &mut Report) {
    for choice in &answer.one_of {
        if let Some(weight) = choice.weight.as_ref().filter(|weight| weight.value == 0.0) {
            report.push(Finding::new(weight.at, "an answer with weight 0 is never chosen"));
        }
    }
}

/// Reports answer values that are ignored because the same answer is an error.
fn beside_an_error(answer: &ScriptedAnswer, report: &mut Report) {
    answer.one_of.iter().for_each(|choice| beside_an_error(choice, report));
    if answer.error.is_none() {
        return;
    }
    let said = [
        answer.text.as_ref().map(|text| text.at),
        answer.value.as_ref().map(|value| value.at),
        answer.calls.first().map(|call| call.tool.at),
        answer.decision.as_ref().map(|decision| decision.at),
    ];
    for at in said.into_iter().flatten() {
        report.push(
            Finding::new(at, "this is never answered")
                .label("the answer is an error, which is given in its place")
                .help("leave one of them out, or make them two answers in a list"),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn behind_another_and_without_weight() {
        check_rule(
            "unusable-answer",
            r"
#- /a.script.yaml
script: Answers.
tools:
  fetch:
    - {value: 1, when: {input: {id: 7}}, times: always}
    - {value: 2, when: {input: {id: 7}, attempt: 2}}
#     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[unusable-answer]: this answer is never given
    - {value: 3, when: {input: {id: 8}}}
    - {value: 4, times: always}
  send: {value: 5, error: down}
#               ^ warning[unusable-answer]: this is never answered
nodes:
  a: {one_of: [{text: x, weight: 0}, {text: y, weight: 2}]}
#                                ^ warning[unusable-answer]: an answer with weight 0 is never chosen
",
        );
    }
}
