//! Who answers what.

use nodewise_model::Located;
use nodewise_model::scenario::{
    AnswerCondition, AnswerPart, Answers, Respondent, ScriptedAnswer, ScriptedCall, ScriptedError,
    ScriptedEvent, Times,
};
use smol_str::SmolStr;

use super::{boolean, key, keyed, list, located, members, milliseconds, number, plain, span, text};
use crate::tables::scenario::ALWAYS;
use crate::value::{Data, SpannedValue};

/// The sections in which the keys name who answers.
const BY_NAME: &[(&str, Respondent)] = &[
    ("agents", Respondent::Agent),
    ("nodes", Respondent::Node),
    ("tools", Respondent::Tool),
    ("functions", Respondent::Function),
    ("extensions", Respondent::Extension),
    ("servers", Respondent::Server),
    ("searches", Respondent::Search),
];

/// The sections for answers that have only one possible source.
const BY_THEMSELVES: &[(&str, Respondent)] = &[
    ("guardrails", Respondent::Guardrails),
    ("recall", Respondent::Recall),
    ("remember", Respondent::Remember),
    ("fitness", Respondent::Fitness),
];

/// Converts the answers of a document.
pub(super) fn answers(value: &SpannedValue<'_>) -> Answers {
    let mut parts = named(value, BY_NAME, None);
    for (section, subject) in BY_THEMSELVES {
        if let Some(member) = value.get(section) {
            let answers = several(&member.value);
            parts.push(AnswerPart { subject: *subject, name: None, graph: None, answers, at: member.key_at });
        }
    }
    for graph in members(value, "graphs") {
        parts.extend(named(&graph.value, BY_NAME, Some(key(graph))));
    }
    let decisions = value.get("people").map(|member| Located::new(several(&member.value), member.value.at));
    Answers { parts, decisions, otherwise: text(value, "otherwise") }
}

/// Converts only the answers of nodes.
pub(super) fn of_nodes(value: &SpannedValue<'_>) -> Vec<AnswerPart> {
    let nodes: Vec<(&str, Respondent)> =
        BY_NAME.iter().copied().filter(|(_, subject)| *subject == Respondent::Node).collect();
    named(value, &nodes, None)
}

fn named(
    value: &SpannedValue<'_>,
    sections: &[(&str, Respondent)],
    graph: Option<Located<SmolStr>>,
) -> Vec<AnswerPart> {
    let mut parts = Vec::new();
    for (section, subject) in sections {
        for member in members(value, section) {
            parts.push(AnswerPart {
                subject: *subject,
                name: Some(key(member)),
                graph: graph.clone(),
                answers: several(&member.value),
                at: member.key_at,
            });
        }
    }
    parts
}

/// One answer or a list of answers in order. An empty value gives none.
fn several(value: &SpannedValue<'_>) -> Vec<ScriptedAnswer> {
    match &value.data {
        Data::List(items) => items.iter().map(answer).collect(),
        Data::Null | Data::Unknown => Vec::new(),
        _ => vec![answer(value)],
    }
}

fn answer(value: &SpannedValue<'_>) -> ScriptedAnswer {
    let tokens = value.get("tokens").map(|member| &member.value);
    let input_tokens = tokens.and_then(|tokens| number(tokens, "input"));
    let output_tokens = tokens.and_then(|tokens| match tokens.data {
        Data::Number(count) => Some(Located::new(count, tokens.at)),
        _ => number(tokens, "output"),
    });
    let message = |key: &str| text(value, key).map(|text| text.value);
    ScriptedAnswer {
        at: value.at,
        when: condition(value),
        times: times(value),
        weight: number(value, "weight"),
        one_of: list(value, "one_of").iter().map(answer).collect(),
        short: value.as_map().is_none().then(|| plain::value(value)),
        text: text(value, "text"),
        value: located(value, "value"),
        calls: list(value, "calls").iter().filter_map(call).collect(),
        error: error(value),
        after_ms: span(value, "after"),
        input_tokens,
        output_tokens,
        cost_usd: number(value, "cost"),
        decision: text(value, "decision"),
        data: located(value, "data"),
        updates: members(value, "updates").iter().map(keyed).collect(),
        passed: boolean(value, "passed"),
        results: located(value, "results"),
        events: list(value, "events").iter().filter_map(event).collect(),
        state: text(value, "state"),
        artifacts: artifacts(value),
        message: message("message"),
        task: message("task"),
        context: value.get("context").map(|context| plain::value(&context.value)),
        result: located(value, "result"),
        patch: located(value, "patch"),
        keys: value.as_map().unwrap_or_default().iter().map(key).collect(),
    }
}

fn artifacts(value: &SpannedValue<'_>) -> Vec<(SmolStr, nodewise_expr::value::Value)> {
    members(value, "artifacts")
        .iter()
        .map(|member| (SmolStr::new(&member.key), plain::value(&member.value)))
        .collect()
}

fn condition(value: &SpannedValue<'_>) -> AnswerCondition {
    let Some(member) = value.get("when") else { return AnswerCondition::default() };
    if let Some(text) = member.value.as_text() {
        return AnswerCondition { prompt: Some(SmolStr::new(text)), ..AnswerCondition::default() };
    }
    let count = |key: &str| number(&member.value, key).map(|number| number.value as u32);
    AnswerCondition {
        prompt: text(&member.value, "prompt").map(|text| text.value),
        input: located(&member.value, "input").map(|input| input.value),
        attempt: count("attempt"),
        call: count("call"),
    }
}

fn times(value: &SpannedValue<'_>) -> Times {
    let times = value.get("times").map(|member| &member.value);
    match times.map(|times| &times.data) {
        Some(Data::Text(word)) if word == ALWAYS => Times::Always,
        // A number out of range is reported elsewhere.
        Some(Data::Number(count)) => Times::Count((*count as u32).max(1)),
        _ => Times::Count(1),
    }
}

fn call(value: &SpannedValue<'_>) -> Option<ScriptedCall> {
    let nothing = || nodewise_expr::value::Map::new().into();
    Some(ScriptedCall {
        tool: text(value, "tool")?,
        arguments: located(value, "arguments").map_or_else(nothing, |arguments| arguments.value),
        id: text(value, "id").map(|id| id.value),
        returns: located(value, "returns").map(|returns| returns.value),
        error: error(value),
    })
}

fn error(value: &SpannedValue<'_>) -> Option<ScriptedError> {
    let member = value.get("error")?;
    let short = |message: &str| ScriptedError {
        at: member.value.at,
        class: None,
        message: SmolStr::new(message),
        retryable: None,
        cause: None,
    };
    match &member.value.data {
        Data::Text(message) => Some(short(message)),
        Data::Map(_) => Some(ScriptedError {
            class: text(&member.value, "class").map(|class| class.value),
            retryable: boolean(&member.value, "retryable").map(|retryable| retryable.value),
            cause: text(&member.value, "cause").map(|cause| cause.value),
            ..short(
                text(&member.value, "message").map(|message| message.value).as_deref().unwrap_or_default(),
            )
        }),
        _ => None,
    }
}

fn event(value: &SpannedValue<'_>) -> Option<ScriptedEvent> {
    let name = text(value, "event")?.value;
    let after_ms = value.get("after").and_then(|after| milliseconds(&after.value));
    let data = value.as_map().unwrap_or_default().iter();
    let data = data
        .filter(|member| member.key != "event" && member.key != "after")
        .map(|member| (SmolStr::new(&member.key), plain::value(&member.value)));
    Some(ScriptedEvent {
        name,
        after_ms: after_ms.map_or(0.0, |after| after.value),
        data: data.collect::<nodewise_expr::value::Map>().into(),
    })
}
