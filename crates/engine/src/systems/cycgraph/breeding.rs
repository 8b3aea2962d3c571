//! Which candidate of a generation becomes the parent of the next one.
//!
//! Input: the fitness of each candidate, best first; output: the parent's position. Invariant: the choice is a function
//! of run, node and generation, as it is in the release.

/// How the parent is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Selection {
    /// The best candidate.
    Rank,
    /// The best of several candidates that are drawn at random.
    Tournament {
        /// How many are drawn.
        size: usize,
    },
    /// Any candidate; fitter ones are more likely.
    Roulette,
}

/// The position of the parent. `fitness` has the best candidate first.
pub(crate) fn parent(fitness: &[f64], selection: Selection, seed: &str) -> usize {
    let mut random = Mulberry::new(seed_of(seed));
    match selection {
        _ if fitness.len() < 2 => 0,
        Selection::Rank => 0,
        Selection::Tournament { size } => tournament(fitness, size, &mut random),
        Selection::Roulette => roulette(fitness, &mut random),
    }
}

fn tournament(fitness: &[f64], size: usize, random: &mut Mulberry) -> usize {
    let mut order: Vec<usize> = (0..fitness.len()).collect();
    let drawn = size.min(order.len());
    for place in 0..drawn {
        let other = place + (random.fraction() * (order.len() - place) as f64) as usize;
        let other = other.min(order.len() - 1);
        order.swap(place, other);
    }
    let of = |position: usize| fitness.get(position).copied().unwrap_or_default();
    let mut best = order.first().copied().unwrap_or_default();
    for candidate in order.into_iter().take(drawn) {
        if of(candidate) > of(best) {
            best = candidate;
        }
    }
    best
}

fn roulette(fitness: &[f64], random: &mut Mulberry) -> usize {
    let total: f64 = fitness.iter().fold(0.0, |total, fitness| total + fitness);
    if total == 0.0 {
        return 0;
    }
    let spin = random.fraction() * total;
    let mut reached = 0.0;
    let stop = fitness.iter().position(|fitness| {
        reached += fitness;
        reached >= spin
    });
    stop.unwrap_or(fitness.len() - 1)
}

/// The generator's first state, made from a text: 32-bit FNV-1a over UTF-16 units.
fn seed_of(text: &str) -> u32 {
    text.encode_utf16().fold(0x811C_9DC5, |hash, unit| (hash ^ u32::from(unit)).wrapping_mul(0x0100_0193))
}

/// The generator mulberry32.
struct Mulberry {
    state: u32,
}

impl Mulberry {
    fn new(seed: u32) -> Mulberry {
        Mulberry { state: seed }
    }

    /// The next random number: at least 0, and less than 1.
    fn fraction(&mut self) -> f64 {
        self.state = self.state.wrapping_add(0x6D2B_79F5);
        let mixed = (self.state ^ (self.state >> 15)).wrapping_mul(1 | self.state);
        let mixed = mixed.wrapping_add((mixed ^ (mixed >> 7)).wrapping_mul(61 | mixed)) ^ mixed;
        f64::from(mixed ^ (mixed >> 14)) / 4_294_967_296.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_is_the_published_hash() {
        // From the hash's own test vectors.
        assert_eq!([seed_of(""), seed_of("a"), seed_of("foobar")], [0x811C_9DC5, 0xE40C_292C, 0xBF9C_F968]);
    }

    #[test]
    fn the_best_is_the_parent_by_rank_and_where_it_is_alone() {
        assert_eq!(parent(&[0.9, 0.1], Selection::Rank, "x"), 0);
        assert_eq!(parent(&[0.9], Selection::Roulette, "x"), 0);
        assert_eq!(parent(&[], Selection::Tournament { size: 3 }, "x"), 0);
    }

    #[test]
    fn choices_are_those_of_the_release() {
        let fitness = [0.9, 0.7, 0.7, 0.2, 0.1];
        let chosen = |selection| {
            (0..8)
                .map(|generation| parent(&fitness, selection, &format!("run:node:{generation}")))
                .collect::<Vec<_>>()
        };
        // Drawn by a program of its own in JavaScript.
        assert_eq!(chosen(Selection::Tournament { size: 2 }), [0, 2, 3, 0, 2, 2, 2, 1]);
        assert_eq!(chosen(Selection::Roulette), [1, 2, 2, 4, 1, 2, 2, 2]);
        assert_eq!(chosen(Selection::Tournament { size: 9 }), [0; 8]);
    }

    #[test]
    fn without_fitness_the_first_is_the_parent() {
        assert_eq!(parent(&[0.0, 0.0], Selection::Roulette, "x"), 0);
    }
}
