//! Traces, states and scenarios as JSON, for editors that draw a run.
//!
//! Input: recordings and results of scenarios. Output: JSON in which places are locations of the protocol. Invariant:
//! each location is written once, and everything at that place refers to it by its number.

use nodewise_expr::json::to_json_with_marks;
use nodewise_expr::value::Value as Data;
use nodewise_model::Origin;
use nodewise_simulation::chart::{Charts, SourceLocation};
use nodewise_simulation::recording::Recording;
use nodewise_simulation::render::{TimelineLine, json as trace};
#[cfg(feature = "live")]
use nodewise_simulation::run::Facts;
use nodewise_simulation::source_map::source_map;
use nodewise_simulation::state_at_event::StateAtEvent;
use nodewise_simulation::testing::{Mismatch, Tested};
use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use crate::request::File;

/// The locations of a trace, each with its number.
pub(crate) struct Locations<'f> {
    file: &'f File<'f>,
    numbers: FxHashMap<(u32, u32, u32), Option<usize>>,
    count: usize,
    /// The locations since the last call of `take`.
    list: Vec<Value>,
}

/// The trace. Events, nodes and edges refer by number to the list `locations`.
pub(super) fn trace(recording: &Recording, file: &File<'_>) -> Value {
    let mut written = trace::trace(recording);
    let mut locations = Locations::new(file);
    if let Some(events) = written.get_mut("events").and_then(Value::as_array_mut) {
        for (event, at) in events.iter_mut().zip(source_map(recording)) {
            locations.mark(event, at);
        }
    }
    locations.mark_graphs(&mut written, &recording.charts);
    if let Value::Object(written) = &mut written {
        written.insert("locations".to_owned(), Value::Array(locations.take()));
    }
    written
}

/// The part of a trace that is known before the run begins.
#[cfg(feature = "live")]
pub(crate) fn beginning(facts: &Facts, locations: &mut Locations<'_>) -> Value {
    let mut written = trace::beginning(facts.system, &facts.title, facts.seed, &facts.charts);
    locations.mark_graphs(&mut written, &facts.charts);
    written
}

/// The timeline as text, and for each of its lines the index of its event.
pub(super) fn timeline(lines: Vec<TimelineLine>) -> (String, Vec<Option<usize>>) {
    let (texts, events): (Vec<String>, Vec<Option<usize>>) =
        lines.into_iter().map(|line| (line.text + "\n", line.event)).unzip();
    (texts.concat(), events)
}

/// The state of a run after an event.
pub(super) fn state(standing: &StateAtEvent, event: usize, events: usize) -> Value {
    let graphs = standing.graphs.iter().map(|graph| {
        json!({
            "scope": graph.scope.0, "graph": graph.graph.as_str(), "depth": graph.depth,
            "state": to_json_with_marks(&Data::Map(graph.state.clone())),
        })
    });
    let changes = standing.changes.iter().map(|change| {
        let mut written = json!({"scope": change.scope.0, "key": change.key.as_str()});
        put(&mut written, "before", value(&change.before));
        put(&mut written, "after", value(&change.after));
        written
    });
    json!({
        "event": event,
        "events": events,
        "at": standing.at.0,
        "visit": standing.visit.map(|visit| visit.0),
        "graphs": graphs.collect::<Vec<_>>(),
        "changes": changes.collect::<Vec<_>>(),
        "spent": trace::usage(&standing.spent),
    })
}

/// The result of a scenario.
pub(super) fn scenario(tested: &Tested, file: &File<'_>) -> Value {
    let run = tested.ended.as_ref().ok().map(|ended| {
        json!({
            "outcome": ended.outcome, "time": ended.time.0, "visits": ended.visits,
            "spent": trace::usage(&ended.spent),
        })
    });
    json!({
        "scenario": tested.title,
        "location": location(file, Some(&tested.place)),
        "passed": tested.is_passed(),
        "run": run,
        "error": tested.ended.as_ref().err(),
        "mismatches": tested.mismatches.iter().map(|one| mismatch(one, file)).collect::<Vec<_>>(),
    })
}

fn mismatch(mismatch: &Mismatch, file: &File<'_>) -> Value {
    json!({
        "of": mismatch.subject.as_str(),
        "message": mismatch.message,
        "difference": mismatch.difference,
        "expected": to_json_with_marks(&mismatch.expected),
        "found": to_json_with_marks(&mismatch.found),
        "location": location(file, mismatch.at.as_ref()),
        "node": location(file, mismatch.node.as_ref()),
    })
}

fn location(file: &File<'_>, place: Option<&SourceLocation>) -> Value {
    json!(place.and_then(|place| file.location(place.origin)))
}

/// A value as JSON. `None` for a missing value, which gets no member.
fn value(value: &Data) -> Option<Value> {
    (!matches!(value, Data::Undefined)).then(|| to_json_with_marks(value))
}

fn origin(place: Option<&SourceLocation>) -> Option<Origin> {
    place.map(|place| place.origin)
}

fn put(object: &mut Value, key: &str, value: Option<Value>) {
    if let (Value::Object(object), Some(value)) = (object, value) {
        object.insert(key.to_owned(), value);
    }
}

impl<'f> Locations<'f> {
    /// An empty list of locations in the project of a file.
    pub(crate) fn new(file: &'f File<'f>) -> Locations<'f> {
        Locations { file, numbers: FxHashMap::default(), count: 0, list: Vec::new() }
    }

    /// Takes the locations since the last call.
    pub(crate) fn take(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.list)
    }

    /// The number of a location. A new location is added to the list. `None` if the place has no URI.
    fn number(&mut self, at: Origin) -> Option<usize> {
        let key = (at.source.0, at.range.start().into(), at.range.end().into());
        if let Some(known) = self.numbers.get(&key) {
            return *known;
        }
        let number = self.file.location(at).map(|location| {
            self.list.push(json!(location));
            self.count += 1;
            self.count - 1
        });
        self.numbers.insert(key, number);
        number
    }

    /// Adds the number of a location to an object.
    pub(crate) fn mark(&mut self, written: &mut Value, at: Option<Origin>) {
        let number = at.and_then(|at| self.number(at));
        put(written, "location", number.map(Value::from));
    }

    fn mark_graphs(&mut self, written: &mut Value, charts: &Charts) {
        let graphs = written.get_mut("graphs").and_then(Value::as_array_mut);
        for (graph, chart) in graphs.into_iter().flatten().zip(charts.iter()) {
            let nodes = chart.nodes.iter().map(|node| origin(node.place.as_ref())).collect();
            let edges = chart.edges.iter().map(|edge| origin(edge.place.as_ref())).collect();
            self.mark_all(graph, "nodes", nodes);
            self.mark_all(graph, "edges", edges);
        }
    }

    fn mark_all(&mut self, graph: &mut Value, key: &str, places: Vec<Option<Origin>>) {
        if let Some(items) = graph.get_mut(key).and_then(Value::as_array_mut) {
            for (item, at) in items.iter_mut().zip(places) {
                self.mark(item, at);
            }
        }
    }
}
