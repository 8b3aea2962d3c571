//! Random filtrex expressions: the grammar with its special cases, and invalid ones that are similar.
//!
//! Input is random choices. Output is an expression and its state. Invariant: the depth is limited, so every expression
//! ends.

use serde_json::{Map, Value, json};

use super::{edited, gap, value};
use crate::oracle::random::Random;

/// Keys of the memory: ordinary ones, keywords, and keys that the language cannot name.
const KEYS: &[&str] = &[
    "x", "y", "s", "e", "z", "t", "f", "n", "a", "ea", "one", "o", "sn", "num", "k", "d", "in", "and",
    "order", "my-key", "über", "$d", "_u", "0", "length",
];

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "7",
    "0.5",
    "3.25",
    "10",
    "010",
    "08",
    "012.5",
    "007",
    "1.",
    ".5",
    "1e3",
    "1.2.3",
    "12a",
    "99999999999999999999",
    "0.1",
    "00",
    "9007199254740993",
];

const STRINGS: &[&str] = &[
    "'hello'",
    "\"hello\"",
    "'p'",
    "\"q\"",
    "''",
    "\"\"",
    "'7'",
    "\"a\\\"b\"",
    "\"a\\\\b\"",
    "\"a\\nb\"",
    "\"it's\"",
    "'true'",
    "\"two\nlines\"",
    "'ü'",
    "'12'",
    "'open",
    "\"abc def\"",
];

const REGULAR_EXPRESSIONS: &[&str] = &[
    "'h'",
    "'^h.*o$'",
    "'l{2}'",
    "'[a-z]+'",
    "'\\\\d+'",
    "'('",
    "'['",
    "'a|p'",
    "'(?=h)he'",
    "'H'",
    "''",
    "'\\\\bh'",
    "'^$'",
    "'[^h]'",
    "'(?:l)+'",
    "'(l)\\\\1'",
    "'*'",
    "'x*'",
    "'.'",
    "'\\\\w+ \\\\w+'",
    "'ü'",
    "'(?<n>h)'",
    "'{'",
    "'h{1,2}?'",
    "'\\\\u0068'",
    "'[\\\\s\\\\d]'",
];

const NAMES: &[&str] = &[
    "goal",
    "status",
    "constraints",
    "iteration_count",
    "tainted",
    "tainted_keys",
    "memory",
    "true",
    "false",
    "null",
    "undefined",
    "x",
    "$.memory.x",
    "or.x",
    "memory.in.q",
    "memory.toString",
    "memory.a.length",
    "memory.a.0",
    "memory.s.1",
    "memory.s.length",
    "memory.o.k",
    "memory.o.d.e",
    "memory.missing.deep",
    "in",
    "not",
    "mod",
    "if",
    "memory.constructor",
    "memory.a.map",
    "memory..x",
    "memory.",
    "memory.o.k.z",
];

const FUNCTIONS: &[&str] = &[
    "abs",
    "ceil",
    "floor",
    "log",
    "log2",
    "log10",
    "max",
    "min",
    "round",
    "sqrt",
    "exists",
    "empty",
    "length",
    "lower",
    "upper",
    "typeof",
    "includes",
    "number",
    "random",
    "unknown",
    "not",
    "toString",
    "constructor",
];

const RELATIONS: &[&str] = &["==", "!=", "<", "<=", ">", ">=", "==", "==", "=", "===", "<>"];
const ARITHMETIC: &[&str] = &["+", "-", "*", "/", "^", "+", "%"];
const WORDS: &[&str] = &["and", "or", "and", "or", "in", "not in", "mod", "of", "not  in", "&&", "||"];

/// The type of an expression's value.
#[derive(Clone, Copy)]
enum Kind {
    Truth,
    Number,
    Text,
    List,
}

const KINDS: &[Kind] = &[Kind::Truth, Kind::Truth, Kind::Truth, Kind::Number, Kind::Text, Kind::List];

pub(in crate::oracle) fn question(random: &mut Random) -> Value {
    let expression = expression(random);
    let memory = memory(random, &expression);
    let tainted: Vec<&String> = memory.keys().filter(|_| random.chance(4)).collect();
    let mut question = json!({"ask": "expression", "expression": expression, "memory": memory});
    if !tainted.is_empty() {
        question["tainted"] = json!(tainted);
        question["strict_taint"] = json!(random.chance(50));
    }
    question
}

/// A valid expression, or one that is similar to a valid one.
pub(super) fn expression(random: &mut Random) -> String {
    let depth = 1 + random.below(3);
    let mut expression = if random.chance(60) {
        let kind = random.pick(KINDS);
        typed(random, kind, depth)
    } else {
        wild(random, depth)
    };
    if random.chance(3) {
        expression.insert_str(0, "$.");
    }
    if random.chance(20) { edited(&expression, random) } else { expression }
}

/// Usually the keys in the expression, and usually with the expected types.
fn memory(random: &mut Random, expression: &str) -> Map<String, Value> {
    let usual = json!({
        "x": 2, "y": 5, "s": "hello", "e": "", "z": 0, "t": true, "f": false, "n": null, "a": ["p", "q"], "ea": [],
        "one": [7], "o": {"k": "v", "d": {"e": 3}}, "sn": "0.85", "num": "12", "in": {"q": 1}
    });
    let mut memory = Map::new();
    for key in KEYS {
        let is_named = expression.contains(key);
        if !random.chance(if is_named { 93 } else { 4 }) {
            continue;
        }
        let found = usual.get(key).filter(|_| random.chance(85)).cloned();
        memory.insert((*key).to_owned(), found.unwrap_or_else(|| value(random, KEYS, 2)));
    }
    memory
}

/// An expression whose parts have the types that its operators expect.
fn typed(random: &mut Random, kind: Kind, depth: usize) -> String {
    if depth == 0 || random.chance(15) {
        return typed_leaf(random, kind);
    }
    if random.chance(8) {
        let condition = typed(random, Kind::Truth, depth - 1);
        let (left, right) = (typed(random, kind, depth - 1), typed(random, kind, depth - 1));
        return match random.below(3) {
            0 => format!("(if {condition} then {left} else {right})"),
            1 => format!("({condition} ? {left} : {right})"),
            _ => format!("({left})"),
        };
    }
    match kind {
        Kind::Truth => typed_truth(random, depth - 1),
        Kind::Number => typed_number(random, depth - 1),
        Kind::Text => {
            let (left, right) =
                (typed(random, Kind::Text, depth - 1), typed(random, Kind::Number, depth - 1));
            match random.below(3) {
                0 => format!("({left}{}+{}{right})", gap(random), gap(random)),
                1 => format!("{}({left})", random.pick(&["lower", "upper"])),
                _ => format!("typeof({right})"),
            }
        }
        Kind::List => {
            let item = random.pick(&[Kind::Number, Kind::Text]);
            let (one, two) = (typed(random, item, depth - 1), typed(random, item, depth - 1));
            format!("({one},{}{two})", gap(random))
        }
    }
}

fn typed_truth(random: &mut Random, depth: usize) -> String {
    let (one, two) = (gap(random), gap(random));
    let mut part = |kind| typed(random, kind, depth);
    let (truth, other) = (part(Kind::Truth), part(Kind::Truth));
    let (left, right, third) = (part(Kind::Number), part(Kind::Number), part(Kind::Number));
    let (text, list) = (part(Kind::Text), part(Kind::List));
    match random.below(12) {
        0 => format!("{truth} and {other}"),
        1 => format!("{truth} or {other}"),
        2 => format!("not ({truth})"),
        3 => format!("not {truth}"),
        4 | 5 => format!("{left}{one}{}{two}{right}", random.pick(&["<", "<=", ">", ">=", "==", "!="])),
        6 => format!("{text}{one}{}{two}{}", random.pick(&["==", "!="]), typed_leaf(random, Kind::Text)),
        7 => format!("{text} {} {list}", random.pick(&["in", "not in"])),
        8 => format!("{}({text})", random.pick(&["exists", "empty"])),
        9 => format!("includes({list},{one}{text})"),
        10 => format!("{text} ~= {}", random.pick(REGULAR_EXPRESSIONS)),
        _ => format!(
            "{left} {} {right} {} {third}",
            random.pick(&["<", "<=", "=="]),
            random.pick(&["<", ">="])
        ),
    }
}

fn typed_number(random: &mut Random, depth: usize) -> String {
    let (left, right) = (typed(random, Kind::Number, depth), typed(random, Kind::Number, depth));
    match random.below(8) {
        0..=2 => {
            format!("{left}{}{}{}{right}", gap(random), random.pick(&["+", "-", "*", "/", "^"]), gap(random))
        }
        3 => format!("{left} mod {right}"),
        4 => format!("-{left}"),
        5 => format!("{}({left}, {right})", random.pick(&["min", "max"])),
        6 => format!(
            "{}({left})",
            random.pick(&["abs", "ceil", "floor", "round", "sqrt", "log", "log2", "number"])
        ),
        _ => format!("length({})", typed(random, Kind::List, depth)),
    }
}

fn typed_leaf(random: &mut Random, kind: Kind) -> String {
    let choices: &[&str] = match kind {
        Kind::Truth => {
            &["memory.t", "memory.f", "exists(memory.x)", "empty(memory.ea)", "memory.x > 1", "tainted"]
        }
        Kind::Number => &[
            "memory.x",
            "memory.y",
            "memory.z",
            "memory.one",
            "memory.o.d.e",
            "memory.a.length",
            "1",
            "2",
            "0",
            "3.25",
            "010",
            "0.5",
            "10",
            "k of memory",
            "iteration_count",
        ],
        Kind::Text => &[
            "memory.s",
            "memory.e",
            "memory.sn",
            "memory.num",
            "goal",
            "status",
            "'hello'",
            "\"p\"",
            "'7'",
            "memory.o.k",
            "memory.a.0",
            "memory.s.1",
            "'ü'",
            "''",
        ],
        Kind::List => &[
            "memory.a",
            "memory.ea",
            "memory.one",
            "(1, 2)",
            "('p', 'hello', 7)",
            "constraints",
            "memory.missing",
        ],
    };
    random.pick(choices).to_owned()
}

/// Any operator with any operands.
fn wild(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return leaf(random);
    }
    let mut operand = || wild(random, depth - 1);
    let (left, right, third) = (operand(), operand(), operand());
    let (one, two) = (gap(random), gap(random));
    match random.below(20) {
        0..=4 => format!("{left}{one}{}{two}{right}", random.pick(RELATIONS)),
        5..=7 => format!("{left}{one}{}{two}{right}", random.pick(ARITHMETIC)),
        8..=11 => {
            format!("{left} {}{}{right}", random.pick(WORDS), if random.chance(93) { " " } else { one })
        }
        12 => format!("not{}{left}", if random.chance(90) { " " } else { one }),
        13 => format!("-{one}{left}"),
        14 => format!("({one}{left}{two})"),
        15 => call(random, &[left, right, third]),
        16 => format!("({left},{one}{right}{two})"),
        17 if random.chance(50) => format!("if {left} then {right} else {third}"),
        17 => format!("{left}{one}?{two}{right} : {third}"),
        18 => format!("{left}{one}~={two}{}", random.pick(REGULAR_EXPRESSIONS)),
        _ => format!("{left} {} {right}{one}{}{two}{third}", random.pick(RELATIONS), random.pick(RELATIONS)),
    }
}

fn call(random: &mut Random, arguments: &[String]) -> String {
    let count = [1, 1, 1, 2, 2, 3, 0][random.below(7)];
    let gap = if random.chance(10) { " " } else { "" };
    format!("{}{gap}({})", random.pick(FUNCTIONS), arguments[..count].join(", "))
}

fn leaf(random: &mut Random) -> String {
    match random.below(10) {
        0..=4 => {
            let key = random.pick(KEYS);
            if random.chance(3) { format!("{key} of memory") } else { format!("memory.{key}") }
        }
        5 | 6 => random.pick(NUMBERS).to_owned(),
        7 | 8 => random.pick(STRINGS).to_owned(),
        _ => random.pick(NAMES).to_owned(),
    }
}
