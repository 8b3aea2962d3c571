//! Moments of a run as text, in the form of the release. In: virtual time; out: a text. Invariant: every run begins
//! in 1970.

use nodewise_expr::value::Value;

use crate::time::Millis;

/// A moment as a text.
pub(crate) fn text(at: Millis) -> Value {
    Value::Text(at.since_1970().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_moment(at: u64, expected: &str) {
        assert_eq!(text(Millis(at)), expected.into());
    }

    #[test]
    fn moments_are_dates_and_times() {
        check_moment(0, "1970-01-01T00:00:00.000Z");
        check_moment(951_782_400_000 + 3_723_004, "2000-02-29T01:02:03.004Z");
        check_moment(1_704_067_199_999, "2023-12-31T23:59:59.999Z");
    }
}
