//! What a run is given, as its declarations describe it.
//!
//! Input: what is to run. Output: a JSON Schema of the whole input, from which editors make a form; `None` if the
//! declarations say nothing. Invariant: keys have the order in which they are declared, and no key of a dialect is named
//! here.

use nodewise_analysis::workspace::Snapshot;
use nodewise_expr::json::to_json;
use nodewise_expr::value::Value;
use nodewise_model::graph::{Graph, Port};
use serde_json::{Map, Value as Json, json};

use crate::inputs::RunInputs;
use crate::scenario::empty;
use crate::target::SimulationTarget;

/// The schema of the input of a run.
#[must_use]
pub fn input_schema(snapshot: &Snapshot, target: &SimulationTarget) -> Option<Json> {
    let scenario = empty();
    target.runtime(snapshot)?.input_schema(&RunInputs { snapshot, target, scenario: &scenario })
}

/// The schema that a graph declares: its inputs, or the part of its state that holds the input.
pub(crate) fn of_graph(inputs: &RunInputs<'_>) -> Option<Json> {
    let graph = inputs.target.graph(inputs.snapshot)?;
    let mut schema = match &graph.inputs {
        Some(ports) if !ports.is_empty() => of_ports(ports),
        _ => of_part(graph)?,
    };
    // A run from a node needs other keys than a run from the start.
    if let (SimulationTarget::Graph { node: Some(_), .. }, Json::Object(schema)) =
        (inputs.target, &mut schema)
    {
        schema.shift_remove("required");
    }
    Some(schema)
}

fn of_ports(ports: &[Port]) -> Json {
    let required = ports.iter().filter(|port| port.required).map(|port| port.key.value.as_str());
    let required: Vec<&str> = required.collect();
    let properties = ports.iter().map(|port| (port.key.value.to_string(), of_port(port)));
    json!({"type": "object", "properties": properties.collect::<Map<_, _>>(), "required": required})
}

/// The schema of a key, with the description of the key unless the schema has its own.
fn of_port(port: &Port) -> Json {
    let mut schema = match &port.schema {
        Some(schema @ Value::Map(_)) => to_json(schema),
        _ => json!({}),
    };
    if let (Some(text), Json::Object(keywords)) = (&port.description, &mut schema) {
        keywords.entry("description").or_insert_with(|| text.as_str().into());
    }
    schema
}

fn of_part(graph: &Graph) -> Option<Json> {
    let input = graph.conventions.parts.as_ref()?.input;
    let part = graph.state.as_ref()?.value.iter().find(|part| part.name.value == input)?;
    match part.schema.as_ref()? {
        Value::Map(keywords) if keywords.iter().next().is_some() => part.schema.as_ref().map(to_json),
        _ => None,
    }
}
