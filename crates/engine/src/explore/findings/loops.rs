//! Loops: those that only a limit ends, and what they mean for the longest run. In: states and transitions; out: findings
//! and the worst. Invariant: a loop that some answer leaves is not a finding, unless a model, tool or person must fail for it.

use super::{FindingInputs, began};
use crate::explore::explored::{Target, Transition};
use crate::explore::guide::Ending;
use crate::explore::view::Observation;
use crate::explore::witness::Witness;
use crate::explore::{ExplorationFinding, ExplorationFindingKind, Worst};
use crate::outcome::Outcome;
use crate::usage::Usage;

/// How many rounds of a loop a witness repeats before it gives up the search for the end.
const MOST_ROUNDS: usize = 2000;

pub(super) fn findings(inputs: &FindingInputs<'_>) -> Vec<ExplorationFinding> {
    // Nobody knows what comes after a state that was left out: it may be an end.
    let is_end = |transition: &Transition| match inputs.ending(&transition.to) {
        Some(ending) => !transition.is_fault && ending != Ending::Limit,
        None => matches!(transition.to, Target::Unknown),
    };
    let leads_on = inputs.paths.leading_to(is_end, |transition| !transition.is_fault);
    let is_trapped = |state: usize| leads_on.get(state) == Some(&false);
    let mut reported: Vec<Vec<smol_str::SmolStr>> = Vec::new();
    let mut found = Vec::new();
    for state in (0..inputs.paths.explored.states.len()).filter(|state| is_trapped(*state)) {
        if state != 0 && !inputs.is_sound(state) {
            continue;
        }
        let Some(circle) = inputs.paths.circle(state, is_trapped) else { continue };
        let nodes = nodes_of(inputs, &circle);
        if nodes.is_empty() || reported.iter().any(|known| nodes.iter().any(|node| known.contains(node))) {
            continue;
        }
        let to = inputs.reached_soundly.get(state).copied().flatten();
        let way = to.map(|last| inputs.way(last)).unwrap_or_default();
        let witness = unrolled(inputs, &way, &circle);
        reported.push(nodes.clone());
        found.push(ExplorationFinding {
            kind: ExplorationFindingKind::EndlessLoop { nodes },
            graph: inputs.main(),
            witness,
        });
    }
    found
}

/// The most that a run can take.
pub(super) fn worst(inputs: &FindingInputs<'_>) -> Worst {
    let Some(order) = inputs.paths.in_order() else {
        let limit = inputs.guide.limit();
        return Worst { is_unbounded: true, limit, ..Worst::default() };
    };
    let count = inputs.paths.explored.states.len();
    let mut best: Vec<Most> = vec![Most::default(); count];
    let mut worst = Worst::default();
    let mut last = None;
    for state in order {
        let Some(here) = best.get(state).cloned() else { continue };
        for (position, transition) in inputs.paths.from(state) {
            let there = here.and(position, transition);
            worst.model_calls = worst.model_calls.max(there.calls);
            most(&mut worst.usage, &there.usage);
            if there.visits > worst.visits || last.is_none() {
                worst.visits = there.visits;
                last = Some(there.clone());
            }
            if let Target::State(to) = transition.to
                && let Some(known) = best.get_mut(to)
            {
                known.take(there);
            }
        }
    }
    let way = last.map(|last| last.way(&best, inputs)).unwrap_or_default();
    worst.witness = inputs.checked(inputs.paths.witness(&way), |observations, _, _| {
        observations.iter().filter(|observation| matches!(observation, Observation::Began(_))).count() as u64
            >= worst.visits
    });
    worst
}

/// The most visits, questions and usage on any path to a state.
#[derive(Debug, Clone, Default)]
struct Most {
    visits: u64,
    calls: u64,
    usage: Usage,
    /// The last transition of the path with the most visits.
    last: Option<usize>,
}

impl Most {
    fn and(&self, position: usize, transition: &Transition) -> Most {
        let count = |wanted: fn(&Observation) -> bool| {
            transition.observations.iter().filter(|observation| wanted(observation)).count() as u64
        };
        let mut usage = self.usage;
        usage += transition.usage;
        Most {
            visits: self.visits + count(|observation| matches!(observation, Observation::Began(_))),
            calls: self.calls + count(|observation| matches!(observation, Observation::Asked)),
            usage,
            last: Some(position),
        }
    }

    fn take(&mut self, other: Most) {
        if other.visits > self.visits || self.last.is_none() {
            self.visits = other.visits;
            self.last = other.last;
        }
        self.calls = self.calls.max(other.calls);
        most(&mut self.usage, &other.usage);
    }

    fn way(&self, best: &[Most], inputs: &FindingInputs<'_>) -> Vec<usize> {
        let mut way = Vec::new();
        let mut last = self.last;
        while let Some(position) = last {
            way.push(position);
            let from = inputs.paths.transition(position).map(|transition| transition.from);
            last = from.and_then(|from| best.get(from)).and_then(|most| most.last);
        }
        way.reverse();
        way
    }
}

fn most(usage: &mut Usage, other: &Usage) {
    usage.input_tokens = usage.input_tokens.max(other.input_tokens);
    usage.output_tokens = usage.output_tokens.max(other.output_tokens);
    usage.cost_usd = usage.cost_usd.max(other.cost_usd);
}

/// The nodes of a circle of transitions, each once.
fn nodes_of(inputs: &FindingInputs<'_>, circle: &[usize]) -> Vec<smol_str::SmolStr> {
    let mut nodes = Vec::new();
    for (_, node) in inputs.paths.witness(circle).path {
        if !nodes.contains(&node) {
            nodes.push(node);
        }
    }
    nodes
}

/// The answers that lead into a loop and around it until a limit ends the run.
fn unrolled(inputs: &FindingInputs<'_>, way: &[usize], circle: &[usize]) -> Option<Witness> {
    let (to, round) = (inputs.paths.witness(way), inputs.paths.witness(circle));
    let main = inputs.main();
    let is_round = |observations: &[Observation]| {
        round.path.iter().all(|(_, node)| {
            observations.iter().filter(|observation| began(observation, &main, node)).count() > 1
                || round.path.len() == 1
        })
    };
    let mut rounds = 16;
    while rounds <= MOST_ROUNDS {
        let mut witness = to.clone();
        for _ in 0..rounds {
            witness.given.extend(round.given.iter().cloned());
            witness.path.extend(round.path.iter().cloned());
        }
        let is_limit = |outcome: &Outcome| inputs.guide.judge(outcome) == Ending::Limit;
        let shown =
            inputs.checked(witness, |observations, _, outcome| is_limit(outcome) && is_round(observations));
        if let Some(mut witness) = shown {
            let (log, _) = inputs.replay(&witness);
            witness.trim(&log);
            return Some(witness);
        }
        rounds *= 4;
    }
    None
}
