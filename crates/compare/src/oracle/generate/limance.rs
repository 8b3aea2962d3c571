//! Random LimanCE conditions: both grammars, the special cases of the release, and invalid ones that are similar.
//!
//! Input is random choices. Output is a condition and its variables. Invariant: the depth is limited, so every
//! condition ends.

use serde_json::{Map, Value, json};

use super::{edited, gap, value};
use crate::oracle::random::Random;

/// Names of variables: ordinary ones, keywords of either grammar, and names that contain a keyword.
const NAMES: &[&str] = &[
    "n", "s", "t", "f", "e", "z", "l", "m", "num", "el", "em", "a", "b", "null", "True", "None", "AND",
    "and", "or", "in", "not", "true", "false", "nota", "android", "order", "orange", "truely", "_x", "X9",
    "missing",
];

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "5",
    "2.5",
    "-1",
    "+1",
    ".5",
    "5.",
    "1e3",
    "1E-2",
    "-.5e+1",
    "007",
    "1e400",
    "0.1",
    "1e15",
    "1e16",
    "0.00001",
    "123456789012345678",
    "-0",
    "1a",
    "1_0",
    "0x1F",
    "- 1",
    "1..2",
    "1.2.3",
    "1e",
    "9007199254740993",
];

const TEXTS: &[&str] = &[
    "'abc'",
    "\"abc\"",
    "''",
    "\"\"",
    "'5'",
    "\"5\"",
    "'Z'",
    "'ü'",
    "\"it's\"",
    "'say \"x\"'",
    "\"a\\\"b\"",
    "\"a\\nb\"",
    "\"a\\\\\"",
    "'a\\\\'",
    "'a\\\\b'",
    "'a\\nb'",
    "'it\\'s'",
    "'two\nlines'",
    "\"two\nlines\"",
    "'open",
    "\"open",
    "\"a\tb\"",
    "'😀'",
    "'a\\\\\n'",
    "'a and b'",
    "\"(\"",
    "'\u{b}'",
    "'a\u{85}b'",
];

const COMPARISONS: &[&str] =
    &["==", "!=", ">", "<", "==", "!=", ">", "<", ">=", "<=", "in", "not in", "=", "===", "<>"];
const LOGICAL: &[&str] = &["and", "or", "&&", "||", "and", "or", "&&", "||", "AND", "&", "|", "xor", ","];

/// Tokens that only one of the two grammars has.
const ODD_TOKENS: &[&str] = &[
    ";",
    "$now()",
    "$is_error()",
    "$output",
    "$",
    "a.b",
    "true.b",
    "a.true",
    "a.not",
    "a.and.b",
    "a .b",
    "a. b",
    "a.b.c",
    "a.1",
    "(a.b)",
    "not.b",
    "#",
    "# note",
    "len(n)",
    "l[0]",
    "n + 1",
    "a ? b : c",
    "null",
    "()",
    "a.in",
    "or.b",
    "a.b.",
];

/// White space that one of the two sides may not know.
const RARE_BLANKS: &[&str] = &["\r\n", "\u{c}", "\u{b}", "\u{a0}", "\t \n", "\u{1f}", "\u{2003}"];

pub(in crate::oracle) fn question(random: &mut Random) -> Value {
    let expression = expression(random);
    let context = context(random, &expression);
    json!({"ask": "expression", "expression": expression, "context": context})
}

/// A valid condition, or one that is similar to a valid one.
pub(super) fn expression(random: &mut Random) -> String {
    let depth = random.below(4);
    let mut expression = logical(random, depth);
    if random.chance(3) {
        expression.push_str(random.pick(&[";", " ;", " ", "\n", ")", " and", ";;"]));
    }
    if random.chance(3) {
        expression.insert_str(0, random.pick(&[" ", "\n", "(", "!", "not", "; "]));
    }
    if random.chance(20) { edited(&expression, random) } else { expression }
}

fn logical(random: &mut Random, depth: usize) -> String {
    let mut text = term(random, depth);
    for _ in 0..[0, 0, 1, 1, 2, 3][random.below(6)].min(depth + 1) {
        let next = term(random, depth);
        let operator = if random.chance(96) { random.pick(&LOGICAL[..8]) } else { random.pick(LOGICAL) };
        text = format!("{text}{}{operator}{}{next}", blank(random), blank(random));
    }
    text
}

fn term(random: &mut Random, depth: usize) -> String {
    match random.below(12) {
        0 | 1 => format!(
            "{}{}{}",
            random.pick(&["!", "not ", "not", "!", "! "]),
            blank(random),
            term(random, depth / 2)
        ),
        2..=4 if depth > 0 => {
            let inner = logical(random, depth - 1);
            format!("({}{inner}{})", blank(random), blank(random))
        }
        5 | 6 => factor(random),
        _ => comparison(random),
    }
}

fn comparison(random: &mut Random) -> String {
    let mut text = factor(random);
    let links = if random.chance(95) { 1 } else { random.below(3) };
    for _ in 0..links {
        let operator =
            if random.chance(90) { random.pick(&COMPARISONS[..8]) } else { random.pick(COMPARISONS) };
        let right = factor(random);
        text = format!("{text}{}{operator}{}{right}", blank(random), blank(random));
    }
    text
}

fn factor(random: &mut Random) -> String {
    match random.below(40) {
        0 => random.pick(ODD_TOKENS).to_owned(),
        1..=8 => random.pick(NUMBERS).to_owned(),
        9..=16 => random.pick(TEXTS).to_owned(),
        17 | 18 => random.pick(&["true", "false"]).to_owned(),
        19 => random.pick(NAMES).to_owned(),
        _ => random.pick(&NAMES[..13]).to_owned(),
    }
}

/// White space between tokens: usually one space or none.
fn blank(random: &mut Random) -> &'static str {
    if random.chance(2) { random.pick(RARE_BLANKS) } else { gap(random) }
}

/// Usually the names in the condition, and usually with the expected types.
pub(super) fn context(random: &mut Random, expression: &str) -> Map<String, Value> {
    let usual = json!({
        "n": 5, "s": "abc", "t": true, "f": false, "e": "", "z": 0, "l": [1, "a"], "m": {"k": 1}, "num": "5", "el": [],
        "em": {}, "a": 2.5, "b": null, "null": null
    });
    let mut context = Map::new();
    for name in &NAMES[..NAMES.len() - 1] {
        if random.chance(if expression.contains(name) { 90 } else { 3 }) {
            let found = usual.get(name).filter(|_| random.chance(65)).cloned();
            context.insert((*name).to_owned(), found.unwrap_or_else(|| value(random, NAMES, 2)));
        }
    }
    context
}
