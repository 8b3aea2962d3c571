//! Values of state keys, to show them in the text while someone steps through a run.
//!
//! Input: a trace, an event, the state after it. Output: places of keys with their values as short texts. Invariant: a text that
//! has changed since the run has no values.

use nodewise_expr::json::to_json_with_marks;
use nodewise_expr::value::{Map, Value as Data};
use nodewise_ide::state_values::named_keys;
use nodewise_simulation::state_at_event::StateAtEvent;
use serde_json::{Value, json};

use super::RunRequest;
use crate::request::{Asked, location};
use crate::runs::Trace;

/// The maximum number of characters of a value.
const VALUE_MAX: usize = 60;

/// The keys that the node or the edge of an event names, with their values.
pub(super) fn values(
    asked: &Asked<'_>,
    trace: &Trace<RunRequest>,
    event: usize,
    standing: &StateAtEvent,
) -> Vec<Value> {
    let found = || {
        let (place, scope) = trace.place_at(event)?;
        let state = &standing.graphs.iter().find(|graph| graph.scope == scope)?.state;
        let now = asked.view.file(trace.subject.uri.as_str())?.project;
        let (then, snapshot) = (trace.facts.snapshot.file(place.source)?, &trace.facts.snapshot);
        let current = now.snapshot.file(now.snapshot.source(&then.path)?)?;
        if current.text != then.text || current.source != place.source {
            return None;
        }
        let places = asked.view.places(now);
        let shown = named_keys(snapshot, place).into_iter().filter_map(|key| {
            let value = value_of(state, &key.name)?;
            let location = location(&places, key.at)?;
            Some(json!({"location": location, "key": key.name.as_str(), "text": short(value)}))
        });
        Some(shown.collect())
    };
    found().unwrap_or_default()
}

/// The value of a key. A name with dots can also be a path into the state.
fn value_of<'s>(state: &'s Map, name: &str) -> Option<&'s Data> {
    state.get(name).or_else(|| {
        let (part, rest) = name.split_once('.')?;
        match state.get(part)? {
            Data::Map(inner) => value_of(inner, rest),
            _ => None,
        }
    })
}

fn short(value: &Data) -> String {
    let text = to_json_with_marks(value).to_string();
    match text.char_indices().nth(VALUE_MAX) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
