//! What a scenario expects, compared with a run.
//!
//! Input: a recording and expectations; output: what does not hold, in the order in which people ask: how it ended, which
//! path, what it left behind, what it asked and used. Invariant: each expectation is checked, whatever else fails.

use std::collections::BTreeSet;

use nodewise_engine::event::ScopeId;
use nodewise_engine::fold::States;
use nodewise_engine::outcome::Status;
use nodewise_engine::time::Millis;
use nodewise_expr::value::{Map, Value};
use nodewise_model::scenario::{AmountBounds, Expectations, ExpectedError};
use nodewise_model::{Located, Origin};
use smol_str::{SmolStr, format_smolstr};

use super::Mismatch;
use super::asked;
use super::path::{RunPath, VisitStep, aligned, common};
use super::values::{Difference, Extent, differences};
use crate::chart::{Places, SourceLocation};
use crate::recording::Recording;
use crate::render::in_words;
use crate::system::RunnableSystem;
use crate::words;

/// The expectations of a run that do not hold. `head` is the place to report if nothing is expected.
pub(super) fn mismatches(
    recording: &Recording,
    expect: Option<&Expectations>,
    head: Origin,
    places: &mut Places<'_>,
) -> Vec<Mismatch> {
    let nothing = Expectations::default();
    let expect = expect.unwrap_or(&nothing);
    let mut judge = Judge { recording, places, path: RunPath::of(recording), found: Vec::new() };
    judge.status(expect, head);
    if let Some(error) = &expect.error {
        judge.error(error);
    }
    judge.path(expect);
    if let Some(next) = &expect.next {
        judge.next(next);
    }
    judge.state(expect);
    if let Some(output) = &expect.output {
        let differ = differences("output", &output.value, &recording.outcome.output, Extent::Whole);
        judge.differ(differ, output.at);
    }
    for calls in &expect.calls {
        if let Some(mismatch) = asked::mismatch(calls, recording) {
            judge.put(mismatch, calls.name.at);
        }
    }
    judge.amounts(expect);
    judge.found
}

struct Judge<'j, 's> {
    recording: &'j Recording,
    places: &'j mut Places<'s>,
    path: RunPath<'j>,
    found: Vec<Mismatch>,
}

impl Judge<'_, '_> {
    fn put(&mut self, mismatch: Mismatch, at: Origin) {
        let at = self.places.find(at);
        self.found.push(Mismatch { at, ..mismatch });
    }

    fn status(&mut self, expect: &Expectations, head: Origin) {
        let usual = (expect.error.is_none()).then_some(Status::Completed.word());
        let expected = expect.status.as_ref().map(|status| status.value.as_str()).or(usual);
        let outcome = &self.recording.outcome;
        let Some(expected) = expected.filter(|expected| *expected != outcome.status.word()) else { return };
        let mut mismatch =
            Mismatch::new("status", format!("the run ended as {}, expected {expected}", in_words(outcome)));
        mismatch.expected = expected.into();
        mismatch.found = outcome.status.word().into();
        mismatch.node = self.last_place();
        let at = expect.status.as_ref().map(|status| status.at).or(expect.at);
        self.put(mismatch, at.unwrap_or(head));
    }

    fn error(&mut self, error: &ExpectedError) {
        let failure = self.recording.outcome.failure.as_ref();
        let fits = failure.is_some_and(|failure| {
            let class = error.class.as_ref().is_none_or(|class| *class == failure.class);
            class && error.message.as_ref().is_none_or(|part| failure.message.contains(part.as_str()))
        });
        if fits {
            return;
        }
        let class = error.class.iter().map(|class| format!("`{class}`"));
        let message =
            error.message.iter().map(|part| format!("a message that contains {}", words::quoted(part)));
        let wanted: Vec<String> = class.chain(message).collect();
        let found = match failure {
            Some(failure) => format!("the run failed with {failure}"),
            None => format!("the run ended as {}", in_words(&self.recording.outcome)),
        };
        let text = format!("{found}, expected the error {}", wanted.join(" and "));
        let mut mismatch = Mismatch::new("error", text);
        mismatch.expected = error.class.clone().or(error.message.clone()).map_or(Value::Null, Value::Text);
        mismatch.found = failure.map_or(Value::Null, |failure| Value::Text(failure.class.clone()));
        mismatch.node = self.last_place();
        self.put(mismatch, error.at);
    }

    /// The place where a run failed or stopped.
    fn last_place(&self) -> Option<SourceLocation> {
        let last = || self.path.steps.last().and_then(|step| self.path.place(step.visit));
        self.recording.failure_place().or_else(last)
    }

    fn path(&mut self, expect: &Expectations) {
        if let Some(path) = &expect.path {
            self.exactly(path);
        }
        self.in_order(&expect.in_order);
        for name in &expect.includes {
            if !self.path.steps.iter().any(|step| step.is_called(&name.value)) {
                self.put(Mismatch::new("path", format!("`{}` was not visited", name.value)), name.at);
            }
        }
        for name in &expect.excludes {
            let Some(position) = self.path.steps.iter().position(|step| step.is_called(&name.value)) else {
                continue;
            };
            let before = position.checked_sub(1).and_then(|before| self.path.steps.get(before)).cloned();
            let after = before.as_ref().map(|before| format!(" after `{}`", before.label));
            let text = format!("`{}` was visited{}", name.value, after.unwrap_or_default());
            let mismatch = self.after(Mismatch::new("path", text), before.as_ref());
            self.put(mismatch, name.at);
        }
    }

    fn exactly(&mut self, path: &Located<Vec<Located<SmolStr>>>) {
        let expected: Vec<SmolStr> = path.value.iter().map(|name| name.value.clone()).collect();
        let steps = self.path.main();
        let same = common(&expected, &steps);
        if same == expected.len() && same == steps.len() {
            return;
        }
        let before = same.checked_sub(1).and_then(|before| steps.get(before)).map(|step| (*step).clone());
        let next = |name: Option<&SmolStr>| name.map_or("the end".to_owned(), |name| format!("`{name}`"));
        let (wanted, found) = (next(expected.get(same)), next(steps.get(same).map(|step| &step.label)));
        let begins = || "the path begins with".to_owned();
        let after = before.as_ref().map_or_else(begins, |before| format!("after `{}` comes", before.label));
        let mut mismatch = Mismatch::new("path", format!("{after} {found}, expected {wanted}"));
        mismatch.difference = aligned(&expected, &steps);
        mismatch.expected = expected.iter().cloned().map(Value::Text).collect();
        mismatch.found = steps.iter().map(|step| Value::Text(step.label.clone())).collect();
        // Report the first name that was not reached, because it is closer than the whole list.
        let at = path.value.get(same).map_or(path.at, |name| name.at);
        let mismatch = self.after(mismatch, before.as_ref());
        self.put(mismatch, at);
    }

    fn in_order(&mut self, names: &[Located<SmolStr>]) {
        let mut steps = self.path.steps.iter();
        let mut before: Option<&Located<SmolStr>> = None;
        let mut last: Option<VisitStep> = None;
        for name in names {
            match steps.find(|step| step.is_called(&name.value)) {
                Some(step) => last = Some(step.clone()),
                None => {
                    let after = before.map(|before| format!(" after `{}`", before.value)).unwrap_or_default();
                    let text = format!("`{}` was not visited{after}", name.value);
                    let mut mismatch = self.after(Mismatch::new("path", text), last.as_ref());
                    let expected: Vec<SmolStr> = names.iter().map(|name| name.value.clone()).collect();
                    mismatch.found =
                        self.path.steps.iter().map(|step| Value::Text(step.label.clone())).collect();
                    let path: Vec<&VisitStep> = self.path.steps.iter().collect();
                    let lines = aligned(&expected, &path);
                    mismatch.expected = expected.into_iter().map(Value::Text).collect();
                    mismatch.difference.splice(0..0, lines);
                    self.put(mismatch, name.at);
                    return;
                }
            }
            before = Some(name);
        }
    }

    /// Checks where the last visit leads, in any order.
    fn next(&mut self, next: &Located<Vec<Located<SmolStr>>>) {
        let expected: BTreeSet<SmolStr> =
            next.value.iter().map(|name| self.path.label_of(&name.value)).collect();
        let found = self.path.next();
        if expected == found.iter().cloned().collect() {
            return;
        }
        let listed = |names: &mut dyn Iterator<Item = &SmolStr>| {
            let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
            if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
        };
        let last = self.path.main().last().map(|step| (*step).clone());
        let leads = match &last {
            Some(last) => format!("`{}` leads to", last.label),
            None => "the run leads to".to_owned(),
        };
        let (found_words, wanted) = (listed(&mut found.iter()), listed(&mut expected.iter()));
        let mut mismatch = Mismatch::new("next", format!("{leads} {found_words}, expected {wanted}"));
        mismatch.expected = expected.into_iter().map(Value::Text).collect();
        mismatch.found = found.into_iter().map(Value::Text).collect();
        let mismatch = self.after(mismatch, last.as_ref());
        self.put(mismatch, next.at);
    }

    /// Adds to a mismatch why the run continued as it did after a visit.
    fn after(&self, mut mismatch: Mismatch, before: Option<&VisitStep>) -> Mismatch {
        match before {
            Some(before) => {
                mismatch.node = self.path.place(before.visit);
                mismatch.difference.extend(self.path.reasons(before.visit));
            }
            None => mismatch.node = self.path.steps.first().and_then(|step| self.path.place(step.visit)),
        }
        mismatch
    }

    fn state(&mut self, expect: &Expectations) {
        if expect.state.is_empty() && expect.whole_state.is_none() {
            return;
        }
        let state = final_state(self.recording);
        for (key, expected) in &expect.state {
            let found = member(&state, &key.value, self.recording.system);
            let path = format!("state.{}", key.value);
            self.differ(differences(&path, &expected.value, &found, Extent::Members), key.at);
        }
        if let Some(whole) = &expect.whole_state {
            let found = Value::Map(state.into());
            self.differ(differences("state", &whole.value, &found, Extent::Whole), whole.at);
        }
    }

    fn differ(&mut self, all: Vec<Difference>, at: Origin) {
        for Difference { path, expected, found } in all {
            let text = match (&expected, &found) {
                (_, Value::Undefined) => format!("is missing, expected {}", words::value(&expected)),
                (Value::Undefined, _) => format!("is {}, expected nothing", words::value(&found)),
                _ => format!("is {}, expected {}", words::value(&found), words::value(&expected)),
            };
            let node = self.writer(&path);
            let mismatch =
                Mismatch { expected, found, node, ..Mismatch::new(path.clone(), format!("`{path}` {text}")) };
            self.put(mismatch, at);
        }
    }

    /// The node that wrote a member of the state last.
    fn writer(&self, path: &str) -> Option<SourceLocation> {
        let path = path.strip_prefix("state.")?;
        let is_written = |key: &str| {
            let name = key.split_once('.').map_or(key, |(_, name)| name);
            [key, name].iter().any(|key| {
                path.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
            })
        };
        let visit = self.recording.events.iter().rev().find_map(|event| match &event.kind {
            nodewise_engine::event::EventKind::Wrote { visit: Some(visit), key, .. } if is_written(key) => {
                Some(*visit)
            }
            _ => None,
        })?;
        self.path.place(visit)
    }

    fn amounts(&mut self, expect: &Expectations) {
        let spent = self.recording.spent;
        let time = |amount: f64| words::time(Millis::from_f64(amount));
        let plain = |amount: f64| words::amount(amount);
        self.amount("cost", expect.cost_usd, spent.cost_usd, |amount| {
            format!("{} USD", words::amount(amount))
        });
        self.amount("tokens", expect.tokens, spent.tokens(), plain);
        self.amount("time", expect.time_ms, self.recording.time.0 as f64, time);
        self.amount("visits", expect.visits, self.path.steps.len() as f64, plain);
    }

    fn amount(
        &mut self,
        name: &str,
        bounds: Option<AmountBounds>,
        found: f64,
        shown: impl Fn(f64) -> String,
    ) {
        let Some(bounds) = bounds else { return };
        let (wanted, limit) = match (bounds.at_least, bounds.at_most) {
            (Some(least), _) if found < least => ("at least", least),
            (_, Some(most)) if found > most => ("at most", most),
            _ => return,
        };
        let text = format!("{name}: {}, expected {wanted} {}", shown(found), shown(limit));
        let mut mismatch = Mismatch::new(SmolStr::new(name), text);
        (mismatch.expected, mismatch.found) = (Value::Number(limit), Value::Number(found));
        self.put(mismatch, bounds.at);
    }
}

/// The state that the last run of a main graph left behind.
pub(super) fn final_state(recording: &Recording) -> Map {
    let states = States::after(&recording.events);
    let path = RunPath::of(recording);
    let last = path.last_main_scope().unwrap_or(ScopeId(0));
    let Some(state) = states.of(last) else { return Map::new() };
    recording.system.final_state(state)
}

/// A member of a state: by the key itself, along a dotted path, or with one of the system's prefixes.
pub(super) fn member(state: &Map, key: &str, system: RunnableSystem) -> Value {
    let keys = system.key_prefixes().iter().map(|prefix| format_smolstr!("{prefix}{key}"));
    keys.into_iter().find_map(|key| walked(state, &key)).unwrap_or(Value::Undefined)
}

fn walked(state: &Map, key: &str) -> Option<Value> {
    if let Some(value) = state.get(key) {
        return Some(value.clone());
    }
    // The longest key that exists is taken, so that keys may contain dots.
    let points: Vec<usize> = key.match_indices('.').map(|(at, _)| at).collect();
    points.into_iter().rev().find_map(|at| match (state.get(key.get(..at)?), key.get(at + 1..)) {
        (Some(Value::Map(inner)), Some(rest)) => walked(inner, rest),
        _ => None,
    })
}

impl Mismatch {
    pub(super) fn new(subject: impl Into<SmolStr>, message: String) -> Mismatch {
        Mismatch {
            subject: subject.into(),
            message,
            difference: Vec::new(),
            expected: Value::Undefined,
            found: Value::Undefined,
            at: None,
            node: None,
        }
    }
}
