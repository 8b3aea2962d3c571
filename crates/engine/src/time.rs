//! Virtual time: milliseconds since a run began. Nothing here looks at a clock.

use std::ops::{Add, Sub};

/// A moment of a run, or a span of one, in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Millis(pub u64);

impl Millis {
    /// The moment that a run begins at.
    pub const ZERO: Millis = Millis(0);

    /// A number of milliseconds as documents write it: fractions are rounded down, and what is no span is none.
    #[must_use]
    pub fn from_f64(number: f64) -> Millis {
        // A float converts to the nearest whole number in range, and what is no number to 0.
        Millis(number as u64)
    }
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
