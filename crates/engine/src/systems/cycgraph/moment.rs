//! Moments of a run as the release writes them. In: virtual time; out: a text. Invariant: runs begin in 1970.

use nodewise_expr::value::Value;
use smol_str::format_smolstr;

use crate::time::Millis;

const DAY: u64 = 86_400_000;

/// A moment as a text.
pub(crate) fn text(at: Millis) -> Value {
    let (days, of_day) = (at.0 / DAY, at.0 % DAY);
    let (year, month, day) = date(days);
    let (hour, minute, second) = (of_day / 3_600_000, of_day / 60_000 % 60, of_day / 1000 % 60);
    let milli = of_day % 1000;
    Value::Text(format_smolstr!(
        "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z"
    ))
}

/// The date so many days after the first one. Years are counted from March, so that leap days come last.
fn date(days: u64) -> (u64, u64, u64) {
    const OF_400_YEARS: u64 = 146_097;
    const FROM_MARCH_OF_0: u64 = 719_468;
    let days = days + FROM_MARCH_OF_0;
    let (era, of_era) = (days / OF_400_YEARS, days % OF_400_YEARS);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + next, month, day)
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
