//! How runs end: all ways, and those where nothing leads on. In: transitions that end runs; out: findings and ends.
//! Invariant: of several runs that end alike, the shortest one in which nobody fails is shown.

use std::collections::BTreeMap;

use nodewise_platform::sorting::Sorting;
use smol_str::SmolStr;

use super::FindingInputs;
use crate::explore::explored::{Ended, Target};
use crate::explore::guide::Ending;
use crate::explore::thread_pool::map_all;
use crate::explore::view::At;
use crate::explore::{End, ExplorationFinding, ExplorationFindingKind};

/// All kinds of end that runs have.
pub(super) fn ends(inputs: &FindingInputs<'_>) -> Vec<End> {
    let mut ways: BTreeMap<(&'static str, Option<SmolStr>, SmolStr), (usize, bool)> = BTreeMap::new();
    for (position, ended) in all(inputs) {
        let class = ended.outcome.failure.as_ref().map(|failure| failure.class.clone());
        let key = (ended.outcome.status.word(), class, ended.last.clone());
        let is_sound = is_sound(inputs, position);
        let known = ways.entry(key).or_insert((position, is_sound));
        if is_sound && !known.1 {
            *known = (position, true);
        }
    }
    let end = |(position, is_sound): (usize, bool)| {
        let Target::End(ended) = &inputs.paths.transition(position)?.to else { return None };
        let same = |outcome: &crate::outcome::Outcome| {
            let class = |failure: &Option<crate::outcome::Failure>| {
                failure.as_ref().map(|failure| failure.class.clone())
            };
            outcome.status == ended.outcome.status && class(&outcome.failure) == class(&ended.outcome.failure)
        };
        let witness =
            inputs.confirmed(position, |_, view, outcome| view.last == ended.last && same(outcome))?;
        Some(End {
            status: ended.outcome.status,
            failure: ended.outcome.failure.clone(),
            node: ended.last.clone(),
            needs_fault: !is_sound,
            witness,
        })
    };
    let mut positions: Vec<(usize, bool)> = ways.into_values().collect();
    positions.sort_unstable();
    map_all(inputs.pool, positions, end).into_iter().flatten().collect()
}

/// One finding for each node from which nothing leads on.
pub(super) fn dead_ends(inputs: &FindingInputs<'_>) -> Vec<ExplorationFinding> {
    let mut nodes: BTreeMap<SmolStr, usize> = BTreeMap::new();
    for (position, ended) in all(inputs) {
        if inputs.guide.judge(&ended.outcome) == Ending::DeadEnd {
            let known = nodes.entry(ended.last.clone()).or_insert(position);
            if is_sound(inputs, position) && !is_sound(inputs, *known) {
                *known = position;
            }
        }
    }
    let mut found: Vec<(usize, ExplorationFinding)> = Vec::new();
    for (node, position) in nodes {
        let Some((_, ended)) = all(inputs).find(|(known, _)| *known == position) else { continue };
        let failure = ended.outcome.failure.as_ref().map(|failure| failure.message.clone());
        let witness = inputs.confirmed(position, |_, view, outcome| {
            view.last == node && inputs.guide.judge(outcome) == Ending::DeadEnd
        });
        let kind = ExplorationFindingKind::DeadEnd { node, failure: failure.unwrap_or_default() };
        found.push((position, ExplorationFinding { kind, graph: inputs.main(), witness }));
    }
    found.arrange_by_key(|(position, _)| *position);
    found.into_iter().map(|(_, finding)| finding).collect()
}

/// Findings about nodes that an edge leads to, but that never run before the run ends.
pub(super) fn never_running(inputs: &FindingInputs<'_>) -> Vec<ExplorationFinding> {
    let mut nodes: BTreeMap<At, usize> = BTreeMap::new();
    for (position, ended) in all(inputs) {
        let is_proper =
            inputs.guide.judge(&ended.outcome) != Ending::Limit && ended.outcome.failure.is_none();
        for at in ended.awaited.iter().filter(|_| is_proper) {
            nodes.entry(at.clone()).or_insert(position);
        }
    }
    let is_node = |at: &At| {
        let outline = inputs.guide.outlines().iter().find(|outline| outline.id == at.graph);
        outline.is_some_and(|outline| outline.nodes.iter().any(|node| node.id == at.node))
    };
    let mut found: Vec<(usize, ExplorationFinding)> = Vec::new();
    for (at, position) in nodes.into_iter().filter(|(at, _)| is_node(at)) {
        let witness = inputs.confirmed(position, |_, view, _| view.awaited().any(|awaited| awaited == at));
        let kind = ExplorationFindingKind::NeverRuns(at.node.clone());
        found.push((position, ExplorationFinding { kind, graph: at.graph, witness }));
    }
    found.arrange_by_key(|(position, _)| *position);
    found.into_iter().map(|(_, finding)| finding).collect()
}

fn all<'g>(inputs: &'g FindingInputs<'_>) -> impl Iterator<Item = (usize, &'g Ended)> {
    inputs.paths.explored.transitions.iter().enumerate().filter_map(
        |(position, transition)| match &transition.to {
            Target::End(ended) => Some((position, &**ended)),
            _ => None,
        },
    )
}

fn is_sound(inputs: &FindingInputs<'_>, position: usize) -> bool {
    let transition = inputs.paths.transition(position);
    transition.is_some_and(|transition| !transition.is_fault && inputs.is_sound(transition.from))
}
