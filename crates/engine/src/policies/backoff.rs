//! How the wait before another try grows.
//!
//! Input: the first wait and the number of the retry; output: a wait in milliseconds. Invariant: the result is what
//! the formula yields, in floating point; limits and rounding are the systems' own.

/// How the wait before another try grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backoff {
    /// It stays the same.
    Fixed,
    /// It grows by the first wait each time.
    Linear,
    /// It doubles each time.
    Exponential,
}

impl Backoff {
    /// The kind that a word names; an unknown word is `Fixed`.
    #[must_use]
    pub fn named(word: &str) -> Backoff {
        match word {
            "linear" => Backoff::Linear,
            "exponential" => Backoff::Exponential,
            _ => Backoff::Fixed,
        }
    }

    /// The wait before a retry. Retries count from 1, and the result has the unit of `first`.
    #[must_use]
    pub fn wait(self, first: f64, retry: u32) -> f64 {
        match self {
            Backoff::Fixed => first,
            Backoff::Linear => first * f64::from(retry),
            Backoff::Exponential => first * 2_f64.powf(f64::from(retry) - 1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Backoff;

    fn check_waits(word: &str, expected: [f64; 4]) {
        let backoff = Backoff::named(word);
        let waits: Vec<f64> = (1..=4).map(|retry| backoff.wait(10.0, retry)).collect();
        assert_eq!(waits, expected, "{word}");
    }

    #[test]
    fn waits_grow_as_the_word_says() {
        check_waits("fixed", [10.0, 10.0, 10.0, 10.0]);
        check_waits("linear", [10.0, 20.0, 30.0, 40.0]);
        check_waits("exponential", [10.0, 20.0, 40.0, 80.0]);
        check_waits("other", [10.0, 10.0, 10.0, 10.0]);
    }

    #[test]
    fn an_endless_wait_is_no_panic() {
        assert_eq!(Backoff::Exponential.wait(10.0, u32::MAX), f64::INFINITY);
    }
}
