//! What a client is sent of a run that it follows.

use serde_json::{Value, json};

/// The notification with a part.
pub(crate) const PROGRESS: &str = "nodewise/runProgress";

/// The members of all parts, one after another.
fn joined(parts: &[Value], member: &str) -> Vec<Value> {
    parts.iter().flat_map(|part| part[member].as_array().unwrap().clone()).collect()
}

/// An event without the number of its location.
fn unplaced(event: &Value) -> Value {
    let mut event = event.clone();
    event.as_object_mut().unwrap().remove("location");
    event
}

/// The parts of a run together are what its answer has.
#[track_caller]
pub(crate) fn check_parts(parts: &[Value], answer: &Value) {
    let events = answer["trace"]["events"].as_array().unwrap();
    assert_eq!(
        joined(parts, "events").iter().map(unplaced).collect::<Vec<_>>(),
        events.iter().map(unplaced).collect::<Vec<_>>()
    );
    let ids = |graphs: &Value| {
        graphs[0]["nodes"].as_array().unwrap().iter().map(|node| node["id"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(ids(&parts[0]["beginning"]["graphs"]), ids(&answer["trace"]["graphs"]));
    let last = parts.last().unwrap();
    assert_eq!(last["spent"], answer["trace"]["spent"]);
    let lines = joined(parts, "lines");
    let texts: Vec<&str> = lines.iter().map(|line| line["text"].as_str().unwrap()).collect();
    let text = answer["text"].as_str().unwrap();
    assert!(text.starts_with(&texts.join("\n")), "{texts:#?}\n{text}");
    assert!(text[texts.join("\n").len()..].starts_with("\ncompleted after"), "{text}");
    let places: Vec<&Value> = lines.iter().map(|line| &line["event"]).collect();
    assert_eq!(json!(places), json!(answer["lines"].as_array().unwrap()[..places.len()]));
    // The numbers of locations can be others than in the answer; each event is at the same place.
    let locations = joined(parts, "locations");
    for (event, other) in joined(parts, "events").iter().zip(events) {
        let at = |event: &Value, list: &[Value]| {
            event["location"].as_u64().map(|number| list[usize::try_from(number).unwrap()].clone())
        };
        assert_eq!(at(event, &locations), at(other, answer["trace"]["locations"].as_array().unwrap()));
    }
}
