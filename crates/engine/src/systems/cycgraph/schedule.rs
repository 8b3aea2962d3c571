//! The temperature of one of many rounds. It moves from a first to a last one in equal steps. In: both, the round,
//! and the number of rounds; out: a temperature. Invariant: the last round has the last one, as exactly as the
//! release computes it.

/// The temperature of a round; rounds count from 0.
pub(crate) fn temperature((first, last): (f64, f64), round: f64, rounds: f64) -> f64 {
    let progress = if rounds > 1.0 { round / (rounds - 1.0) } else { 1.0 };
    first + (last - first) * progress
}

#[cfg(test)]
mod tests {
    use super::temperature;

    #[test]
    fn temperatures_are_those_of_the_release() {
        let of = |round| temperature((1.0, 0.2), round, 3.0);
        assert_eq!([of(0.0), of(1.0), of(2.0)], [1.0, 0.6, 0.199_999_999_999_999_96]);
        assert_eq!(temperature((1.0, 0.2), 0.0, 1.0), 0.199_999_999_999_999_96);
    }
}
