//! Random numbers of a run: a function of the seed and of how many were drawn.

/// A generator of random numbers (splitmix64: one word of state, every seed is a good one).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A generator that starts from a seed.
    #[must_use]
    pub fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// The next random number: at least 0, and less than 1.
    pub fn fraction(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_of_a_seed_is_fixed() {
        let mut random = Random::new(7);
        let drawn = [random.bits(), random.bits(), random.bits()];
        let mut again = Random::new(7);
        assert_eq!(drawn, [again.bits(), again.bits(), again.bits()]);
        assert!((0..1000).map(|_| random.fraction()).all(|number| (0.0..1.0).contains(&number)));
    }
}
