//! From which run another one began. Input: a value or its record; output: the other. Invariant: what is stored is read again as it
//! was.

use std::collections::BTreeMap;

use nodewise_engine::event::VisitId;
use serde_json::{Map, Value as Json, json};

/// The run that another run was forked from, and what the fork took over.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunOrigin {
    /// The id of the run that was forked.
    pub run: String,
    /// How many of its answers and decisions the new run took over.
    pub answers: usize,
    /// The visit from which everything was asked again, and its node; `None` if there is no such visit.
    pub visit: Option<(VisitId, String)>,
    /// Changes of the state, by the visit before which they are made. Changes of the forked run before earlier visits are
    /// included.
    pub changes: BTreeMap<VisitId, Map<String, Json>>,
    /// Answers that the new run took over but that have not arrived in it yet, as events.
    pub spare: Vec<Json>,
}

/// The event that a run was forked from another one. Only the store writes it, never the kernel.
const FORKED: &str = "forked";

impl RunOrigin {
    pub(super) fn to_json(&self) -> Json {
        let changes =
            self.changes.iter().map(|(visit, keys)| (visit.0.to_string(), Json::Object(keys.clone())));
        let changes: Map<String, Json> = changes.collect();
        let mut written = json!({"at": 0, "event": FORKED, "run": self.run, "answers": self.answers, "changes": changes, "spare": self.spare});
        if let (Some((visit, node)), Json::Object(written)) = (&self.visit, &mut written) {
            written.insert("visit".to_owned(), visit.0.into());
            written.insert("node".to_owned(), node.as_str().into());
        }
        written
    }

    /// Reads an event; `None` if it is not about a fork.
    pub(super) fn of_json(event: &Json) -> Option<RunOrigin> {
        if event.get("event").and_then(Json::as_str) != Some(FORKED) {
            return None;
        }
        let text = |key: &str| event.get(key).and_then(Json::as_str).map(str::to_owned);
        let number = |key: &str| event.get(key).and_then(Json::as_u64);
        let visit = number("visit").and_then(|visit| u32::try_from(visit).ok()).map(VisitId);
        Some(RunOrigin {
            run: text("run").unwrap_or_default(),
            answers: number("answers").and_then(|count| usize::try_from(count).ok()).unwrap_or_default(),
            visit: visit.zip(text("node")),
            changes: event
                .get("changes")
                .and_then(Json::as_object)
                .into_iter()
                .flatten()
                .filter_map(|(visit, keys)| Some((VisitId(visit.parse().ok()?), keys.as_object()?.clone())))
                .collect(),
            spare: event.get("spare").and_then(Json::as_array).cloned().unwrap_or_default(),
        })
    }
}
