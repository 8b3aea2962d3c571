//! RFC 3339 timestamps.
//!
//! Input: a text; output: seconds since 1970 UTC. Invariant: a text has a moment only if the RFC's grammar allows it
//! and its date exists.

/// The moment of a timestamp in seconds since 1970 UTC.
pub fn seconds(text: &str) -> Option<f64> {
    let mut rest = Reader { bytes: text.as_bytes() };
    let year = rest.number(4)?;
    rest.one_of(b"-")?;
    let month = rest.number(2)?;
    rest.one_of(b"-")?;
    let day = rest.number(2)?;
    rest.one_of(b"Tt ")?;
    let hour = rest.number(2)?;
    rest.one_of(b":")?;
    let minute = rest.number(2)?;
    rest.one_of(b":")?;
    let second = rest.number(2)?;
    let fraction = rest.fraction()?;
    let offset = rest.offset()?;
    let in_range = (1..=12).contains(&month)
        && (1..=days_in_month(year, month)).contains(&day)
        && hour < 24
        && minute < 60
        && second <= 60
        && rest.bytes.is_empty();
    let whole = days_since_1970(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - offset;
    in_range.then_some(whole as f64 + fraction)
}

/// The bytes that are not read yet.
struct Reader<'t> {
    bytes: &'t [u8],
}

impl Reader<'_> {
    fn one_of(&mut self, wanted: &[u8]) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        wanted.contains(first).then(|| {
            self.bytes = rest;
            *first
        })
    }

    fn number(&mut self, digits: usize) -> Option<i64> {
        let (number, rest) = self.bytes.split_at_checked(digits)?;
        self.bytes = rest;
        number
            .iter()
            .try_fold(0, |value, byte| byte.is_ascii_digit().then(|| value * 10 + i64::from(byte - b'0')))
    }

    /// The digits after a point. Both may be absent.
    fn fraction(&mut self) -> Option<f64> {
        if self.one_of(b".").is_none() {
            return Some(0.0);
        }
        let digits = self.bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (fraction, rest) = self.bytes.split_at_checked(digits)?;
        self.bytes = rest;
        std::str::from_utf8(fraction)
            .ok()
            .filter(|digits| !digits.is_empty())
            .and_then(|d| format!("0.{d}").parse().ok())
    }

    /// The distance from UTC in seconds.
    fn offset(&mut self) -> Option<i64> {
        let sign = match self.one_of(b"Zz+-")? {
            b'+' => 1,
            b'-' => -1,
            _ => return Some(0),
        };
        let hours = self.number(2)?;
        self.one_of(b":")?;
        let minutes = self.number(2)?;
        (hours < 24 && minutes < 60).then_some(sign * (hours * 3_600 + minutes * 60))
    }
}

fn is_leap_year(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap_year(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days between 1970-01-01 and a date of the Gregorian calendar.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let leap_days_before = |year: i64| {
        let last = year - 1;
        last.div_euclid(4) - last.div_euclid(100) + last.div_euclid(400)
    };
    let whole_years = (year - 1970) * 365 + leap_days_before(year) - leap_days_before(1970);
    let whole_months: i64 = (1..month).map(|earlier| days_in_month(year, earlier)).sum();
    whole_years + whole_months + day - 1
}

#[cfg(test)]
mod tests {
    use super::seconds;

    fn check_seconds(text: &str, expected: Option<f64>) {
        assert_eq!(seconds(text), expected, "{text}");
    }

    #[test]
    fn timestamps_have_a_moment() {
        check_seconds("1970-01-01T00:00:00Z", Some(0.0));
        check_seconds("2026-01-01T00:00:00Z", Some(1_767_225_600.0));
        check_seconds("2000-02-29t12:30:15.25z", Some(951_827_415.25));
        check_seconds("2026-01-01 01:30:00+01:30", Some(1_767_225_600.0));
        check_seconds("2025-12-31T19:00:00-05:00", Some(1_767_225_600.0));
        check_seconds("1969-12-31T23:59:59Z", Some(-1.0));
        check_seconds("0001-01-01T00:00:00Z", Some(-62_135_596_800.0));
        check_seconds("9999-12-31T23:59:60Z", Some(253_402_300_800.0));
    }

    #[test]
    fn other_texts_have_none() {
        for text in [
            "",
            "2026-01-01",
            "2026-01-01T00:00:00",
            "2026-01-01T00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z",
            "2026-01-00T00:00:00Z",
            "2026-01-01T24:00:00Z",
            "2026-01-01T00:00:00.Z",
            "2026-01-01T00:00:00+0100",
            "2026-01-01T00:00:00Zz",
            "٢٠٢٦-01-01T00:00:00Z",
            "+026-01-01T00:00:00Z",
        ] {
            check_seconds(text, None);
        }
    }
}
