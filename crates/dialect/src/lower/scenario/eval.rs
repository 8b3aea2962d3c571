//! Evals as model: cases, the models and prompts that are compared, judges.

use nodewise_model::Located;
use nodewise_model::scenario::{Eval, EvalJudge, JudgeQuestion, ModelChoice, PromptChoice, Scenario};
use smol_str::SmolStr;

use super::{key, list, located, located_text, members, number, scenario, text};
use crate::tables::scenario::PERCENT_TO_PASS;
use crate::value::SpannedValue;

pub(super) fn eval(value: &SpannedValue<'_>) -> Eval {
    Eval {
        cases: list(value, "cases").iter().filter(|case| case.as_map().is_some()).map(case).collect(),
        models: list(value, "models").iter().filter_map(model).collect(),
        prompts: members(value, "prompts")
            .iter()
            .map(|member| PromptChoice {
                name: key(member),
                texts: member
                    .value
                    .as_map()
                    .unwrap_or_default()
                    .iter()
                    .filter_map(|text| Some((key(text), located_text(&text.value)?)))
                    .collect(),
            })
            .collect(),
        repeat: number(value, "repeat").map_or(1, |repeat| repeat.value as u32).max(1),
        pass_rate: number(value, "pass_rate").map_or(PERCENT_TO_PASS, |rate| rate.value),
    }
}

pub(super) fn judges(value: &SpannedValue<'_>) -> Vec<EvalJudge> {
    list(value, "judges").iter().filter_map(judge).collect()
}

fn case(value: &SpannedValue<'_>) -> Scenario {
    Scenario { title: text(value, "case"), ..scenario(value) }
}

fn model(value: &SpannedValue<'_>) -> Option<ModelChoice> {
    if let Some(name) = located_text(value) {
        let model = Some(name.clone());
        return Some(ModelChoice { name, model, provider: None, agents: Vec::new() });
    }
    let agents = members(value, "agents").iter();
    Some(ModelChoice {
        name: text(value, "name")?,
        model: text(value, "model"),
        provider: text(value, "provider"),
        agents: agents
            .filter_map(|member| Some((key(member), SmolStr::new(member.value.as_text()?))))
            .collect(),
    })
}

fn judge(value: &SpannedValue<'_>) -> Option<EvalJudge> {
    let rubric = |text: Located<SmolStr>| JudgeQuestion::Rubric {
        text,
        model: word(value, "model"),
        provider: word(value, "provider"),
        at_least: number(value, "at_least").map_or(HALF, |score| score.value),
    };
    let question = match (text(value, "expression"), located(value, "schema")) {
        (Some(expression), _) => JudgeQuestion::Expression(expression),
        (None, Some(schema)) => JudgeQuestion::Schema(schema),
        (None, None) => rubric(text(value, "rubric").or_else(|| located_text(value))?),
    };
    Some(EvalJudge { at: value.at, name: text(value, "name"), of: text(value, "of"), question })
}

/// The default minimum score for a result to pass.
const HALF: f64 = 0.5;

fn word(value: &SpannedValue<'_>, key: &str) -> Option<SmolStr> {
    text(value, key).map(|word| word.value)
}
