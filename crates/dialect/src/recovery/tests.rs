//! Mistakes and what they are taken for: a document in, one line a mistake out. Every document here is recognised.

use nodewise_model::SourceId;

use super::{MistakeKind, SingleValue, recover};
use crate::recognise::{Recognised, recognise};
use crate::table::Dialect;
use crate::tables::agentos::AGENTOS;
use crate::tables::cycgraph::CYCGRAPH;
use crate::tables::liman::LIMAN;
use crate::value::SpannedValue;

/// Compares the mistakes of a document with what is expected, one a line.
fn check_mistakes(dialect: &'static Dialect, text: &str, expected: &str) {
    let tree = nodewise_syntax::parse(text.trim_start());
    let root = tree.documents().next().and_then(|document| document.root()).expect("a document");
    let value = SpannedValue::from_node(root, SourceId::default());
    let Recognised::Declaration(kind) = recognise(dialect, &value) else { panic!("not recognised: {text}") };
    let mistakes = recover(dialect, kind, &value, &|key| key == "plugin_key")
        .map_or(Vec::new(), |(_, mistakes)| mistakes);
    let lines: Vec<String> = mistakes
        .iter()
        .map(|mistake| {
            let place = format!("{}.{}", mistake.shape.name, mistake.field.key);
            match &mistake.kind {
                MistakeKind::Key { written, alone: None } => format!("{written} is {place}"),
                MistakeKind::Key { written, alone: Some(SingleValue::Item) } => {
                    format!("{written} is {place}, alone")
                }
                MistakeKind::Key { written, alone: Some(SingleValue::Expression { .. }) } => {
                    format!("{written} is {place}, an expression")
                }
                MistakeKind::TooHigh { written, below, .. } => format!("{written} is {place}, below {below}"),
                MistakeKind::TooLow { written, inside } => format!("{written} is {place}, not in {inside}"),
                MistakeKind::Word { written, meant } => format!("{written} is {meant} in {place}"),
                MistakeKind::MissingWord { meant } => format!("{meant} is missing in {place}"),
                MistakeKind::Listed => format!("{place} is a list, not a mapping"),
                MistakeKind::OtherList { inside, count } => format!("{count} in {inside} are {place}"),
                MistakeKind::Only => format!("{place} is a list of one"),
                MistakeKind::Wrapped { meant } => format!("{place} is {meant}, in a mapping"),
                MistakeKind::Keys => format!("{place} has names as keys"),
                MistakeKind::Tag { meant } => format!("{place} is {meant}"),
                MistakeKind::Unquoted(found) => format!("{place} is {found}"),
                MistakeKind::SingleValue(SingleValue::Item) => format!("{place} is no list"),
                MistakeKind::SingleValue(SingleValue::Expression { key, .. }) => {
                    format!("{place} is a {key}")
                }
                MistakeKind::Short { written, key, other } => {
                    format!("{written} is {key} of {place}, beside {}", other.unwrap_or("the rest"))
                }
                MistakeKind::Schema { key } => format!("{place} is a schema, not a list with {key}"),
                MistakeKind::Named { key } => format!("{place} is no list, but a mapping from {key}"),
            }
        })
        .collect();
    assert_eq!(lines.join("\n"), expected.trim(), "{text}");
}

#[test]
fn keys_in_another_style_or_of_other_systems() {
    check_mistakes(
        &CYCGRAPH,
        "
name: n
description: d
nodes: [{id: a, type: Agent, agentId: w, reads: [x], write_key: [y]}]
edges: [{from: a, to: a, when: {type: always}}]
startNode: a
end: [a]
plugin_key: 1
",
        "
Agent is agent in GraphNode.type
agentId is GraphNode.agent_id
reads is GraphNode.read_keys
write_key is GraphNode.write_keys
from is GraphEdge.source
to is GraphEdge.target
when is GraphEdge.condition
startNode is Graph.start_node
end is Graph.end_nodes
",
    );
}

#[test]
fn items_below_a_list_whose_key_is_missing() {
    check_mistakes(
        &CYCGRAPH,
        "
name: n
description: d
nodes:
  - {id: a, type: router}
  - {id: b, type: router}
  - {source: a, target: b}
  - {id: c, source: b, target: b}
start_node: a
end_nodes: [b]
",
        "2 in nodes are Graph.edges",
    );
    check_mistakes(
        &LIMAN,
        "
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
tools:
  - a
  - {target: b, when: c}
",
        "1 in tools are LLMNode.nodes",
    );
    // With its own key, the list is complete.
    check_mistakes(
        &CYCGRAPH,
        "
name: n
description: d
nodes:
  - {id: a, type: router}
  - {source: a, target: b}
edges: []
start_node: a
end_nodes: [b]
",
        "",
    );
}

#[test]
fn keys_at_another_level() {
    check_mistakes(
        &LIMAN,
        "
kind: LLMNode
name: chat
prompts:
  tools: [a]
system: Hi
",
        "
tools is LLMNode.tools, not in prompts
system is Prompts.system, below prompts
",
    );
    check_mistakes(
        &AGENTOS,
        "
id: g
name: g
nodes:
  - {id: a, type: gmi, executorConfig: {type: gmi}, instructions: Hi, executionMode: single-turn, effectClass: read}
edges: []
stateSchema: {input: {}, scratch: {}, artifacts: {}}
",
        "
instructions is GmiConfig.instructions, below executorConfig
single-turn is single_turn in GraphNode.executionMode
",
    );
}

#[test]
fn single_values_and_mappings_in_place_of_lists() {
    check_mistakes(
        &LIMAN,
        "
kind: LLMNode
name: chat
prompts: {system: Hi}
tool: find
nodes:
  -done
",
        "
tool is LLMNode.tools, alone
LLMNode.nodes is no list
",
    );
    check_mistakes(
        &CYCGRAPH,
        "
name: n
description: d
nodes: {a: {type: router}, b: {type: router}}
edges: []
start_node: a
end_nodes: b
",
        "
Graph.nodes is no list, but a mapping from id
Graph.end_nodes is no list
",
    );
}

#[test]
fn the_word_that_the_keys_beside_it_show() {
    check_mistakes(
        &AGENTOS,
        "
id: g
nodes: [{id: a, type: router, executorConfig: {type: router, condition: {expr: input.x}}}]
edges: []
stateSchema: {input: {}, scratch: {}, artifacts: {}}
",
        "expression is missing in ExpressionCondition.type",
    );
}

#[test]
fn what_may_mean_two_things_stays() {
    check_mistakes(
        &CYCGRAPH,
        "
name: n
description: d
nodes: [{id: a, type: router, keys: [x], next: b}]
edges: []
start_node: a
end_nodes: [7]
",
        "Graph.end_nodes is a number",
    );
}
