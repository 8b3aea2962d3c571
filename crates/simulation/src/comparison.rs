//! Two runs side by side: each as a text in the same order, and what differs between them.
//!
//! Input: two recordings; output: texts for a view that shows differences, and the differences in words. Invariant: what two runs
//! have in common is the same lines in both texts, whatever ran side by side with it.

mod steps;

use std::collections::BTreeMap;

use nodewise_engine::event::ScopeId;
use nodewise_engine::usage::Usage;
use nodewise_expr::json::to_json_with_marks;
use nodewise_expr::value::{Map, Value};
use serde_json::Value as Json;
use smol_str::SmolStr;

use crate::log_moments::LogTotals;
use crate::recording::Recording;
use crate::render::{in_words, money, time};
use crate::words;
use steps::{ComparedStep, steps_of};

/// Two runs side by side.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The first run as text.
    pub first: String,
    /// The second run as text.
    pub second: String,
    /// What differs, the most important first.
    pub differences: Vec<RunDifference>,
}

/// A difference between two runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunDifference {
    /// Which part of the runs differs.
    pub part: ComparedPart,
    /// The difference in words.
    pub text: String,
}

/// A part of runs that is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComparedPart {
    /// How they ended.
    Outcome,
    /// The visited nodes, in order.
    Path,
    /// What nodes asked: prompts, arguments of tools.
    Prompts,
    Answers,
    /// The state at the end.
    State,
    /// Tokens and money.
    Cost,
    /// How long they took.
    Time,
}

/// A recording, read for a comparison.
struct Side<'r> {
    recording: &'r Recording,
    steps: Vec<ComparedStep>,
    state: Map,
}

/// The maximum number of names in a sentence.
const NAMES_SHOWN: usize = 3;

impl ComparedPart {
    /// Its name in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            ComparedPart::Outcome => "outcome",
            ComparedPart::Path => "path",
            ComparedPart::Prompts => "prompts",
            ComparedPart::Answers => "answers",
            ComparedPart::State => "state",
            ComparedPart::Cost => "cost",
            ComparedPart::Time => "time",
        }
    }
}

/// Compares two runs.
#[must_use]
pub fn compare(first: &Recording, second: &Recording) -> Comparison {
    let (first, second) = (Side::of(first), Side::of(second));
    let found = [
        (ComparedPart::Outcome, outcomes(&first, &second)),
        (ComparedPart::Path, paths(&first, &second)),
        (ComparedPart::Prompts, exchanges(&first, &second, |step| &step.questions, "asked")),
        (ComparedPart::Answers, exchanges(&first, &second, |step| &step.answers, "answered")),
        (ComparedPart::State, states(&first.state, &second.state)),
        (ComparedPart::Cost, costs(&first, &second)),
        (ComparedPart::Time, times(&first, &second)),
    ];
    let differences = found.into_iter().filter_map(|(part, text)| Some(RunDifference { part, text: text? }));
    Comparison { first: first.text(), second: second.text(), differences: differences.collect() }
}

impl Side<'_> {
    fn of(recording: &Recording) -> Side<'_> {
        let mut totals = LogTotals::default();
        recording.events.iter().for_each(|event| totals.apply(event));
        let state = totals.states.of(ScopeId::default()).map(|state| Map::clone(state)).unwrap_or_default();
        Side { recording, steps: steps_of(recording), state }
    }

    /// The run as text: its end, its cost, its path, its steps, its state, its output.
    fn text(&self) -> String {
        let Side { recording, .. } = self;
        let mut out = String::new();
        head(&mut out, "Outcome");
        lines(&mut out, 1, &in_words(&recording.outcome));
        head(&mut out, "Cost");
        lines(&mut out, 1, &words::usage(&recording.spent).unwrap_or_else(|| "nothing".to_owned()));
        head(&mut out, "Path");
        for step in &self.steps {
            lines(&mut out, 1 + step.depth, &step.name());
        }
        for step in &self.steps {
            head(&mut out, &step.title());
            step.lines.iter().for_each(|(depth, text)| lines(&mut out, 1 + depth, text));
        }
        head(&mut out, "State at the end");
        for (key, value) in self.state.iter() {
            value_lines(&mut out, key, value);
        }
        // The output of some systems is the whole state and more, so it comes last.
        if !matches!(recording.outcome.output, Value::Null | Value::Undefined) {
            head(&mut out, "Output");
            lines(&mut out, 1, &shown(&recording.outcome.output));
        }
        out
    }

    /// The steps by their node, and by how often it was visited before.
    fn by_visit(&self) -> BTreeMap<(SmolStr, SmolStr, usize), &ComparedStep> {
        let mut counts: BTreeMap<(SmolStr, SmolStr), usize> = BTreeMap::new();
        let keyed = self.steps.iter().map(|step| {
            let count = counts.entry((step.graph.clone(), step.node.clone())).or_default();
            *count += 1;
            ((step.graph.clone(), step.node.clone(), *count), step)
        });
        keyed.collect()
    }
}

fn outcomes(first: &Side<'_>, second: &Side<'_>) -> Option<String> {
    let of = |side: &Side<'_>| in_words(&side.recording.outcome);
    if of(first) != of(second) {
        return Some(format!("{}, then {}", of(first), of(second)));
    }
    let output = |side: &Side<'_>| to_json_with_marks(&side.recording.outcome.output);
    (output(first) != output(second)).then(|| "the outputs differ".to_owned())
}

fn paths(first: &Side<'_>, second: &Side<'_>) -> Option<String> {
    let is_same = |one: &ComparedStep, other: &ComparedStep| {
        (&one.graph, &one.node, one.depth) == (&other.graph, &other.node, other.depth)
    };
    let common = first.steps.iter().zip(&second.steps).take_while(|(one, other)| is_same(one, other)).count();
    let number = common + 1;
    match (first.steps.get(common), second.steps.get(common)) {
        (None, None) => None,
        (Some(one), Some(other)) => {
            Some(format!("step {number} is `{}`, then `{}`", one.name(), other.name()))
        }
        (Some(one), None) => Some(format!("only the first run has step {number}, `{}`", one.name())),
        (None, Some(other)) => Some(format!("only the second run has step {number}, `{}`", other.name())),
    }
}

/// The differences in questions and answers between visits of the same node.
fn exchanges(
    first: &Side<'_>,
    second: &Side<'_>,
    of: impl Fn(&ComparedStep) -> &Vec<Json>,
    verb: &str,
) -> Option<String> {
    let others = second.by_visit();
    let differing = first.by_visit().into_iter().filter_map(|(key, step)| {
        let other = others.get(&key)?;
        (of(step) != of(other)).then(|| step.name())
    });
    named(differing).map(|names| format!("{verb} differently at {names}"))
}

fn states(first: &Map, second: &Map) -> Option<String> {
    let differs = |key: &SmolStr| {
        let of = |state: &Map| state.get(key).map(to_json_with_marks);
        of(first) != of(second)
    };
    let keys = first.iter().chain(second.iter().filter(|(key, _)| first.get(key).is_none()));
    let differing = keys.filter(|(key, _)| differs(key)).map(|(key, _)| key.to_string());
    named(differing).map(|names| format!("other values of {names}"))
}

fn costs(first: &Side<'_>, second: &Side<'_>) -> Option<String> {
    let (one, other) = (&first.recording.spent, &second.recording.spent);
    let dollars = |usage: &Usage| money(usage.cost_usd);
    let mut parts = Vec::new();
    if one.tokens() != other.tokens() {
        parts.push(format!("{} tokens, then {}", one.tokens(), other.tokens()));
    }
    if dollars(one) != dollars(other) {
        parts.push(format!("${}, then ${}", dollars(one), dollars(other)));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

fn times(first: &Side<'_>, second: &Side<'_>) -> Option<String> {
    let (one, other) = (first.recording.time, second.recording.time);
    (one != other).then(|| format!("{}, then {}", time(one), time(other)))
}

/// The first names in backticks, and how many more there are. `None` if there are no names.
fn named(names: impl Iterator<Item = String>) -> Option<String> {
    let mut names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    names.dedup();
    if names.is_empty() {
        return None;
    }
    let more = names.len().saturating_sub(NAMES_SHOWN);
    names.truncate(NAMES_SHOWN);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    Some(format!("{}{rest}", names.join(", ")))
}

fn head(out: &mut String, title: &str) {
    if !out.is_empty() {
        out.push('\n');
    }
    out.push_str(title);
    out.push('\n');
}

/// The lines of a text, indented.
fn lines(out: &mut String, depth: usize, text: &str) {
    for line in text.lines() {
        out.push_str(format!("{}{line}", "  ".repeat(depth)).trim_end());
        out.push('\n');
    }
}

fn value_lines(out: &mut String, key: &str, value: &Value) {
    let text = shown(value);
    match text.contains('\n') {
        true => {
            lines(out, 1, &format!("{key}:"));
            lines(out, 2, &text);
        }
        false => lines(out, 1, &format!("{key}: {text}")),
    }
}

/// A text stays as it is. Any other value becomes JSON with a line for each part.
fn shown(value: &Value) -> String {
    match value {
        Value::Text(text) => text.to_string(),
        value => format!("{:#}", to_json_with_marks(value)),
    }
}
