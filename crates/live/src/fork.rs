//! A new run that begins with the answers of a recorded one.
//!
//! Input: a stored run, the name of a step or node of it. Output: where the two part. Invariant: the recorded run stays as it is.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail};
use nodewise_engine::event::{AskId, VisitId};
use nodewise_engine::outcome::Status;
use nodewise_expr::json::to_json;
use nodewise_expr::value::Map;
use nodewise_model::scenario::RunLimits;
use serde_json::Value as Json;
use smol_str::SmolStr;

use crate::driver::{Differing, Recall, Recalled};
use crate::store::{RunOrigin, RunStatus, Stored};
use crate::{reopen, restore};

/// A new run that begins with the answers of a recorded run.
#[derive(Debug, Clone)]
pub struct Fork<'f> {
    /// The recorded run.
    pub from: &'f Stored,
    /// Where the new run parts from the recorded one.
    pub point: ForkPoint,
    /// Changes of the state, which the new run gets before the step at which the runs part.
    pub changes: Map,
}

/// Where a new run parts from a recorded one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ForkPoint {
    /// The step from which everything is asked again. If it is `None`, everything that is asked in the same words is taken over.
    pub step: Option<RecordedStep>,
    /// The question from which everything is asked again. It is the question that failed, if the recorded run failed.
    pub again_from: Option<AskId>,
}

/// A step of a recorded run: a visit of a node.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedStep {
    pub visit: VisitId,
    pub node: SmolStr,
}

impl ForkPoint {
    /// Finds where a new run parts: at a step by its number, from 1; at the last visit of a node; or, without a name, where the
    /// recorded run failed.
    ///
    /// # Errors
    /// Where the run has no such step or node.
    pub fn find(stored: &Stored, name: Option<&str>, limits: &RunLimits) -> Result<ForkPoint> {
        let Some(name) = name else { return ForkPoint::of_failure(stored, limits) };
        let steps = steps(stored);
        let number = name.parse::<usize>().ok();
        let found = match number {
            Some(number) => number.checked_sub(1).and_then(|position| steps.get(position)),
            None => steps.iter().rev().find(|step| step.node == name || short(&step.node) == name),
        };
        let Some(step) = found else {
            let run = &stored.id;
            let what = match number {
                Some(number) => format!("step {number}"),
                None => format!("node `{name}` among its steps"),
            };
            bail!(
                "the run `{run}` has no {what}\n  help: `nodewise runs show {run} --format steps` lists its steps"
            );
        };
        Ok(ForkPoint { step: Some(step.clone()), again_from: None })
    }

    /// Finds the step that an event belongs to. `event` is a position from 0.
    ///
    /// # Errors
    /// Where the run has no such event, or no step began before it.
    pub fn at_event(stored: &Stored, event: usize) -> Result<ForkPoint> {
        let events: Vec<&Json> = stored.events.iter().map(|stored| &stored.event).collect();
        let number = |event: &Json, key: &str| event.get(key).and_then(Json::as_u64);
        let is = |event: &Json, word: &str| event.get("event").and_then(Json::as_str) == Some(word);
        let before = events.get(..=event).unwrap_or_default();
        let asker = |ask: u64| {
            let asked = before.iter().find(|event| is(event, "asked") && number(event, "ask") == Some(ask));
            asked.and_then(|asked| number(asked, "visit"))
        };
        let last = || before.iter().rev().find(|event| is(event, "visit-started"));
        let visit = before.last().and_then(|event| {
            let own = number(event, "visit").or_else(|| number(event, "ask").and_then(asker));
            own.or_else(|| last().and_then(|event| number(event, "visit")))
        });
        match steps(stored).into_iter().find(|step| Some(u64::from(step.visit.0)) == visit) {
            Some(step) => Ok(ForkPoint { step: Some(step), again_from: None }),
            None => bail!("the run `{}` has no step at event {event}", stored.id),
        }
    }

    fn of_failure(stored: &Stored, limits: &RunLimits) -> Result<ForkPoint> {
        match &stored.status {
            RunStatus::Ended { outcome, .. } if outcome != Status::Completed.word() => {
                let keep = reopen::good_point(stored, limits)?;
                let failed = keep.and_then(|keep| stored.events.get(keep));
                let ask = failed.and_then(|failed| failed.event.get("ask")).and_then(Json::as_u64);
                let again_from = ask.and_then(|ask| u32::try_from(ask).ok()).map(AskId);
                Ok(ForkPoint { step: None, again_from })
            }
            _ => Ok(ForkPoint::default()),
        }
    }
}

impl Fork<'_> {
    /// What the new run takes over from the recorded one.
    pub(crate) fn recall(&self) -> Result<Recall> {
        let until = self.point.step.as_ref().map(|step| step.visit);
        Recall::read(self.from.new.seed, &self.from.events(), until, self.point.again_from)
    }

    /// All changes of the new run's state, by visit: those that the recorded run had before that step, and its own.
    pub(crate) fn state_changes(&self) -> Result<BTreeMap<VisitId, Map>> {
        let until = self.point.step.as_ref().map(|step| step.visit);
        let former = self.from.new.origin.as_ref().map(restore::state_changes).unwrap_or_default();
        let mut changes: BTreeMap<VisitId, Map> =
            former.into_iter().filter(|(visit, _)| until.is_none_or(|until| *visit < until)).collect();
        match until {
            _ if self.changes.is_empty() => {}
            Some(visit) => drop(changes.insert(visit, self.changes.clone())),
            None => bail!(
                "a changed state needs a step at which it is changed\n  help: name one, for example `--from {}@3`; `nodewise runs \
                 show {} --format steps` lists them",
                self.from.id,
                self.from.id
            ),
        }
        Ok(changes)
    }

    /// The origin of the new run, as the store keeps it.
    pub(crate) fn origin(&self, recalled: &Recalled, changes: &BTreeMap<VisitId, Map>) -> Result<RunOrigin> {
        let step = self.point.step.as_ref();
        if let (Some(step), false) = (step, self.changes.is_empty()) {
            self.check_reached(step, recalled)?;
        }
        let keys = |keys: &Map| keys.iter().map(|(key, value)| (key.to_string(), to_json(value))).collect();
        Ok(RunOrigin {
            run: self.from.id.to_string(),
            answers: recalled.answers,
            visit: step.map(|step| (step.visit, step.node.to_string())),
            changes: changes.iter().map(|(visit, changes)| (*visit, keys(changes))).collect(),
            spare: self
                .from
                .events()
                .into_iter()
                .filter(|event| is_answer_to(event, &recalled.pending))
                .collect(),
        })
    }

    /// Returns an error if the new run does not reach the step at which its state is to be changed.
    fn check_reached(&self, step: &RecordedStep, recalled: &Recalled) -> Result<()> {
        let reason = match (&recalled.reached, &recalled.differing) {
            (Some(node), _) if *node == step.node => return Ok(()),
            (Some(node), _) => format!("is at `{node}` now"),
            (None, Some(Differing { node, parts })) => {
                format!("comes after a question for `{node}` that differs in {parts}")
            }
            (None, None) => "is not reached any more".to_owned(),
        };
        bail!(
            "the state cannot be changed at `{}`: the step {reason}\n  help: undo the changes of the files, or leave out `--set`",
            step.node
        )
    }

    /// A note about the new run for its user, on one line.
    pub(crate) fn note(&self, recalled: &Recalled) -> String {
        let answers = match recalled.answers {
            1 => "1 answer".to_owned(),
            count => format!("{count} answers"),
        };
        let parts = match (&self.point.step, &recalled.differing) {
            (_, Some(Differing { node, parts })) => {
                format!("; `{node}` is asked again, because its question differs in {parts}")
            }
            (Some(step), None) => format!("; from `{}` on, everything is asked again", step.node),
            (None, None) => String::new(),
        };
        format!("began from {} with {answers} of it{parts}", self.from.id)
    }
}

/// The steps of a recorded run, in order.
#[must_use]
pub fn steps(stored: &Stored) -> Vec<RecordedStep> {
    let step = |event: &Json| {
        let is_start = event.get("event").and_then(Json::as_str) == Some("visit-started");
        let visit = u32::try_from(event.get("visit").filter(|_| is_start)?.as_u64()?).ok()?;
        Some(RecordedStep { visit: VisitId(visit), node: event.get("node")?.as_str()?.into() })
    };
    stored.events.iter().filter_map(|stored| step(&stored.event)).collect()
}

fn is_answer_to(event: &Json, asks: &BTreeSet<AskId>) -> bool {
    let ask = event.get("ask").and_then(Json::as_u64).and_then(|ask| u32::try_from(ask).ok());
    let is_answer = event.get("event").and_then(Json::as_str) == Some("answered");
    is_answer && ask.is_some_and(|ask| asks.contains(&AskId(ask)))
}

/// The name of a node without the kind before it (`kind/name`).
fn short(node: &str) -> &str {
    node.rsplit_once('/').map_or(node, |(_, name)| name)
}
