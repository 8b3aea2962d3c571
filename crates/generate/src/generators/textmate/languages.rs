//! The expression languages as TextMate grammars.
//!
//! Input is the vocabulary. Output is a grammar for each language. Invariant: a pattern matches within a line. Only
//! text literals contain spaces that the language reads.

use nodewise_expr::agentos;
use nodewise_expr::builtins::Arguments;
use nodewise_expr::filtrex;
use nodewise_expr::language::Language;
use nodewise_expr::limance;
use nodewise_expr::limance::builtins::BUILTINS;
use nodewise_expr::vocabulary::EntryKind;
use serde_json::{Value, json};

use super::super::GeneratedFile;
use super::{captures, file, token};

/// A grammar for each language.
pub(super) fn files() -> Vec<GeneratedFile> {
    let grammar = |title: &str, name: &str, patterns: Vec<Value>| {
        let scoped = |pattern: &Value| with_suffix(pattern, name);
        let patterns: Vec<Value> = patterns.iter().map(scoped).collect();
        let scope = format!("source.{name}");
        file(name, &json!({"name": title, "scopeName": scope, "fileTypes": [name], "patterns": patterns}))
    };
    vec![
        grammar("LimanCE", "limance", limance()),
        grammar("filtrex", "filtrex", filtrex()),
        grammar("AgentOS routing", "agentos-routing", routing()),
    ]
}

fn limance() -> Vec<Value> {
    let language = limance::LANGUAGE;
    let builtins = alternatives(&names(language, &[EntryKind::Builtin]));
    let of_errors = BUILTINS.iter().filter(|builtin| builtin.arguments == Arguments::ErrorTypes);
    let of_errors = alternatives(&of_errors.map(|builtin| builtin.name).collect::<Vec<_>>());
    vec![
        token(SINGLE_QUOTED, "string.quoted.single"),
        token(DOUBLE_QUOTED, "string.quoted.double"),
        // The arguments are types of errors, not variables.
        json!({
            "match": format!("({of_errors})\\s*(\\()([^()]*)(\\)|$)"),
            "captures": captures(&[
                (1, json!({"name": "support.function"})),
                (2, json!({"name": "punctuation.section.parens"})),
                (3, json!({"patterns": [
                    token(SINGLE_QUOTED, "string.quoted.single"),
                    token(DOUBLE_QUOTED, "string.quoted.double"),
                    token(r"[A-Za-z_][A-Za-z0-9_]*", "constant.other"),
                    token(r"[,.]", "punctuation.separator"),
                ]})),
                (4, json!({"name": "punctuation.section.parens"})),
            ]),
        }),
        token(&format!("(?:{builtins})\\b"), "support.function"),
        token(r"\$[A-Za-z_][A-Za-z0-9_]*", "entity.name.function"),
        // A word after a dot is a name, even if it is a keyword.
        json!({
            "match": r"(\.)\s*([A-Za-z_][A-Za-z0-9_]*)",
            "captures": captures(&[
                (1, json!({"name": "punctuation.accessor"})),
                (2, json!({"name": "variable.other.property"})),
            ]),
        }),
        token(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])", "constant.numeric"),
        token(&word_of(&words(language)), "keyword.operator.word"),
        token(&word_of(&names(language, &[EntryKind::Constant])), "constant.language"),
        token(r"[A-Za-z_][A-Za-z0-9_]*", "variable.other"),
        token(&alternatives(&signs(language, ANY)), "keyword.operator"),
        token(r"[()]", "punctuation.section.parens"),
        token(r"[,.;]", "punctuation.separator"),
    ]
}

fn filtrex() -> Vec<Value> {
    let language = filtrex::EDGE;
    let functions = alternatives(&names(language, &[EntryKind::Function]));
    // A keyword swallows the sign after it. At the end of the text, it is not a keyword.
    let keyword = |words: &[&str], scope: &str| {
        json!({
            "match": format!("({})(?:(?=\\s)|([^\\sA-Za-z0-9_]))", alternatives(words)),
            "captures": captures(&[(1, json!({"name": scope})), (2, json!({"name": "invalid.illegal.swallowed"}))]),
        })
    };
    let property = token(r"[\w$]+", "variable.other.property");
    let dot = token(r"\.", "punctuation.accessor");
    vec![
        token(r"^\$\.", "punctuation.definition"),
        token(r#"["'](?:[^"'\\]|\\["'\\])*["']"#, "string.quoted"),
        keyword(&CONDITIONAL, "keyword.control.conditional"),
        keyword(&words(language), "keyword.operator.word"),
        token(&format!("(?<![\\w$.])(?:{functions})(?=\\s*\\()"), "support.function"),
        token(r"[A-Za-z_$][\w$.]*(?=\s*\()", "entity.name.function"),
        // A name before `of` is a member of what follows.
        json!({
            "match": r"([A-Za-z_$][\w$.]*)(?=\s+of[^A-Za-z0-9_])",
            "captures": captures(&[(1, json!({"patterns": [dot, property]}))]),
        }),
        json!({
            "match": r"(\.)([\w$]*)",
            "captures": captures(&[
                (1, json!({"name": "punctuation.accessor"})),
                (2, json!({"name": "variable.other.property"})),
            ]),
        }),
        token(r"\d+(?:\.\d+)?(?!\.)", "constant.numeric"),
        token(r"[A-Za-z_$][\w$]*", "variable.other"),
        token(&alternatives(&signs(language, ANY)), "keyword.operator"),
        token(r"[()]", "punctuation.section.parens"),
        token(r",", "punctuation.separator"),
    ]
}

/// The text is split as the runtime splits it, also inside quotes: first at a choice, whose arms are not split again,
/// then at `||` and `&&`, then each part at one comparison.
fn routing() -> Vec<Value> {
    let language = agentos::ROUTING;
    let logic = alternatives(&signs(language, &[EntryKind::Logic]));
    let comparisons = alternatives(&signs(language, &[EntryKind::Comparison]));
    // Without its `:`, it is a part of the text.
    let mark = r"\?(?=.*:)";
    let operator = json!({"name": "keyword.operator"});
    let arm = json!({"patterns": leaf("$")});
    let mut patterns = vec![
        token(r"\{\{|\}\}", "invalid.illegal"),
        json!({
            "match": r"(\?)(.[^:]*)(:)(.*)",
            "captures": captures(&[(1, operator.clone()), (2, arm.clone()), (3, operator.clone()), (4, arm.clone())]),
        }),
        json!({
            "match": format!("({comparisons})((?:(?!{logic}|{mark}).)*)"),
            "captures": captures(&[(1, operator), (2, arm)]),
        }),
        token(&logic, "keyword.operator"),
    ];
    patterns.extend(leaf(&format!("(?:{comparisons}|{logic}|{mark}|$)")));
    patterns
}

/// The text before `end`, as one token: a text in quotes, a path, a literal, otherwise plain words.
fn leaf(end: &str) -> Vec<Value> {
    let language = agentos::ROUTING;
    let partitions = alternatives(&names(language, &[EntryKind::Root]));
    let constants = alternatives(&names(language, &[EntryKind::Constant]));
    let whole = |pattern: &str| format!("(?:{pattern})(?=\\s*{end})");
    let rest = format!("(?:(?!\\s*{end}).)*");
    let number = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|0[xX]\h+|0[oO][0-7]+|0[bB][01]+|[+-]?Infinity";
    vec![
        token(&whole(&format!("'{rest}'|'|\"{rest}\"|\"")), "string.quoted"),
        json!({
            "match": whole(&format!("({partitions})((?:\\.\\w+)*)")),
            "captures": captures(&[
                (1, json!({"name": "variable.other"})),
                (2, json!({"patterns": [
                    token(r"\.", "punctuation.accessor"),
                    token(r"\w+", "variable.other.property"),
                ]})),
            ]),
        }),
        token(&whole(&constants), "constant.language"),
        token(&whole(number), "constant.numeric"),
        token(&format!("\\S{rest}"), "constant.other"),
    ]
}

const SINGLE_QUOTED: &str = r"'(?:[^'\\]|\\.)*'";
const DOUBLE_QUOTED: &str = r#""(?:[^"\\]|\\.)*""#;

/// The words of a choice.
const CONDITIONAL: [&str; 3] = ["if", "then", "else"];

/// Every kind of operator.
const ANY: &[EntryKind] = &[
    EntryKind::Prefix,
    EntryKind::Comparison,
    EntryKind::Logic,
    EntryKind::Operator,
    EntryKind::Continuation,
];

/// The names of the entries of these kinds.
fn names(language: Language, kinds: &[EntryKind]) -> Vec<&'static str> {
    let entries = language.vocabulary().iter().filter(|entry| kinds.contains(&entry.kind));
    entries.map(|entry| entry.name).collect()
}

/// The operators that are words, without those of a choice.
fn words(language: Language) -> Vec<&'static str> {
    let mut words = names(language, ANY);
    words.retain(|word| word.bytes().all(|byte| byte.is_ascii_alphabetic()) && !CONDITIONAL.contains(word));
    words
}

/// The signs among the entries of these kinds. If a sign begins another one, the longer one is first.
fn signs(language: Language, kinds: &[EntryKind]) -> Vec<&'static str> {
    let mut signs = names(language, kinds);
    signs.retain(|sign| sign.bytes().all(|byte| byte.is_ascii_punctuation()));
    signs.sort_unstable();
    signs.dedup();
    signs.sort_by_key(|sign| std::cmp::Reverse(sign.len()));
    signs
}

/// A pattern that matches one of these words as a whole.
fn word_of(words: &[&str]) -> String {
    format!("\\b(?:{})\\b", alternatives(words))
}

/// A pattern that matches one of these words literally.
fn alternatives(words: &[&str]) -> String {
    let escaped = words.iter().map(|word| {
        let characters =
            word.chars().map(|character| match character.is_ascii_punctuation() && character != '_' {
                true => format!("\\{character}"),
                false => character.to_string(),
            });
        characters.collect::<String>()
    });
    escaped.collect::<Vec<_>>().join("|")
}

/// The pattern with the language's name after each scope.
fn with_suffix(pattern: &Value, suffix: &str) -> Value {
    match pattern {
        Value::Array(items) => items.iter().map(|item| with_suffix(item, suffix)).collect(),
        Value::Object(entries) => entries
            .iter()
            .map(|(key, value)| match value {
                Value::String(scope) if key == "name" => (key.clone(), json!(format!("{scope}.{suffix}"))),
                value => (key.clone(), with_suffix(value, suffix)),
            })
            .collect(),
        other => other.clone(),
    }
}
