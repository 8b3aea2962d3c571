//! Random AgentOS routing expressions: comparisons, ternaries, common mistakes, and invalid expressions.
//!
//! Input is random choices. Output is an expression and its state. Invariant: the depth is limited, so every expression
//! ends.

use serde_json::{Value, json};

use super::{edited, gap, value};
use crate::oracle::random::Random;

const KEYS: &[&str] = &[
    "n", "s", "ten", "flag", "off", "nul", "zero", "emp", "route", "a", "items", "list", "one", "obj", "big",
    "my-key", "word", "text", "q", "id", "0", "length",
];

const ROOTS: &[&str] = &[
    "scratch",
    "scratch",
    "scratch",
    "scratch",
    "input",
    "artifacts",
    "memory",
    "diagnostics",
    "state.scratch",
    "Scratch",
    "xscratch",
    "output",
    "scratch.",
    "scratchy",
];

const SEGMENTS: &[&str] = &[
    ".n",
    ".s",
    ".flag",
    ".off",
    ".nul",
    ".missing",
    ".a.b.c",
    ".items.0.id",
    ".list.length",
    ".route.length",
    ".one",
    ".obj",
    "",
    ".my-key",
    "[0]",
    ".text",
    ".emp",
    ".zero",
    ".big",
    ".list.1",
    ".obj.k",
    ".q",
    ".items",
    "?.n",
    ".ten",
];

const LITERALS: &[&str] = &[
    "1",
    "0",
    "5",
    "'5'",
    "\"5\"",
    "'approve'",
    "approve",
    "true",
    "false",
    "null",
    "undefined",
    "''",
    "'a:b'",
    "'x?y'",
    "'a && b'",
    "1e21",
    "0x10",
    ".5",
    "5.",
    "-3",
    "+3",
    "1_000",
    "NaN",
    "Infinity",
    "'it\"s'",
    "'",
    "\"",
    "0b11",
    "0o17",
    "-0x10",
    "1e-7",
    "-0",
    "approve now",
    "'true'",
    " ",
    "''''",
    "123456789012345680000",
    "0.1",
    "1e400",
    "`x`",
    "{}",
];

const COMPARISONS: &[&str] = &["===", "!==", "==", "!=", ">=", "<=", ">", "<", "=", "=>", "<>", "in", "+"];
const LOGICAL: &[&str] = &["&&", "||", "&&", "||", "and", "or", "??", "&", "|"];

pub(in crate::oracle) fn question(random: &mut Random) -> Value {
    let expression = expression(random);
    let state = state(random, &expression);
    json!({"ask": "expression", "expression": expression, "state": state})
}

/// A valid expression, or one that is similar to a valid one.
pub(super) fn expression(random: &mut Random) -> String {
    let depth = random.below(3);
    let mut expression = choice(random, depth);
    if random.chance(2) {
        let token = random.pick(&["{{", "}}", "${", "!", "(", ";", " // ok"]);
        expression.insert_str(if random.chance(50) { 0 } else { expression.len() }, token);
    }
    if random.chance(25) {
        expression = edited(&expression, random);
    }
    if random.chance(3) {
        let end = random.chance(50);
        expression.insert(if end { expression.len() } else { 0 }, '\n');
    }
    expression
}

/// Usually the keys in the expression, and usually with the expected types.
fn state(random: &mut Random, expression: &str) -> Value {
    let usual = json!({
        "n": 5, "s": "5", "ten": "10", "flag": true, "off": false, "nul": null, "zero": 0, "emp": "",
        "route": "approve", "a": {"b": {"c": "deep"}}, "items": [{"id": "x1"}, 7], "list": [1, 2], "one": [7],
        "obj": {"k": 1}, "big": 1e21, "my-key": "hy", "word": "and", "text": "a>b", "q": "it's"
    });
    let mut state = json!({"scratch": {}, "input": {}});
    for key in KEYS {
        if random.chance(if expression.contains(key) { 85 } else { 4 }) {
            let found = usual.get(key).filter(|_| random.chance(70)).cloned();
            state["scratch"][*key] = found.unwrap_or_else(|| value(random, KEYS, 2));
        }
        if random.chance(if expression.contains("input") { 30 } else { 1 }) {
            state["input"][*key] = value(random, KEYS, 1);
        }
    }
    if expression.contains("artifacts") && random.chance(80) {
        state["artifacts"] = json!({"n": value(random, KEYS, 2), "a": {"b": value(random, KEYS, 1)}});
    }
    if expression.contains("memory") && random.chance(60) {
        state["memory"] = json!({"traces": [{"content": "m0"}], "n": value(random, KEYS, 1)});
    }
    state
}

fn choice(random: &mut Random, depth: usize) -> String {
    let (one, two, three, four) = (gap(random), gap(random), gap(random), gap(random));
    match random.below(10) {
        0..=2 => {
            let condition = logical(random, depth);
            let (left, right) = (arm(random, depth), arm(random, depth));
            format!("{condition}{one}?{two}{left}{three}:{four}{right}")
        }
        3 | 4 => token(random),
        _ => logical(random, depth),
    }
}

fn arm(random: &mut Random, depth: usize) -> String {
    if depth > 0 && random.chance(10) { choice(random, depth - 1) } else { token(random) }
}

fn logical(random: &mut Random, depth: usize) -> String {
    let mut text = comparison(random);
    for _ in 0..random.below(depth + 1) {
        let next = comparison(random);
        text = format!("{text}{}{}{}{next}", gap(random), random.pick(LOGICAL), gap(random));
    }
    text
}

fn comparison(random: &mut Random) -> String {
    let left = token(random);
    match random.below(8) {
        0..=5 => format!("{left}{}{}{}{}", gap(random), random.pick(COMPARISONS), gap(random), token(random)),
        _ => left,
    }
}

fn token(random: &mut Random) -> String {
    if random.chance(55) {
        format!("{}{}", random.pick(ROOTS), random.pick(SEGMENTS))
    } else {
        random.pick(LITERALS).to_owned()
    }
}
