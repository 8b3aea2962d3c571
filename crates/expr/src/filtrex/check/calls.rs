//! Calls of functions that do not exist, or with arguments that are ignored.
//!
//! Input: a node; output: findings. Invariant: a replacement names a function of the language.

use super::{FindingKind, Found, advice, edit, shown, slice};
use crate::ast::{Call, Expr, ExprKind};
use crate::builtins::Arity;
use crate::filtrex::functions::{FUNCTIONS, function};

/// Functions of other languages, each with its equivalent here.
const FOREIGN: &[(&str, &str)] = &[
    ("len", "length"),
    ("size", "length"),
    ("count", "length"),
    ("isempty", "empty"),
    ("is_empty", "empty"),
    ("isdefined", "exists"),
    ("defined", "exists"),
    ("isset", "exists"),
    ("has", "exists"),
    ("contains", "includes"),
    ("tolowercase", "lower"),
    ("lowercase", "lower"),
    ("tolower", "lower"),
    ("touppercase", "upper"),
    ("uppercase", "upper"),
    ("toupper", "upper"),
    ("int", "number"),
    ("float", "number"),
    ("parseint", "number"),
    ("parsefloat", "number"),
    ("type", "typeof"),
    ("ceiling", "ceil"),
];

/// Functions of other languages that test whether something is absent.
const NEGATED: &[(&str, &str)] = &[
    ("isnull", "not exists"),
    ("is_null", "not exists"),
    ("isnone", "not exists"),
    ("is_none", "not exists"),
    ("isundefined", "not exists"),
    ("notempty", "not empty"),
    ("not_empty", "not empty"),
];

/// The findings about a call.
pub(super) fn check(text: &str, node: &Expr, findings: &mut Vec<Found>) {
    let ExprKind::Call(call) = &node.kind else { return };
    let Some(function) = function(&call.name) else {
        findings.push(unknown(text, call, node));
        return;
    };
    let Arity::Usually(wanted) = function.arity else { return };
    if call.arguments.len() != wanted {
        let message =
            format!("`{}` reads {wanted} argument{}", function.name, if wanted == 1 { "" } else { "s" });
        let help = format!("write `{}`", function.signature);
        findings.push(advice(FindingKind::Arity, node.range, message, &help));
    }
}

fn unknown(text: &str, call: &Call, node: &Expr) -> Found {
    let kind = FindingKind::UnknownFunction;
    let message = format!("there is no function `{}`", shown(&call.name));
    if let Some((owner, method)) = call.name.rsplit_once('.') {
        return match method_call(text, owner, method, &call.arguments) {
            Some(replacement) => edit(kind, node.range, message, replacement),
            None => advice(kind, call.name_range, message, method_help(method)),
        };
    }
    if call.name.eq_ignore_ascii_case("not") {
        let is_apart = call.arguments.len() == 1 && !slice(text, node).contains(&format!("{}(", call.name));
        let replacement = if is_apart { "not" } else { "not " };
        return edit(kind, call.name_range, message, replacement.to_owned());
    }
    let folded = call.name.to_ascii_lowercase();
    if let (Some((_, negated)), [value]) =
        (NEGATED.iter().find(|(name, _)| *name == folded), &call.arguments[..])
    {
        return edit(kind, node.range, message, format!("{negated}({})", slice(text, value)));
    }
    match meant(&call.name) {
        Some(name) => edit(kind, call.name_range, message, name.to_owned()),
        None => {
            let names: Vec<&str> = FUNCTIONS.iter().map(|function| function.name).collect();
            advice(kind, call.name_range, message, &format!("the functions are {}", names.join(", ")))
        }
    }
}

/// `owner.method(arguments)` as a call of a function, if there is an equivalent.
fn method_call(text: &str, owner: &str, method: &str, arguments: &[Expr]) -> Option<String> {
    if owner == "Math" {
        let arguments: Vec<&str> = arguments.iter().map(|argument| slice(text, argument)).collect();
        return function(method).map(|function| format!("{}({})", function.name, arguments.join(", ")));
    }
    match (method, arguments) {
        ("toLowerCase" | "lower" | "downcase", []) => Some(format!("lower({owner})")),
        ("toUpperCase" | "upper" | "upcase", []) => Some(format!("upper({owner})")),
        ("length" | "size" | "count", []) => Some(format!("length({owner})")),
        ("isEmpty" | "is_empty" | "empty", []) => Some(format!("empty({owner})")),
        ("includes" | "contains" | "has", [value]) => {
            Some(format!("includes({owner}, {})", slice(text, value)))
        }
        ("equals" | "eq", [value]) => Some(format!("{owner} == {}", slice(text, value))),
        ("get", [value]) => key_of(value).map(|key| format!("{owner}.{key}")),
        ("startsWith" | "startswith" | "starts_with", [value]) => {
            plain_text(value).map(|start| format!("{owner} ~= '^{start}'"))
        }
        ("endsWith" | "endswith" | "ends_with", [value]) => {
            plain_text(value).map(|end| format!("{owner} ~= '{end}$'"))
        }
        _ => None,
    }
}

/// The key that a text names, if it can be part of a path.
fn key_of(value: &Expr) -> Option<&str> {
    let ExprKind::Text(key) = &value.kind else { return None };
    let is_name = |key: &&str| {
        key.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    Some(key.value.as_str()).filter(is_name)
}

/// A text that means the same as a pattern.
fn plain_text(value: &Expr) -> Option<&str> {
    let ExprKind::Text(text) = &value.kind else { return None };
    let is_plain =
        |text: &&str| text.chars().all(|letter| letter.is_alphanumeric() || "_- ".contains(letter));
    Some(text.value.as_str()).filter(is_plain)
}

fn method_help(method: &str) -> &'static str {
    match method {
        "startsWith" | "startswith" | "starts_with" => "write `x ~= '^start'`",
        "endsWith" | "endswith" | "ends_with" => "write `x ~= 'end$'`",
        "match" | "test" | "search" => "write `x ~= 'pattern'`",
        _ => "values have no methods; use a function: `length(x)`",
    }
}

/// The function that is probably meant: one with a similar name, or the equivalent of another language's function.
fn meant(name: &str) -> Option<&'static str> {
    let folded = name.to_ascii_lowercase();
    if let Some((_, meant)) = FOREIGN.iter().find(|(foreign, _)| *foreign == folded) {
        return Some(meant);
    }
    let near = FUNCTIONS
        .iter()
        .filter(|function| function.name.len().abs_diff(folded.len()) <= 2)
        .map(|function| (strsim::damerau_levenshtein(&folded, function.name), function.name))
        .filter(|(distance, name)| *distance <= name.len() / 3)
        .min();
    near.map(|(_, name)| name)
}
