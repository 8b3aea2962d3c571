//! What a plain scalar means under the core schema of YAML 1.2.2 (section 10.3.2).
//!
//! Input: the scalar's text. Output: its value. Invariant: what no rule of the schema matches is text.

/// The value of a scalar under the core schema.
#[derive(Clone, Debug, PartialEq)]
pub enum ScalarValue {
    /// `null`, `~`, or no text.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer that fits in 64 bits.
    Int(i64),
    /// An integer that does not fit. Its digits are in the scalar's text.
    BigInt,
    /// A number with a fraction or an exponent, `.inf`, `.nan`.
    Float(f64),
    /// Anything else.
    Text,
}

/// Resolves a plain scalar.
pub(crate) fn resolve(text: &str) -> ScalarValue {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return ScalarValue::Null,
        "true" | "True" | "TRUE" => return ScalarValue::Bool(true),
        "false" | "False" | "FALSE" => return ScalarValue::Bool(false),
        ".nan" | ".NaN" | ".NAN" => return ScalarValue::Float(f64::NAN),
        _ => {}
    }
    if !text.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '+' | '-' | '.')) {
        return ScalarValue::Text;
    }
    integer(text).or_else(|| float(text)).unwrap_or(ScalarValue::Text)
}

/// True when a plain scalar is a text in the core schema.
pub(crate) fn is_text(text: &str) -> bool {
    resolve(text) == ScalarValue::Text
}

fn integer(text: &str) -> Option<ScalarValue> {
    let (digits, radix) = if let Some(octal) = text.strip_prefix("0o") {
        (octal, 8)
    } else if let Some(hexadecimal) = text.strip_prefix("0x") {
        (hexadecimal, 16)
    } else {
        (text.strip_prefix(['+', '-']).unwrap_or(text), 10)
    };
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    let number = if radix == 10 { text.parse().ok() } else { i64::from_str_radix(digits, radix).ok() };
    Some(number.map_or(ScalarValue::BigInt, ScalarValue::Int))
}

fn float(text: &str) -> Option<ScalarValue> {
    let (sign, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") {
        return Some(ScalarValue::Float(sign * f64::INFINITY));
    }
    let is_float_character =
        |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-');
    let has_digit = unsigned.bytes().next().is_some_and(|byte| byte.is_ascii_digit())
        || unsigned
            .strip_prefix('.')
            .is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()));
    if !has_digit || !unsigned.bytes().all(is_float_character) {
        return None;
    }
    unsigned.parse::<f64>().ok().map(|number| ScalarValue::Float(sign * number))
}

#[cfg(test)]
mod tests {
    use super::{ScalarValue, resolve};
    use crate::parse;

    fn check_resolved(text: &str, expected: ScalarValue) {
        assert_eq!(resolve(text), expected, "{text:?}");
    }

    #[test]
    fn core_schema() {
        let integers =
            [("0", 0), ("-0", 0), ("+12", 12), ("-12", -12), ("0o17", 15), ("0xFf", 255), ("007", 7)];
        for (text, number) in integers {
            check_resolved(text, ScalarValue::Int(number));
        }
        check_resolved("9223372036854775807", ScalarValue::Int(i64::MAX));
        check_resolved("-9223372036854775808", ScalarValue::Int(i64::MIN));
        check_resolved("9223372036854775808", ScalarValue::BigInt);
        let floats = [
            ("1.5", 1.5),
            ("-.5", -0.5),
            ("1.", 1.0),
            ("1e3", 1000.0),
            ("+1.5E-1", 0.15),
            (".inf", f64::INFINITY),
        ];
        for (text, number) in floats {
            check_resolved(text, ScalarValue::Float(number));
        }
        check_resolved("-.INF", ScalarValue::Float(f64::NEG_INFINITY));
        assert!(matches!(resolve(".nan"), ScalarValue::Float(number) if number.is_nan()));
        for text in ["", "~", "null", "Null", "NULL"] {
            check_resolved(text, ScalarValue::Null);
        }
        check_resolved("true", ScalarValue::Bool(true));
        check_resolved("FALSE", ScalarValue::Bool(false));
        for text in [
            "yes", "no", "on", "nULL", "1_000", "0b1", "0o8", "0xg", "1.2.3", "-", "+", ".", "1e", "e3",
            "inf", "-0x1", "1-2",
        ] {
            check_resolved(text, ScalarValue::Text);
        }
    }

    #[test]
    fn quotes_and_tags_decide() {
        let cases = [
            ("1", ScalarValue::Int(1)),
            ("'1'", ScalarValue::Text),
            ("!!str 1", ScalarValue::Text),
            ("! 1", ScalarValue::Text),
            ("!!int \"1\"", ScalarValue::Int(1)),
            ("|\n 1", ScalarValue::Text),
        ];
        for (text, expected) in cases {
            let tree = parse(text);
            let root = tree.documents().next().and_then(|document| document.root()).unwrap();
            assert_eq!(root.as_scalar().unwrap().resolve(), expected, "{text:?}");
        }
    }
}
