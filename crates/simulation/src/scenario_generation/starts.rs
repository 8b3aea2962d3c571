//! What the runs of a target can begin with: a value for what the graph needs, and values on both sides of its conditions.
//!
//! Input: a graph; output: scenarios that say how a run begins, and nothing else. Invariant: only what no node writes is varied, and
//! the first beginning has the plainest values.

use std::collections::{BTreeMap, BTreeSet};

use nodewise_analysis::workspace::Snapshot;
use nodewise_engine::explore::guide::Outline;
use nodewise_engine::explore::values::{candidates, combinations, paths, tests, unique, with};
use nodewise_expr::value::{Map, Value};
use nodewise_model::Located;
use nodewise_model::scenario::Scenario;
use nodewise_model::schema_example::schema_example;
use smol_str::SmolStr;

use crate::chart::{Chart, ChartCondition};
use crate::prepare::setting;
use crate::runtime::Setting;
use crate::scenario::empty;
use crate::system::{RunnableSystem, StartPlace};
use crate::target::{SimulationTarget, TargetError};

/// The maximum number of starts that are explored, in addition to the empty one.
const STARTS_MAX: usize = 6;

/// The starts of a target's runs, as scenarios. The second value says whether conditions depend on them.
pub(super) fn starts(
    snapshot: &Snapshot,
    target: &SimulationTarget,
) -> Result<(Vec<Scenario>, bool), TargetError> {
    let nothing = empty();
    let Setting { facts, guide, .. } = setting(snapshot, target, &nothing)?;
    let guide = guide();
    let outlines = guide.outlines();
    let chart = outlines.first().and_then(|outline| facts.charts.graph(&outline.id));
    let (Some(outline), Some(chart)) = (outlines.first(), chart) else { return Ok((vec![empty()], false)) };
    let plain = given(snapshot, target, outline);
    let varied = varied(facts.system, outline, chart);
    if plain.is_empty() && varied.is_empty() {
        return Ok((vec![empty()], false));
    }
    let lengths: Vec<usize> = varied.values().map(Vec::len).collect();
    let (picks, _) = combinations(&lengths, STARTS_MAX);
    let mut starts: Vec<Scenario> =
        picks.into_iter().take(STARTS_MAX).map(|pick| scenario(&plain, &varied, &pick)).collect();
    starts.push(empty());
    Ok((starts, !varied.is_empty()))
}

/// Example values for the inputs that the graph declares, and for keys that nodes read and no node writes.
fn given(snapshot: &Snapshot, target: &SimulationTarget, outline: &Outline) -> BTreeMap<SmolStr, Value> {
    let mut given = BTreeMap::new();
    let ports = target.graph(snapshot).and_then(|graph| graph.inputs.as_ref());
    for port in ports.into_iter().flatten() {
        given.insert(port.key.value.clone(), schema_example(port.schema.as_ref()));
    }
    let written = written(outline);
    let read = outline.nodes.iter().flat_map(|node| &node.reads);
    for key in
        read.filter(|key| !written.contains(key) && !outline.given.contains(*key)).collect::<BTreeSet<_>>()
    {
        given.entry(key.clone()).or_insert_with(|| schema_example(None));
    }
    given
}

fn written(outline: &Outline) -> BTreeSet<&SmolStr> {
    outline.nodes.iter().flat_map(|node| &node.writes).collect()
}

/// For keys that no node writes, the values on both sides of what conditions compare.
fn varied(system: RunnableSystem, outline: &Outline, chart: &Chart) -> BTreeMap<StartPlace, Vec<Value>> {
    let written = written(outline);
    let of_edges = chart.edges.iter().filter_map(|edge| edge.condition.as_ref());
    let of_nodes = chart.nodes.iter().filter_map(|node| node.condition.as_ref());
    let mut varied: BTreeMap<StartPlace, Vec<Value>> = BTreeMap::new();
    for ChartCondition { text, language } in of_edges.chain(of_nodes) {
        let trees = language.map(|language| language.trees(text)).unwrap_or_default();
        for test in trees.iter().flat_map(tests) {
            for path in paths(test) {
                let Some(place) = system.start_place(&path) else { continue };
                let key = match &place {
                    StartPlace::Input(path) => path.first(),
                    StartPlace::State(key, _) => Some(key),
                };
                if key.is_some_and(|key| !written.contains(key)) {
                    varied.entry(place).or_default().extend(candidates(test));
                }
            }
        }
    }
    varied.into_iter().map(|(place, values)| (place, unique(values))).collect()
}

/// A scenario that begins with these values.
fn scenario(
    plain: &BTreeMap<SmolStr, Value>,
    varied: &BTreeMap<StartPlace, Vec<Value>>,
    pick: &[usize],
) -> Scenario {
    let mut scenario = empty();
    let at = scenario.head;
    let mut input: Value =
        plain.iter().map(|(key, value)| (key.clone(), value.clone())).collect::<Map>().into();
    let mut state: BTreeMap<SmolStr, Value> = BTreeMap::new();
    for ((place, values), choice) in varied.iter().zip(pick) {
        let Some(value) = values.get(*choice) else { continue };
        match place {
            StartPlace::Input(path) => input = with(&input, path, value.clone()),
            StartPlace::State(key, path) => {
                // The start of a scenario names the key without its partition.
                let name = key.split_once('.').map_or(key.as_str(), |(_, name)| name);
                let known = state.get(name).cloned().unwrap_or(Value::Undefined);
                state.insert(SmolStr::new(name), with(&known, path, value.clone()));
            }
        }
    }
    if matches!(&input, Value::Map(members) if !members.is_empty()) {
        scenario.start.input = Some(Located::new(input, at));
    }
    scenario.start.memory = state.into_iter().map(|(key, value)| (Located::new(key, at), value)).collect();
    scenario
}
