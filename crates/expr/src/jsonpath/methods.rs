//! The functions that a script may call on texts, lists, numbers and regular expressions.
//!
//! Input: a value, a name, arguments; output: a value, or the release's exception. Invariant: no result is longer
//! than [`LONGEST`], and no text longer than [`LONGEST_MATCHED`] is matched.

use smol_str::SmolStr;

use crate::ast::Pattern;
use crate::javascript::{is_blank, length, same_value_zero, to_number, to_text};
use crate::pattern::{Regex, repeats_repetition};
use crate::value::Value;

/// The message about functions that JavaScript has, but nodewise cannot run.
pub(super) const UNSUPPORTED: &str = "nodewise does not run this function";

/// The length limit of a result, in UTF-16 units or items.
const LONGEST: usize = 1 << 20;

/// The length limit of a text that is matched against a regular expression.
const LONGEST_MATCHED: usize = 10_000;

type Outcome = Result<Value, String>;

/// The result of a function of a value.
pub(super) fn call(object: &Value, name: &str, arguments: &[Value]) -> Outcome {
    let arguments = Arguments(arguments);
    match (object, name) {
        (_, "hasOwnProperty") => Ok(Value::Bool(has_own(object, &arguments.text(0)))),
        (_, "toString") if arguments.0.is_empty() => Ok(text(&to_text(object))),
        (_, "valueOf") => Ok(object.clone()),
        (Value::Text(value), _) => of_text(value, name, &arguments),
        (Value::List(items), _) => of_list(items, name, &arguments),
        (Value::Pattern(pattern), "test") => Ok(Value::Bool(!is_null(&exec(pattern, &arguments.text(0))?))),
        (Value::Pattern(pattern), "exec") => exec(pattern, &arguments.text(0)),
        (Value::Number(number), "toFixed") => to_fixed(*number, arguments.integer(0)),
        _ => unsupported(),
    }
}

/// Whether a value has a part of its own under a name.
pub(super) fn has_own(value: &Value, name: &str) -> bool {
    let is_index = |length: usize| {
        name == "length"
            || name.parse::<usize>().is_ok_and(|index| index < length && index.to_string() == name)
    };
    match value {
        Value::Map(map) => map.get(name).is_some(),
        Value::List(items) => is_index(items.len()),
        Value::Text(text) => is_index(length(text)),
        _ => false,
    }
}

/// The arguments of a call. Missing ones are undefined.
struct Arguments<'a>(&'a [Value]);

impl Arguments<'_> {
    fn value(&self, index: usize) -> &Value {
        self.0.get(index).unwrap_or(&Value::Undefined)
    }

    fn text(&self, index: usize) -> String {
        to_text(self.value(index))
    }

    /// The argument as a whole number; 0 if it is not a number.
    fn integer(&self, index: usize) -> f64 {
        let number = to_number(self.value(index));
        if number.is_nan() { 0.0 } else { number.trunc() }
    }

    fn is_given(&self, index: usize) -> bool {
        !matches!(self.value(index), Value::Undefined)
    }

    /// The argument as a position from 0 to `length`. A negative one counts from the end.
    fn relative(&self, index: usize, length: usize, default: usize) -> usize {
        if !self.is_given(index) {
            return default;
        }
        let position = self.integer(index);
        clamp(if position < 0.0 { position + length as f64 } else { position }, length)
    }

    /// The argument as a position from 0 to `length`.
    fn position(&self, index: usize, length: usize, default: usize) -> usize {
        if self.is_given(index) { clamp(self.integer(index), length) } else { default }
    }
}

fn clamp(position: f64, length: usize) -> usize {
    // A cast makes negative numbers 0.
    (position as usize).min(length)
}

fn unsupported() -> Outcome {
    Err(UNSUPPORTED.to_owned())
}

fn text(value: &str) -> Value {
    Value::Text(SmolStr::new(value))
}

fn is_null(value: &Value) -> bool {
    matches!(value, Value::Null)
}

fn units(value: &str) -> Vec<u16> {
    value.encode_utf16().collect()
}

fn of_units(units: &[u16]) -> Value {
    text(&String::from_utf16_lossy(units))
}

fn of_text(value: &SmolStr, name: &str, arguments: &Arguments<'_>) -> Outcome {
    match name {
        "toLowerCase" => Ok(text(&value.to_lowercase())),
        "toUpperCase" => Ok(text(&value.to_uppercase())),
        "trim" => Ok(text(value.trim_matches(is_blank))),
        "trimStart" | "trimLeft" => Ok(text(value.trim_start_matches(is_blank))),
        "trimEnd" | "trimRight" => Ok(text(value.trim_end_matches(is_blank))),
        "concat" => {
            let parts: Vec<String> = arguments.0.iter().map(to_text).collect();
            Ok(text(&format!("{value}{}", parts.concat())))
        }
        "includes" | "startsWith" | "endsWith" => searched(value, name, arguments),
        "match" => matched(value, arguments.value(0)),
        "search" => match pattern_of(arguments.value(0))? {
            Some(pattern) => {
                let found = regex(&pattern, value)?.ranges(value).into_iter().next();
                let before = found.and_then(|range| value.get(..range.start));
                Ok(Value::Number(before.map_or(-1.0, |before| length(before) as f64)))
            }
            None => unsupported(),
        },
        "replace" | "replaceAll" => replaced(value, name, arguments),
        "split" => split(value, arguments),
        "repeat" => repeated(value, arguments),
        "padStart" | "padEnd" => padded(value, name, arguments),
        _ => of_text_units(&units(value), name, arguments),
    }
}

fn of_text_units(value: &[u16], name: &str, arguments: &Arguments<'_>) -> Outcome {
    let length = value.len();
    let at = |position: f64| if position < 0.0 { None } else { value.get(position as usize) };
    let part = |from: usize, to: usize| Ok(of_units(value.get(from..to.max(from)).unwrap_or_default()));
    match name {
        "indexOf" | "lastIndexOf" => {
            let wanted = units(&arguments.text(0));
            let start = arguments.position(1, length, 0);
            let found = if name == "indexOf" {
                index_of(value, &wanted, start)
            } else if arguments.is_given(1) {
                return unsupported();
            } else {
                last_index_of(value, &wanted)
            };
            Ok(Value::Number(found.map_or(-1.0, |found| found as f64)))
        }
        "slice" => part(arguments.relative(0, length, 0), arguments.relative(1, length, length)),
        "substring" => {
            let (one, other) = (arguments.position(0, length, 0), arguments.position(1, length, length));
            part(one.min(other), one.max(other))
        }
        "substr" => {
            let start = arguments.relative(0, length, 0);
            let count = arguments.position(1, length, length);
            part(start, start.saturating_add(count).min(length))
        }
        "charAt" => Ok(at(arguments.integer(0)).map_or_else(|| text(""), |unit| of_units(&[*unit]))),
        "at" => {
            let position = arguments.integer(0);
            let found = at(if position < 0.0 { position + length as f64 } else { position });
            Ok(found.map_or(Value::Undefined, |unit| of_units(&[*unit])))
        }
        "charCodeAt" => Ok(Value::Number(at(arguments.integer(0)).map_or(f64::NAN, |unit| f64::from(*unit)))),
        _ => unsupported(),
    }
}

fn index_of(value: &[u16], wanted: &[u16], start: usize) -> Option<usize> {
    if wanted.is_empty() {
        return Some(start);
    }
    // The search of the standard library takes linear time, and a window's start is found again by its prefix.
    let rest = value.get(start..)?;
    let (rest, wanted) = (String::from_utf16(rest).ok()?, String::from_utf16(wanted).ok()?);
    let before = rest.get(..rest.find(&wanted)?)?;
    Some(start + length(before))
}

fn last_index_of(value: &[u16], wanted: &[u16]) -> Option<usize> {
    let (value, wanted) = (String::from_utf16(value).ok()?, String::from_utf16(wanted).ok()?);
    let before = value.get(..value.rfind(&wanted)?)?;
    Some(length(before))
}

/// Whether a text contains another one, begins with it, or ends with it.
fn searched(value: &str, name: &str, arguments: &Arguments<'_>) -> Outcome {
    if matches!(arguments.value(0), Value::Pattern(_)) {
        let message = format!("First argument to String.prototype.{name} must not be a regular expression");
        return Err(message);
    }
    let wanted = arguments.text(0);
    let value = units(value);
    let part = if name == "endsWith" {
        value.get(..arguments.position(1, value.len(), value.len()))
    } else {
        value.get(arguments.position(1, value.len(), 0)..)
    };
    let part = String::from_utf16_lossy(part.unwrap_or_default());
    Ok(Value::Bool(match name {
        "includes" => part.contains(&wanted),
        "startsWith" => part.starts_with(&wanted),
        _ => part.ends_with(&wanted),
    }))
}

/// The pattern that an argument is, or that it means as a text; `None` if it is neither.
fn pattern_of(value: &Value) -> Result<Option<Pattern>, String> {
    Ok(match value {
        Value::Pattern(pattern) => Some(pattern.clone()),
        Value::Text(source) => Some(Pattern { source: source.clone(), flags: SmolStr::default() }),
        _ => None,
    })
}

/// The compiled regular expression. An error if it is invalid, or could take too long on this text.
fn regex(pattern: &Pattern, text: &str) -> Result<Regex, String> {
    if repeats_repetition(&pattern.source) || text.len() > LONGEST_MATCHED || pattern.flags.contains('y') {
        return Err(UNSUPPORTED.to_owned());
    }
    Regex::new(pattern).map_err(|reason| {
        format!("Invalid regular expression: /{}/{}: {reason}", pattern.source, pattern.flags)
    })
}

fn groups(regex: &Regex, subject: &str) -> Value {
    regex.groups(subject).map_or(Value::Null, |groups| {
        let part = |range| text(subject.get(range).unwrap_or_default());
        groups.into_iter().map(|group| group.map_or(Value::Undefined, part)).collect()
    })
}

fn matched(value: &str, wanted: &Value) -> Outcome {
    let Some(pattern) = pattern_of(wanted)? else { return unsupported() };
    let regex = regex(&pattern, value)?;
    if !pattern.flags.contains('g') {
        return Ok(groups(&regex, value));
    }
    let found = regex.ranges(value);
    if found.is_empty() {
        return Ok(Value::Null);
    }
    Ok(found.into_iter().map(|range| text(value.get(range).unwrap_or_default())).collect())
}

/// The match and its groups. A global pattern is refused: JavaScript continues it where it stopped, even for the next
/// child.
fn exec(pattern: &Pattern, subject: &str) -> Outcome {
    if pattern.flags.contains('g') {
        return unsupported();
    }
    Ok(groups(&regex(pattern, subject)?, subject))
}

fn replaced(value: &str, name: &str, arguments: &Arguments<'_>) -> Outcome {
    let replacement = arguments.text(1);
    if replacement.contains('$') || matches!(arguments.value(1), Value::Function(_)) {
        return unsupported();
    }
    let mut ranges = match arguments.value(0) {
        Value::Pattern(pattern) => {
            let is_global = pattern.flags.contains('g');
            if name == "replaceAll" && !is_global {
                return Err("replaceAll must be called with a global RegExp".to_owned());
            }
            let mut ranges = regex(pattern, value)?.ranges(value);
            ranges.truncate(if is_global { ranges.len() } else { 1 });
            ranges
        }
        wanted => {
            let wanted = to_text(wanted);
            value.match_indices(&wanted).map(|(at, found)| at..at + found.len()).collect()
        }
    };
    if name == "replace" && !matches!(arguments.value(0), Value::Pattern(_)) {
        ranges.truncate(1);
    }
    if ranges.len().saturating_mul(replacement.len()).saturating_add(value.len()) > LONGEST {
        return unsupported();
    }
    let mut out = String::with_capacity(value.len());
    let mut end = 0;
    for range in ranges {
        out.push_str(value.get(end..range.start).unwrap_or_default());
        out.push_str(&replacement);
        end = range.end;
    }
    out.push_str(value.get(end..).unwrap_or_default());
    Ok(text(&out))
}

fn split(value: &str, arguments: &Arguments<'_>) -> Outcome {
    let separator = match arguments.value(0) {
        Value::Undefined => return Ok([text(value)].into_iter().collect()),
        Value::Pattern(_) => return unsupported(),
        separator => to_text(separator),
    };
    if arguments.is_given(1) {
        return unsupported();
    }
    if separator.is_empty() {
        return Ok(units(value).iter().map(|unit| of_units(&[*unit])).collect());
    }
    Ok(value.split(&separator).map(text).collect())
}

fn repeated(value: &str, arguments: &Arguments<'_>) -> Outcome {
    let count = arguments.integer(0);
    if count < 0.0 || count.is_infinite() {
        return Err(format!("Invalid count value: {}", arguments.text(0)));
    }
    if count * value.len() as f64 > LONGEST as f64 {
        return unsupported();
    }
    Ok(text(&value.repeat(count as usize)))
}

fn padded(value: &str, name: &str, arguments: &Arguments<'_>) -> Outcome {
    let wanted = arguments.integer(0);
    let own = length(value);
    let filler = if arguments.is_given(1) { arguments.text(1) } else { " ".to_owned() };
    if wanted <= own as f64 || filler.is_empty() {
        return Ok(text(value));
    }
    if wanted > LONGEST as f64 {
        return unsupported();
    }
    let filler = units(&filler);
    let padding: Vec<u16> = filler.iter().copied().cycle().take(wanted as usize - own).collect();
    let padding = String::from_utf16_lossy(&padding);
    Ok(text(&if name == "padStart" { format!("{padding}{value}") } else { format!("{value}{padding}") }))
}

fn of_list(items: &[Value], name: &str, arguments: &Arguments<'_>) -> Outcome {
    let length = items.len();
    let wanted = arguments.value(0);
    let number = |found: Option<usize>| Ok(Value::Number(found.map_or(-1.0, |found| found as f64)));
    match name {
        "includes" => Ok(Value::Bool(items.iter().any(|item| same_value_zero(item, wanted)))),
        "indexOf" if !arguments.is_given(1) => number(items.iter().position(|item| item.is_same(wanted))),
        "lastIndexOf" if !arguments.is_given(1) => {
            number(items.iter().rposition(|item| item.is_same(wanted)))
        }
        "join" => {
            let separator = if arguments.is_given(0) { arguments.text(0) } else { ",".to_owned() };
            joined(items, &separator)
        }
        "slice" => {
            let (from, to) = (arguments.relative(0, length, 0), arguments.relative(1, length, length));
            Ok(items.get(from..to.max(from)).unwrap_or_default().iter().cloned().collect())
        }
        "at" => {
            let position = arguments.integer(0);
            let position = if position < 0.0 { position + length as f64 } else { position };
            let found = if position < 0.0 { None } else { items.get(position as usize) };
            Ok(found.cloned().unwrap_or(Value::Undefined))
        }
        "concat" => {
            let mut out = items.to_vec();
            for argument in arguments.0 {
                match argument {
                    Value::List(items) => out.extend(items.iter().cloned()),
                    other => out.push(other.clone()),
                }
            }
            Ok(out.into_iter().collect())
        }
        _ => unsupported(),
    }
}

fn joined(items: &[Value], separator: &str) -> Outcome {
    if items.len().saturating_mul(separator.len()) > LONGEST {
        return unsupported();
    }
    let texts: Vec<String> = items
        .iter()
        .map(|item| match item {
            Value::Undefined | Value::Null => String::new(),
            item => to_text(item),
        })
        .collect();
    Ok(text(&texts.join(separator)))
}

fn to_fixed(number: f64, digits: f64) -> Outcome {
    if !(0.0..=100.0).contains(&digits) {
        return Err("toFixed() digits argument must be between 0 and 100".to_owned());
    }
    if !number.is_finite() || number.abs() >= 1e21 {
        return Ok(text(&to_text(&Value::Number(number))));
    }
    // Rust rounds the exact value, half to even; JavaScript rounds half up. They only differ for exact halves.
    let places = digits as usize;
    let shown = format!("{number:.places$}");
    let scale = 10f64.powi(digits as i32);
    let is_half = (number.abs() * scale).fract() == 0.5 && places < 16;
    if is_half && number > 0.0 {
        return Ok(text(&format!("{:.places$}", (number * scale).ceil() / scale)));
    }
    Ok(text(&shown))
}
