//! Moments of the wall clock, and how people read them.
//!
//! Input: the system's clock; output: milliseconds, and calendar days. Invariant: what is shown is in UTC, so that the same
//! store reads the same everywhere.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

/// A moment of the wall clock, in milliseconds since 1970 in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(pub i64);

/// A moment as calendar date and time, in UTC.
pub(crate) struct Date {
    pub(crate) year: i64,
    pub(crate) month: i64,
    pub(crate) day: i64,
    pub(crate) hour: i64,
    pub(crate) minute: i64,
    pub(crate) second: i64,
}

const MS_PER_S: i64 = 1000;
const S_PER_DAY: i64 = 86_400;

impl Moment {
    #[must_use]
    pub fn now() -> Moment {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Moment(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    /// The moment in the format of ISO 8601: `2026-11-22T13:04:39.123Z`.
    #[must_use]
    pub fn iso(self) -> String {
        let shown = self.to_string().replace(' ', "T");
        format!("{shown}.{:03}Z", self.0.rem_euclid(MS_PER_S))
    }

    /// The date and the time of the moment.
    pub(crate) fn date(self) -> Date {
        let seconds = self.0.div_euclid(MS_PER_S);
        let (days, of_day) = (seconds.div_euclid(S_PER_DAY), seconds.rem_euclid(S_PER_DAY));
        let (year, month, day) = civil(days);
        Date { year, month, day, hour: of_day / 3600, minute: of_day / 60 % 60, second: of_day % 60 }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Date { year, month, day, hour, minute, second } = self.date();
        write!(formatter, "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
    }
}

/// The calendar date of a number of days after 1970-01-01. Years are counted from March, so that the leap day comes last.
fn civil(days: i64) -> (i64, i64, i64) {
    const DAYS_PER_ERA: i64 = 146_097;
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(DAYS_PER_ERA), shifted.rem_euclid(DAYS_PER_ERA));
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::Moment;

    #[test]
    fn moments_are_read_in_the_calendar() {
        for (ms, shown) in [
            (0, "1970-01-01 00:00:00"),
            (951_782_400_000, "2000-02-29 00:00:00"),
            (1_795_352_679_999, "2026-11-22 13:04:39"),
            (4_107_542_399_000, "2100-02-28 23:59:59"),
            (4_107_542_400_000, "2100-03-01 00:00:00"),
            (-1, "1969-12-31 23:59:59"),
        ] {
            assert_eq!(Moment(ms).to_string(), shown);
        }
        assert_eq!(Moment(1_795_352_679_045).iso(), "2026-11-22T13:04:39.045Z");
        assert_eq!(Moment(-1).iso(), "1969-12-31T23:59:59.999Z");
    }
}
