//! The values that conditions tell apart: boundary values of what they compare with, and the tests they are made of.
//!
//! Input: trees of expressions; output: tests, the paths that they read, values that make them come out in each way.
//! Invariant: the order follows the text.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

use nodewise_expr::ast::{Expr, ExprKind};
use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use crate::random::Random;

/// A text that stands for all texts that no condition compares with.
const OTHER: &str = "other";
/// The longest list that is made for a condition about the length of a list.
const LONGEST: f64 = 16.0;

/// The smallest parts of a condition that are true or false by themselves.
#[must_use]
pub fn tests(expr: &Expr) -> Vec<&Expr> {
    let mut found = Vec::new();
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        match &expr.kind {
            ExprKind::Group(_) | ExprKind::Not(_) | ExprKind::Logic(_) => {
                let mut parts = Vec::new();
                expr.each_child(&mut |child| parts.push(child));
                open.extend(parts.into_iter().rev());
            }
            ExprKind::Conditional(choice) => {
                open.extend([&choice.alternative, &choice.consequent, &choice.condition]);
            }
            _ => found.push(expr),
        }
    }
    found
}

/// The paths that an expression reads, each once.
#[must_use]
pub fn paths(expr: &Expr) -> Vec<Vec<SmolStr>> {
    let mut found = Vec::new();
    collect(expr, &mut found);
    found
}

fn collect(expr: &Expr, found: &mut Vec<Vec<SmolStr>>) {
    match path(expr) {
        Some(path) if !found.contains(&path) => found.push(path),
        Some(_) => {}
        None => expr.each_child(&mut |child| collect(child, found)),
    }
}

/// The path, if the expression is nothing but a path.
pub(crate) fn path(expr: &Expr) -> Option<Vec<SmolStr>> {
    let mut outwards: Vec<Vec<SmolStr>> = Vec::new();
    let mut expr = expr.without_groups();
    loop {
        match &expr.kind {
            ExprKind::Member(member) => {
                outwards.push(member.path.segments.iter().map(|segment| segment.name.clone()).collect());
                expr = member.object.without_groups();
            }
            ExprKind::Subscript(subscript) => {
                let ExprKind::Text(text) = &subscript.index.without_groups().kind else { return None };
                outwards.push(vec![text.value.clone()]);
                expr = subscript.object.without_groups();
            }
            ExprKind::Variable(path) => {
                outwards.push(path.segments.iter().map(|segment| segment.name.clone()).collect());
                return Some(outwards.into_iter().rev().flatten().collect());
            }
            _ => return None,
        }
    }
}

/// Values on each side of what a test compares with.
#[must_use]
pub fn candidates(test: &Expr) -> Vec<Value> {
    if path(test).is_some() {
        return vec![Value::Bool(true), Value::Bool(false)];
    }
    let mut values = Vec::new();
    let mut measures = false;
    test.walk(&mut |expr| match &expr.kind {
        ExprKind::Number(number) => around(*number, &mut values),
        ExprKind::Text(text) => values.extend([Value::Text(text.value.clone()), Value::from(OTHER)]),
        ExprKind::Bare(text) => values.extend([Value::Text(text.clone()), Value::from(OTHER)]),
        ExprKind::Bool(_) => values.extend([Value::Bool(true), Value::Bool(false)]),
        ExprKind::Null => values.extend([Value::Null, Value::from(OTHER)]),
        ExprKind::Call(_) | ExprKind::Method(_) => measures = true,
        _ => {}
    });
    if measures {
        let numbers: Vec<f64> = values.iter().filter_map(number).collect();
        values.extend(
            numbers
                .into_iter()
                .filter(|length| (0.0..=LONGEST).contains(length))
                .map(|length| items(length).into_iter().collect()),
        );
    }
    if values.is_empty() {
        values.extend([Value::Bool(true), Value::Bool(false), Value::Number(1.0), Value::Number(2.0)]);
        values.push(Value::from(OTHER));
    }
    unique(values)
}

/// Adds a number and its neighbours, the number itself first.
pub(crate) fn around(number: f64, values: &mut Vec<Value>) {
    let step = if number.fract() == 0.0 { 1.0 } else { 0.01 };
    values.extend([number, number + step, number - step].map(Value::Number));
}

/// A list with this many items.
pub(crate) fn items(length: f64) -> Vec<Value> {
    (0..length as usize).map(|position| Value::from(format!("item {}", position + 1).as_str())).collect()
}

/// The number of a value; `None` if it is not a number.
pub(crate) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => Some(*number),
        _ => None,
    }
}

/// The values, each once, in order.
#[must_use]
pub fn unique(values: Vec<Value>) -> Vec<Value> {
    let mut kept: Vec<Value> = Vec::with_capacity(values.len());
    for value in values {
        if !kept.contains(&value) {
            kept.push(value);
        }
    }
    kept
}

/// Combinations of options, as positions; and whether some were left out. Beyond the bound, each option occurs at
/// least once if possible, and the rest are spread over all combinations.
#[must_use]
pub fn combinations(options: &[usize], most: usize) -> (Vec<Vec<usize>>, bool) {
    let all = options.iter().try_fold(1_usize, |all, options| all.checked_mul(*options));
    if let Some(all) = all.filter(|all| *all <= most) {
        let picks = (0..all).map(|mut number| {
            let mut pick = Vec::with_capacity(options.len());
            for options in options {
                pick.push(number % options);
                number /= options;
            }
            pick
        });
        return (picks.collect(), false);
    }
    let longest = options.iter().copied().max().unwrap_or_default();
    // In as many rounds as there are options each of them occurs. The next rounds have another order, so that the
    // pairs differ.
    let chosen = |round: usize, (position, options): (usize, &usize)| {
        let shift = Random::new(((round / options) << 16 | position) as u64).bits() % *options as u64;
        (round + shift as usize) % options
    };
    let pick = |round: usize| -> Vec<usize> {
        options.iter().enumerate().map(|option| chosen(round, option)).collect()
    };
    let mut known = BTreeSet::new();
    let picks = (0..longest.max(most)).map(pick).filter(|pick| known.insert(pick.clone()));
    (picks.collect(), true)
}

/// A value in which the part at a path is replaced.
#[must_use]
pub fn with(value: &Value, path: &[SmolStr], part: Value) -> Value {
    let Some((first, rest)) = path.split_first() else { return part };
    let mut map = match value {
        Value::Map(map) => Map::clone(map),
        _ => Map::new(),
    };
    let inner = map.get(first).cloned().unwrap_or(Value::Undefined);
    map.insert(first.clone(), with(&inner, rest, part));
    map.into()
}

/// Feeds the hasher with a value.
pub(crate) fn feed(value: &Value, mut hasher: &mut dyn Hasher) {
    std::mem::discriminant(value).hash(&mut hasher);
    match value {
        Value::Undefined | Value::Null => {}
        Value::Bool(value) => value.hash(&mut hasher),
        Value::Number(number) => number.to_bits().hash(&mut hasher),
        Value::Text(text) | Value::Function(text) => text.hash(&mut hasher),
        Value::Pattern(pattern) => pattern.source.hash(&mut hasher),
        Value::List(items) => {
            items.len().hash(&mut hasher);
            items.iter().for_each(|item| feed(item, hasher));
        }
        Value::Map(map) => {
            map.len().hash(&mut hasher);
            for (key, value) in map.iter() {
                key.hash(&mut hasher);
                feed(value, hasher);
            }
        }
    }
}
