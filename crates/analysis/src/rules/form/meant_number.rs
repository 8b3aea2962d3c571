//! The number that a text means where a number is wanted.
//!
//! Input: a value as it is written. Output: the number, as YAML and JSON write it. Invariant: what could mean several numbers means
//! none.

use nodewise_dialect::value::number_text;

/// The number that a text means: `20_000`, `$5`, `1,000`, `30s`, or a number only in YAML 1.1, such as `0b101` and `1:30`.
/// `None` if it means none.
pub(in crate::rules) fn of(source: &str) -> Option<String> {
    let text = source.trim_matches(['"', '\'']);
    if let Some(number) = old_number(text) {
        return Some(number_text(number));
    }
    let (digits, factor) = match text {
        _ if text.ends_with("ms") => (text.trim_end_matches("ms"), 1.0),
        _ if text.ends_with("min") => (text.trim_end_matches("min"), 60_000.0),
        _ if text.ends_with('s') => (text.trim_end_matches('s'), 1000.0),
        _ if text.ends_with('m') => (text.trim_end_matches('m'), 60_000.0),
        _ => (text.trim_start_matches(['$', '€']), 1.0),
    };
    let plain = digits.trim().replace(['_', ','], "");
    let is_plain = plain.starts_with(|first: char| first.is_ascii_digit())
        && plain.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number: f64 = plain.parse().ok().filter(|_| is_plain)?;
    Some(number_text(number * factor))
}

/// A number that YAML 1.1 has and YAML 1.2 does not: digits with `_` between them, also binary and hexadecimal, and
/// sexagesimal numbers, with an optional sign.
fn old_number(text: &str) -> Option<f64> {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = rest.replace('_', "");
    let of_radix = |prefix: &str, radix| {
        let digits = digits.strip_prefix(prefix)?.to_ascii_lowercase();
        u32::from_str_radix(&digits, radix).ok().map(f64::from)
    };
    let is_decimal = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let sexagesimal = || {
        let (first, others) = digits.split_once(':')?;
        let parts = others.split(':').map(|part| part.parse().ok().filter(|number: &u32| *number < 60));
        let parts: Vec<u32> = parts.collect::<Option<_>>()?;
        let first: u32 = first.parse().ok().filter(|_| is_decimal(first))?;
        Some(parts.into_iter().fold(f64::from(first), |sum, part| sum * 60.0 + f64::from(part)))
    };
    let is_grouped = rest.contains('_') && digits.split('.').all(is_decimal);
    let grouped = || digits.parse().ok().filter(|_| is_grouped);
    let number: Option<f64> =
        of_radix("0b", 2).or_else(|| of_radix("0x", 16)).or_else(sexagesimal).or_else(grouped);
    number.map(|number| sign * number)
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_of_older_yaml() {
        let numbers = [
            ("20_000", Some("20000")),
            ("-1_000.5", Some("-1000.5")),
            ("+1_000", Some("1000")),
            ("0b1010_0111", Some("167")),
            ("0xFF_FF", Some("65535")),
            ("1:30", Some("90")),
            ("1:00:00", Some("3600")),
            ("1:75", None),
            ("a:30", None),
            ("0b12", None),
            ("_", None),
            ("$5", Some("5")),
            ("30s", Some("30000")),
        ];
        for (text, number) in numbers {
            assert_eq!(super::of(text).as_deref(), number, "{text}");
        }
    }
}
