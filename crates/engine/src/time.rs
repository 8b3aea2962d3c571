//! Virtual time: milliseconds since a run began. Nothing here looks at a clock.

use std::ops::{Add, Sub};

/// A moment of a run, or a span of one, in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Millis(pub u64);

impl Millis {
    /// The beginning of a run.
    pub const ZERO: Millis = Millis(0);

    /// Milliseconds from a number in a document. Fractions are rounded down; negative numbers and NaN are 0.
    #[must_use]
    pub fn from_f64(number: f64) -> Millis {
        // `as` limits a float to the range of the integer, and makes NaN 0.
        Millis(number as u64)
    }

    /// This long after the beginning of 1970, as programs write it: `2026-11-22T13:04:39.123Z`.
    #[must_use]
    pub fn since_1970(self) -> String {
        const DAY: u64 = 86_400_000;
        let (days, of_day) = (self.0 / DAY, self.0 % DAY);
        let (year, month, day) = date(days);
        let (hour, minute, second) = (of_day / 3_600_000, of_day / 60_000 % 60, of_day / 1000 % 60);
        let milli = of_day % 1000;
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
    }
}

/// Year, month and day, this many days after 1970-01-01. Years begin in March here, so that leap days come last.
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

impl Add for Millis {
    type Output = Millis;

    fn add(self, other: Millis) -> Millis {
        Millis(self.0.saturating_add(other.0))
    }
}

impl Sub for Millis {
    type Output = Millis;

    fn sub(self, other: Millis) -> Millis {
        Millis(self.0.saturating_sub(other.0))
    }
}
