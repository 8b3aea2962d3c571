//! Random JSONPath expressions, and values for them.
//!
//! Input is random choices. Output is a path and a value. Invariant: a path contains at most two recursive descents, so
//! the number of results stays small.

use serde_json::{Value, json};

use super::{edited, gap, value};
use crate::oracle::random::Random;

const KEYS: &[&str] = &["a", "b", "c", "score", "items", "id", "x-y", "0", "length", "ü", "$", "memory"];

const STEPS: &[&str] = &[
    ".a",
    ".b",
    ".c",
    ".score",
    ".items",
    ".id",
    ".*",
    "[*]",
    "[0]",
    "[1]",
    "[-1]",
    "['a']",
    "[\"b\"]",
    "['x-y']",
    "[0:2]",
    "[1:]",
    "[:1]",
    "[-2:]",
    "[::2]",
    "[0,1]",
    "['a','b']",
    "[a,b]",
    ".length",
    ".x-y",
    ".0",
    ".ü",
    "[a]",
    "[ 0 ]",
    "['a'",
    "[]",
    "[2:0]",
    "[0:10:3]",
    "[::-1]",
    ".memory",
    "[:]",
    "a",
    ". a",
    "..",
    "[5]",
    "['']",
    "['*']",
];

const RARE_STEPS: &[&str] = &[
    "^",
    "~",
    "@number()",
    "@string()",
    "@boolean()",
    "@null()",
    "@array()",
    "@object()",
    "@scalar()",
    "@integer()",
    ".`*",
    "`a",
    "[?(@.a)]",
    "[?(@.score > 1)]",
    "[?(@ == 'p')]",
    "[?(@.id === 'x')]",
    "[(@.length-1)]",
    "[?(@.a && @.b)]",
    "[?(!@.a)]",
    "[?(@property === 'a')]",
    "[?(@.length)]",
    "[?@.a]",
    "[?(@.a ==)]",
    "@other()",
    "[?(@.score >= 0.5 || @.b)]",
    "[?($.a)]",
    "[?(@parent)]",
    "@nonFinite()",
    "@undefined()",
];

const OPERANDS: &[&str] = &[
    "@",
    "@.a",
    "@.id",
    "@.score",
    "@.b.c",
    "@['x-y']",
    "@.length",
    "@.a.length",
    "@[0]",
    "1",
    "0",
    "2",
    "'x'",
    "\"y\"",
    "true",
    "false",
    "null",
    "undefined",
    "@property",
    "@parent",
    "@parentProperty",
    "@path",
    "@root.score",
    "$.a",
    "[]",
    "['x', 'y']",
    "-1",
    "0.5",
    "@.id.length",
    "@.missing",
    "@.items",
    "''",
    "@.a.b",
    "x",
    "@.id.startsWith('x')",
    "@.items.includes(1)",
    "@.id.toUpperCase()",
];

const OPERATORS: &[&str] = &[
    "==", "===", "!=", "!==", "<", "<=", ">", ">=", "&&", "||", "+", "-", "*", "/", "%", "==", "&&", "||",
    "in", "=~", "=", "??",
];

pub(in crate::oracle) fn question(random: &mut Random) -> Value {
    let mut json = value(random, KEYS, 3);
    if random.chance(70) {
        json = json!({
            "a": json, "b": value(random, KEYS, 2), "score": random.below(3), "items": [{"id": "x", "a": 1}, {"id": "y"}]
        });
    }
    let path = path(random, &json);
    json!({"ask": "path", "path": path, "json": json})
}

/// A path for no particular value.
pub(super) fn expression(random: &mut Random) -> String {
    path(random, &json!({"memory": {"a": [1, {"id": "x"}], "b": {"score": 2}}, "score": 0.5}))
}

fn path(random: &mut Random, json: &Value) -> String {
    let mut path = random.pick(&["$", "$", "$", "$", "$", "$", "$", "$", "$", "", "@", "$$"]).to_owned();
    let mut descents = 0;
    let mut at = Some(json);
    for _ in 0..random.below(5) {
        if let Some(inner) = at.filter(|_| random.chance(65)) {
            at = existing_step(random, inner, &mut path);
        } else if descents < 2 && random.chance(25) {
            descents += 1;
            path.push_str(random.pick(&["..a", "..*", "..id", "..[0]", "..['a']", "..score"]));
        } else if random.chance(20) {
            path.push_str(random.pick(RARE_STEPS));
        } else if random.chance(20) {
            let depth = random.below(3);
            path.push_str(&format!("[?({})]", script(random, depth)));
        } else if random.chance(5) {
            path.push_str(&format!("[({})]", script(random, 1)));
        } else {
            path.push_str(random.pick(STEPS));
        }
    }
    if random.chance(15) { edited(&path, random) } else { path }
}

/// The script of a filter: comparisons and calculations with parts of the child.
fn script(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return random.pick(OPERANDS).to_owned();
    }
    let (left, right) = (script(random, depth - 1), script(random, depth - 1));
    match random.below(10) {
        0 => format!("!{left}"),
        1 => format!("({left})"),
        2 => format!("-{left}"),
        3 => format!("{left} ? {right} : {left}"),
        _ => format!("{left}{}{}{}{right}", gap(random), random.pick(OPERATORS), gap(random)),
    }
}

/// A step to an existing member or item. `None` if there is none.
fn existing_step<'json>(random: &mut Random, at: &'json Value, path: &mut String) -> Option<&'json Value> {
    match at {
        Value::Object(members) => {
            let (key, member) = members.iter().nth(random.below(members.len()))?;
            let step = match random.below(4) {
                0 => format!("['{key}']"),
                1 => format!("[{key}]"),
                _ => format!(".{key}"),
            };
            path.push_str(&step);
            Some(member)
        }
        Value::Array(items) => {
            let index = random.below(items.len());
            path.push_str(&if random.chance(30) { "[*]".to_owned() } else { format!("[{index}]") });
            items.get(index)
        }
        _ => None,
    }
}
