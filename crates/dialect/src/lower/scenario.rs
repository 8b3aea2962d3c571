//! Scripts, scenarios and evals as model.

mod answers;
mod eval;
mod expect;
mod host;

use nodewise_model::scenario::{Phase, RunLimits, Scenario, StartState, TargetNames, Turn};
use nodewise_model::{Body, Declaration, Located};
use smol_str::SmolStr;

use super::plain;
use crate::bind;
use crate::table::Kind;
use crate::tables::scenario::{EVAL_KIND, GRAPH, SCRIPT_KIND};
use crate::value::{Data, SpannedEntry, SpannedValue};

/// Converts a document to a declaration. Other documents cannot refer to it by name.
#[must_use]
pub fn declaration(kind: &'static Kind, value: &SpannedValue<'_>) -> Option<Declaration> {
    let is_script = kind.name == SCRIPT_KIND;
    let is_eval = kind.name == EVAL_KIND;
    let title = match (is_script, is_eval) {
        (true, _) => "script",
        (_, true) => "eval",
        _ => "scenario",
    };
    let scenario = Scenario {
        title: text(value, title),
        is_script,
        eval: is_eval.then(|| Box::new(eval::eval(value))),
        ..scenario(value)
    };
    let body = Body::Scenario(Box::new(scenario));
    Some(Declaration { kind: kind.name, name: None, head: value.head(), body })
}

/// Converts the keys that scenarios, scripts and the cases of evals have in common.
fn scenario(value: &SpannedValue<'_>) -> Scenario {
    Scenario {
        head: value.head(),
        title: None,
        is_script: false,
        uses: one_or_many(value, "uses"),
        target: target(value),
        start: start(value),
        answers: answers::answers(value),
        host: value.get("host").map(|host| host::host(&host.value)).unwrap_or_default(),
        limits: value.get("limits").map(|limits| run_limits(&limits.value)).unwrap_or_default(),
        seed: number(value, "seed").map(|seed| seed.value),
        phases: list(value, "then").iter().map(phase).collect(),
        expect: value.get("expect").map(|expect| expect::expectations(&expect.value)),
        judges: eval::judges(value),
        eval: None,
    }
}

fn target(value: &SpannedValue<'_>) -> TargetNames {
    let graph = value
        .get("graph")
        .and_then(|member| Some(bind::reference(member.value.as_text()?, &member.value, &GRAPH)));
    let alone = text(value, "only");
    TargetNames {
        file: text(value, "file"),
        graph,
        is_alone: alone.is_some(),
        node: alone.or_else(|| text(value, "start")),
    }
}

fn start(value: &SpannedValue<'_>) -> StartState {
    StartState {
        input: located(value, "input"),
        goal: text(value, "goal"),
        constraints: texts(value, "constraints"),
        memory: members(value, "memory").iter().map(keyed).collect(),
        turns: list(value, "turns").iter().map(turn).collect(),
        context: located(value, "context"),
        language: text(value, "language"),
        fallback_language: text(value, "fallback_language"),
    }
}

fn turn(value: &SpannedValue<'_>) -> Turn {
    match value.as_map() {
        Some(_) => Turn {
            input: value.get("input").map(|input| plain::value(&input.value)).unwrap_or_else(|| "".into()),
            context: value.get("context").map(|context| plain::value(&context.value)),
        },
        None => Turn { input: plain::value(value), context: None },
    }
}

fn run_limits(value: &SpannedValue<'_>) -> RunLimits {
    let amount = |key: &str| number(value, key).map(|number| number.value);
    RunLimits {
        visits: amount("visits"),
        time_ms: span(value, "time").map(|span| span.value),
        tokens: amount("tokens"),
        cost_usd: amount("cost"),
        depth: amount("depth"),
        fan_out: amount("fan_out"),
        events: amount("events"),
    }
}

fn phase(value: &SpannedValue<'_>) -> Phase {
    Phase {
        at: value.at,
        resume: text(value, "resume"),
        fork: text(value, "fork"),
        patch: value.get("patch").map(|patch| plain::value(&patch.value)),
        nodes: answers::of_nodes(value),
        expect: value.get("expect").map(|expect| expect::expectations(&expect.value)),
    }
}

/// A text under a key.
fn text(value: &SpannedValue<'_>, key: &str) -> Option<Located<SmolStr>> {
    located_text(&value.get(key)?.value)
}

fn located_text(value: &SpannedValue<'_>) -> Option<Located<SmolStr>> {
    Some(Located::new(SmolStr::new(value.as_text()?), value.at))
}

fn texts(value: &SpannedValue<'_>, key: &str) -> Vec<Located<SmolStr>> {
    list(value, key).iter().filter_map(located_text).collect()
}

fn one_or_many(value: &SpannedValue<'_>, key: &str) -> Vec<Located<SmolStr>> {
    let Some(member) = value.get(key) else { return Vec::new() };
    match member.value.as_list() {
        Some(items) => items.iter().filter_map(located_text).collect(),
        None => located_text(&member.value).into_iter().collect(),
    }
}

/// The value under a key, itself without inner places.
fn located(value: &SpannedValue<'_>, key: &str) -> Option<Located<nodewise_expr::value::Value>> {
    let member = value.get(key)?;
    Some(Located::new(plain::value(&member.value), member.value.at))
}

fn number(value: &SpannedValue<'_>, key: &str) -> Option<Located<f64>> {
    let value = &value.get(key)?.value;
    match value.data {
        Data::Number(number) => Some(Located::new(number, value.at)),
        _ => None,
    }
}

fn boolean(value: &SpannedValue<'_>, key: &str) -> Option<Located<bool>> {
    let value = &value.get(key)?.value;
    match value.data {
        Data::Bool(boolean) => Some(Located::new(boolean, value.at)),
        _ => None,
    }
}

fn list<'v, 't>(value: &'v SpannedValue<'t>, key: &str) -> &'v [SpannedValue<'t>] {
    value.get(key).and_then(|member| member.value.as_list()).unwrap_or_default()
}

fn members<'v, 't>(value: &'v SpannedValue<'t>, key: &str) -> &'v [SpannedEntry<'t>] {
    value.get(key).and_then(|member| member.value.as_map()).unwrap_or_default()
}

fn key(member: &SpannedEntry<'_>) -> Located<SmolStr> {
    Located::new(SmolStr::new(&member.key), member.key_at)
}

fn keyed(member: &SpannedEntry<'_>) -> (Located<SmolStr>, nodewise_expr::value::Value) {
    (key(member), plain::value(&member.value))
}

/// A duration in milliseconds, written as a number of milliseconds or as a text with a unit.
fn span(value: &SpannedValue<'_>, key: &str) -> Option<Located<f64>> {
    milliseconds(&value.get(key)?.value)
}

fn milliseconds(value: &SpannedValue<'_>) -> Option<Located<f64>> {
    let number = match &value.data {
        Data::Number(number) => *number,
        Data::Text(text) => span_of(text)?,
        _ => return None,
    };
    Some(Located::new(number, value.at))
}

/// Parses a duration with units, such as `1 h 30 min`, into milliseconds; `None` if it is not one.
#[must_use]
pub fn span_of(text: &str) -> Option<f64> {
    const UNITS: [(&str, f64); 5] = [("ms", 1.0), ("s", 1e3), ("min", 6e4), ("h", 3.6e6), ("d", 8.64e7)];
    let mut total = 0.0;
    let mut rest = text.trim();
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest.find(|character: char| !character.is_ascii_digit() && character != '.')?;
        let (number, behind) = rest.split_at(digits);
        let behind = behind.trim_start();
        let end = behind.find(|character: char| !character.is_ascii_alphabetic()).unwrap_or(behind.len());
        let (unit, next) = behind.split_at(end);
        let (_, factor) = UNITS.iter().find(|(name, _)| *name == unit)?;
        total += number.parse::<f64>().ok()? * factor;
        rest = next.trim_start();
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::span_of;

    #[test]
    fn spans() {
        assert_eq!(span_of("250 ms"), Some(250.0));
        assert_eq!(span_of("1.5s"), Some(1500.0));
        assert_eq!(span_of("1 h 30 min"), Some(5_400_000.0));
        assert_eq!(span_of("30 d"), Some(2_592_000_000.0));
        for wrong in ["", "5", "s", "5 weeks", "-1 s", "1..2 s", "1 s x", "größe"] {
            assert_eq!(span_of(wrong), None, "{wrong}");
        }
    }
}
