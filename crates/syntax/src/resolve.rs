//! What a plain scalar means under the core schema of YAML 1.2.2 (section 10.3.2).
//!
//! Input: the scalar's text. Output: its value. Invariant: what no rule of the schema matches is text.

/// The value of a scalar under the core schema.
#[derive(Clone, Debug, PartialEq)]
pub enum ScalarValue {
    /// `null`, `~`, or nothing.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer that fits in 64 bits.
    Int(i64),
    /// An integer that does not: its digits are in the scalar's text.
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

/// True when a plain scalar is text to the core schema.
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
