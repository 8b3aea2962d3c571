//! How often an agent, a tool or a person was asked, and what, compared with what is expected.
//!
//! Input: an expectation and a recording; output: how they differ. Invariant: someone is identified by the own name (of a
//! tool, an agent, a function) or by that of the node that asks.

use nodewise_engine::ask::{Ask, Question};
use nodewise_engine::event::EventKind;
use nodewise_expr::value::Value;
use nodewise_model::scenario::ExpectedCalls;
use smol_str::{SmolStr, format_smolstr};

use super::Mismatch;
use super::values::{Extent, differences, matches};
use crate::recording::{LogIndex, Recording};
use crate::words;

/// The maximum number of calls that are shown.
const CALLS_SHOWN: usize = 12;

pub(super) fn mismatch(expected: &ExpectedCalls, recording: &Recording) -> Option<Mismatch> {
    let name = &expected.name.value;
    let mut cast = LogIndex::default();
    let mut asks: Vec<&Ask> = Vec::new();
    let mut last = None;
    for event in &recording.events {
        cast.apply(event);
        let EventKind::Asked { visit, what, .. } = &event.kind else { continue };
        let node = cast.node(&recording.charts, *visit);
        if is_meant(name, what) || node.is_some_and(|node| node.label == *name) {
            asks.push(what);
            last = node.and_then(|node| node.place.clone());
        }
    }
    let wanted = expected.count.as_ref().map(|count| count.value);
    let arguments = expected.arguments.as_ref().map(|arguments| arguments.value.as_slice());
    let count = wanted.or_else(|| arguments.map(|arguments| arguments.len() as f64));
    let subject = format_smolstr!("calls.{name}");
    if let Some(count) = count.filter(|count| *count != asks.len() as f64) {
        let times = |count: f64| if count == 1.0 { "once".to_owned() } else { format!("{count} times") };
        let text = format!("`{name}` was called {}, expected {}", times(asks.len() as f64), times(count));
        let lines = asks.iter().take(CALLS_SHOWN).map(|ask| format!("+ {}", words::value(&given(&ask.what))));
        return Some(Mismatch {
            difference: lines.collect(),
            expected: Value::Number(count),
            found: Value::Number(asks.len() as f64),
            node: last,
            ..Mismatch::new(subject, text)
        });
    }
    let pairs = arguments.unwrap_or_default().iter().zip(&asks).enumerate();
    let (position, (wanted, ask)) = pairs.into_iter().find(|(_, (wanted, ask))| !fits(wanted, &ask.what))?;
    let found = given(&ask.what);
    let differ = differences("", wanted, &found, Extent::Members);
    let lines = differ.iter().flat_map(|one| {
        let path = if one.path.is_empty() { String::new() } else { format!("{}: ", one.path) };
        let minus = format!("- {path}{}", words::value(&one.expected));
        [minus, format!("+ {path}{}", words::value(&one.found))]
    });
    Some(Mismatch {
        difference: lines.collect(),
        expected: wanted.clone(),
        found: found.clone(),
        node: last,
        ..Mismatch::new(subject, format!("call {} of `{name}` has different arguments", position + 1))
    })
}

/// Whether this is the given input; of a model's prompt, a part is enough.
fn fits(wanted: &Value, question: &Question) -> bool {
    match (wanted, question) {
        (Value::Text(part), Question::Model(model)) => model.prompt_text().contains(part.as_str()),
        _ => matches(wanted, &given(question), Extent::Members),
    }
}

/// Whether the name means who is asked.
fn is_meant(name: &str, ask: &Ask) -> bool {
    let own: SmolStr = match &ask.what {
        Question::Model(model) => model.agent.clone(),
        Question::Tool(tool) => tool.tool.clone(),
        Question::Function(function) => function.path.clone(),
        Question::Extension(asked) => format_smolstr!("{}.{}", asked.extension, asked.method),
        Question::Remote(remote) => remote.server.clone(),
        Question::Discovery(discovery) => discovery.query.clone(),
        question => question.noun().into(),
    };
    own == name || ask.node == name
}

/// The given input.
fn given(question: &Question) -> Value {
    match question {
        Question::Model(model) => Value::from(model.prompt_text().as_str()),
        Question::Tool(tool) => tool.arguments.clone(),
        Question::Function(function) => function.input.clone(),
        Question::Extension(asked) => asked.input.clone(),
        Question::Human(human) => Value::Text(human.prompt.clone()),
        Question::Guardrail(guardrail) => guardrail.content.clone(),
        Question::Discovery(discovery) => Value::Text(discovery.query.clone()),
        Question::Recall(recall) => recall.text.clone().map_or(Value::Null, Value::Text),
        Question::Remember(facts) => facts.clone(),
        Question::Remote(remote) => remote.input.clone(),
        Question::Fitness(candidate) => candidate.clone(),
        Question::Session(session) => Value::Text(session.mode.clone()),
    }
}
