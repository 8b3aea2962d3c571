//! The functions of filtrex, and those that cycgraph adds.
//!
//! Input: a name; output: its entry in the table. Invariant: a function accepts any arguments; a missing one is
//! undefined, and further ones are ignored.

use crate::builtins::{Arguments, Arity, Body, Builtin};
use crate::javascript::{length, same_value_zero, to_number, type_name};
use crate::types::ValueType;
use crate::value::Value;

/// The function with this name.
pub fn function(name: &str) -> Option<&'static Builtin> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

pub static FUNCTIONS: &[Builtin] = &[
    numeric("abs", "abs(number)", "The number without its sign.", |values| of_first(values, f64::abs)),
    numeric("ceil", "ceil(number)", "The next whole number upwards.", |values| of_first(values, f64::ceil)),
    numeric("floor", "floor(number)", "The next whole number downwards.", |values| {
        of_first(values, f64::floor)
    }),
    numeric("round", "round(number)", "The nearest whole number; a half goes upwards.", |values| {
        of_first(values, round)
    }),
    numeric("sqrt", "sqrt(number)", "The square root.", |values| of_first(values, f64::sqrt)),
    numeric("log", "log(number)", "The natural logarithm.", |values| of_first(values, f64::ln)),
    numeric("log2", "log2(number)", "The logarithm to base 2.", |values| of_first(values, f64::log2)),
    numeric("log10", "log10(number)", "The logarithm to base 10.", |values| of_first(values, f64::log10)),
    Builtin {
        arity: Arity::Any,
        ..numeric("max", "max(number, ...)", "The greatest of the numbers.", |values| {
            extreme(values, f64::NEG_INFINITY, |value, best| {
                value > best || (value == best && best.is_sign_negative())
            })
        })
    },
    Builtin {
        arity: Arity::Any,
        ..numeric("min", "min(number, ...)", "The least of the numbers.", |values| {
            extreme(values, f64::INFINITY, |value, best| {
                value < best || (value == best && value.is_sign_negative())
            })
        })
    },
    function_of(
        "exists",
        "exists(value)",
        "True unless the value is missing or null.",
        ValueType::Bool,
        |values| Ok(Value::Bool(!matches!(first(values), Value::Undefined | Value::Null))),
    ),
    function_of(
        "empty",
        "empty(value)",
        "True when the value is missing, null, an empty text or an empty list. Mappings are never empty.",
        ValueType::Bool,
        |values| {
            Ok(Value::Bool(match first(values) {
                Value::Undefined | Value::Null => true,
                Value::Text(text) => text.is_empty(),
                Value::List(items) => items.is_empty(),
                _ => false,
            }))
        },
    ),
    function_of(
        "length",
        "length(value)",
        "How many elements a list or characters a text has; 0 for anything else.",
        ValueType::Number,
        |values| {
            Ok(Value::Number(match first(values) {
                Value::Text(text) => length(text) as f64,
                Value::List(items) => items.len() as f64,
                _ => 0.0,
            }))
        },
    ),
    function_of("lower", "lower(text)", "The text in small letters.", ValueType::Unknown, |values| {
        Ok(of_text(first(values), str::to_lowercase))
    }),
    function_of("upper", "upper(text)", "The text in capital letters.", ValueType::Unknown, |values| {
        Ok(of_text(first(values), str::to_uppercase))
    }),
    function_of(
        "typeof",
        "typeof(value)",
        "The name of the value's type: `undefined`, `null`, `boolean`, `number`, `string` or `object`, which a list \
         is too.",
        ValueType::Text,
        |values| {
            Ok(Value::from(match first(values) {
                Value::Null => "null",
                value => type_name(value),
            }))
        },
    ),
    Builtin {
        arity: Arity::Usually(2),
        ..function_of(
            "includes",
            "includes(list, value)",
            "Whether the value is an element of the list; false for anything that is no list, texts included.",
            ValueType::Bool,
            |values| {
                let missing = Value::Undefined;
                let wanted = values.get(1).unwrap_or(&missing);
                Ok(Value::Bool(match first(values) {
                    Value::List(items) => items.iter().any(|item| same_value_zero(item, wanted)),
                    _ => false,
                }))
            },
        )
    },
    function_of(
        "number",
        "number(value)",
        "The number that a text says; 0 where it says none.",
        ValueType::Number,
        |values| {
            let number = to_number(first(values));
            Ok(Value::Number(if number.is_nan() { 0.0 } else { number }))
        },
    ),
];

type Values = fn(&[Value]) -> Result<Value, String>;

const fn numeric(name: &'static str, signature: &'static str, doc: &'static str, body: Values) -> Builtin {
    function_of(name, signature, doc, ValueType::Number, body)
}

const fn function_of(
    name: &'static str,
    signature: &'static str,
    doc: &'static str,
    result: ValueType,
    body: Values,
) -> Builtin {
    Builtin {
        name,
        signature,
        doc,
        arity: Arity::Usually(1),
        arguments: Arguments::Values,
        result,
        yields_moment: false,
        body: Body::OfValues(body),
    }
}

fn first(values: &[Value]) -> &Value {
    values.first().unwrap_or(&Value::Undefined)
}

fn of_first(values: &[Value], function: fn(f64) -> f64) -> Result<Value, String> {
    Ok(Value::Number(function(to_number(first(values)))))
}

fn of_text(value: &Value, function: fn(&str) -> String) -> Value {
    match value {
        Value::Text(text) => Value::from(function(text).as_str()),
        value => value.clone(),
    }
}

/// Rounds a number. A half is rounded up, and a negative number that becomes zero keeps its sign.
fn round(number: f64) -> f64 {
    let below = number.floor();
    let rounded = if number - below >= 0.5 { below + 1.0 } else { below };
    if rounded == 0.0 { rounded.copysign(number) } else { rounded }
}

/// The best of all values; NaN if one of them is not a number.
fn extreme(values: &[Value], worst: f64, is_better: fn(f64, f64) -> bool) -> Result<Value, String> {
    let numbers = values.iter().map(to_number);
    Ok(Value::Number(numbers.fold(worst, |best, number| {
        if best.is_nan() || number.is_nan() {
            f64::NAN
        } else if is_better(number, best) {
            number
        } else {
            best
        }
    })))
}
