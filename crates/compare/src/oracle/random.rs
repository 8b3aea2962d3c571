//! Random choices that are the same on every machine: splitmix64.
//!
//! Input is a seed and the number of a case. Output is a stream of choices. Invariant: a case depends only on the seed
//! and its number, so each case can be generated again.

pub(crate) struct Random(u64);

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl Random {
    /// The choices of one case.
    pub(crate) fn for_case(seed: u64, case: u64) -> Random {
        let mut random = Random(seed);
        Random(random.next() ^ case.wrapping_mul(STEP))
    }

    /// A number below `bound`. 0 if `bound` is 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let bound = bound.max(1) as u64;
        usize::try_from((self.next() >> 11) % bound).unwrap_or(0)
    }

    /// True with a probability of `percent`.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the choices, which must not be empty.
    pub(crate) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
