//! Few candidates that show together all that is wanted.
//!
//! Input: candidates and what is wanted; output: the positions of those that are chosen. Invariant: nothing chosen can be
//! left out, and where there are few candidates nothing smaller shows as much.

use std::collections::BTreeSet;

use nodewise_platform::sorting::Sorting;

use super::atoms::AtomSet;
use super::explored::Candidate;

/// The maximum number of steps in a search for a smaller choice.
const SEARCH_MAX: usize = 100_000;

/// Chooses few candidates that show everything wanted that can be shown. Returns their positions in order.
pub(super) fn chosen(pool: &[Candidate], wanted: &AtomSet) -> Vec<usize> {
    let mut chosen = reduced(pool, wanted, greedy(pool, wanted));
    while chosen.len() > 2 {
        let mut search = Search { pool, left: SEARCH_MAX };
        let possible = possible(pool, wanted);
        match search.within(&possible, chosen.len() - 1) {
            Some(fewer) => chosen = fewer,
            None => break,
        }
    }
    chosen.sort_unstable();
    chosen
}

/// What is wanted and shown by the candidates `by`, but by none of the other chosen ones.
pub(super) fn only_shown_by(pool: &[Candidate], wanted: &AtomSet, chosen: &[usize], by: &[usize]) -> AtomSet {
    let others = chosen.iter().filter(|position| !by.contains(position));
    let shown: BTreeSet<u32> =
        others.filter_map(|position| pool.get(*position)).flat_map(|one| one.shown.iter().copied()).collect();
    let own = by.iter().filter_map(|position| pool.get(*position)).flat_map(|one| one.shown.iter().copied());
    own.filter(|one| wanted.contains(one) && !shown.contains(one)).collect()
}

fn possible(pool: &[Candidate], wanted: &AtomSet) -> AtomSet {
    let shown = pool.iter().flat_map(|candidate| candidate.shown.iter().copied());
    shown.filter(|one| wanted.contains(one)).collect()
}

/// Chooses, again and again, the candidate that shows most of what is missing.
fn greedy(pool: &[Candidate], wanted: &AtomSet) -> Vec<usize> {
    let mut missing = possible(pool, wanted);
    let mut chosen = Vec::new();
    while !missing.is_empty() {
        let best = pool.iter().enumerate().max_by_key(|(position, candidate)| {
            let new = candidate.shown.intersection(&missing).count();
            (new, std::cmp::Reverse((candidate.faults, candidate.visits, *position)))
        });
        let Some((position, candidate)) = best else { break };
        missing = missing.difference(&candidate.shown).copied().collect();
        chosen.push(position);
    }
    chosen
}

/// Removes candidates that are not needed, the longest runs first.
fn reduced(pool: &[Candidate], wanted: &AtomSet, mut chosen: Vec<usize>) -> Vec<usize> {
    let mut order = chosen.clone();
    order.arrange_by_key(|position| {
        let cost = pool.get(*position).map(|candidate| (candidate.faults, candidate.visits));
        (std::cmp::Reverse(cost), *position)
    });
    for position in order {
        if only_shown_by(pool, wanted, &chosen, &[position]).is_empty() {
            chosen.retain(|other| *other != position);
        }
    }
    chosen
}

/// A search for a choice of a given size.
struct Search<'p> {
    pool: &'p [Candidate],
    left: usize,
}

impl Search<'_> {
    fn within(&mut self, missing: &AtomSet, most: usize) -> Option<Vec<usize>> {
        self.left = self.left.checked_sub(1)?;
        if missing.is_empty() {
            return Some(Vec::new());
        }
        let largest =
            self.pool.iter().map(|candidate| candidate.shown.intersection(missing).count()).max()?;
        if largest.saturating_mul(most) < missing.len() {
            return None;
        }
        // What the fewest candidates show is tried first.
        let showing = |wanted: &u32| self.pool.iter().filter(|one| one.shown.contains(wanted)).count();
        let rarest = missing.iter().min_by_key(|wanted| (showing(wanted), **wanted))?;
        let positions = self.pool.iter().enumerate().filter(|(_, one)| one.shown.contains(rarest));
        let mut positions: Vec<usize> = positions.map(|(position, _)| position).collect();
        positions.arrange_by_key(|position| {
            let candidate = self.pool.get(*position);
            let new = candidate.map_or(0, |candidate| candidate.shown.intersection(missing).count());
            (std::cmp::Reverse(new), candidate.map(|one| (one.faults, one.visits)), *position)
        });
        for position in positions {
            let shown = &self.pool.get(position)?.shown;
            let rest: AtomSet = missing.difference(shown).copied().collect();
            if let Some(mut found) = self.within(&rest, most - 1) {
                found.push(position);
                return Some(found);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario_generation::explored::candidate_of;

    /// Candidates as the letters that they show; the letters that are chosen.
    fn check_chosen(pool: &[&str], expected: &[&str]) {
        let atoms = |letters: &str| letters.bytes().map(u32::from).collect::<AtomSet>();
        let candidates: Vec<Candidate> = pool.iter().map(|letters| candidate_of(atoms(letters))).collect();
        let wanted = candidates.iter().flat_map(|one| one.shown.iter().copied()).collect();
        let found: Vec<&str> = chosen(&candidates, &wanted)
            .into_iter()
            .filter_map(|position| pool.get(position).copied())
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn the_fewest_are_chosen() {
        check_chosen(&[], &[]);
        check_chosen(&["a", "ab"], &["ab"]);
        check_chosen(&["ab", "bc", "c"], &["ab", "bc"]);
        // The largest one is not needed beside the two that the others need.
        check_chosen(&["abcd", "abe", "cdf"], &["abe", "cdf"]);
        // The choice of the most new each time takes three.
        check_chosen(&["bcdf", "abc", "def"], &["abc", "def"]);
        check_chosen(&["abcdef", "gabc", "hdef", "bcdx", "yaef"], &["gabc", "hdef", "bcdx", "yaef"]);
    }
}
