//! Grammars that find expressions in YAML and JSON, for editors with TextMate grammars.
//!
//! Input is the places that contain expressions. Output is grammars to inject into those of YAML and JSON. A TextMate
//! grammar sees one line at a time, so only the key identifies a place. If a key is a common word, the value must also
//! name a part of the state. Invariant: only the value is matched, and the key keeps the grammar of the document.

use nodewise_dialect::table::Language;
use nodewise_expr::vocabulary::EntryKind;
use serde_json::{Value, json};

use super::super::GeneratedFile;
use super::super::expression_keys::places;
use super::{captures, file, token};

/// A language with its keys.
struct Held {
    name: &'static str,
    keys: Vec<&'static str>,
    /// The parts of the state that its expressions can name.
    roots: Vec<&'static str>,
}

/// The injected grammars.
pub(super) fn files() -> Vec<GeneratedFile> {
    let held = held();
    let each = |rules: fn(&Held) -> Vec<Value>| held.iter().flat_map(rules).collect::<Vec<Value>>();
    let grammar = |name: &str, selector: &str, mut patterns: Vec<Value>| {
        let languages = held.iter().map(|held| json!({"include": format!("source.{}", held.name)}));
        patterns.push(json!({
            "comment": "Matches nothing: a grammar that captures alone include is not loaded.",
            "begin": "(?!)",
            "end": "(?!)",
            "patterns": languages.collect::<Vec<Value>>(),
        }));
        let repository = json!({
            "escaped-double": token(r#"\\"(?:[^"\\]|\\[^"])*\\""#, "string.quoted.double.nodewise"),
            "escaped-single": token("''[^']*''", "string.quoted.single.nodewise"),
        });
        file(
            &format!("{name}.injection"),
            &json!({
                "scopeName": format!("nodewise.{name}.injection"),
                "injectionSelector": selector,
                "patterns": patterns,
                "repository": repository,
            }),
        )
    };
    vec![
        // The grammar of VS Code, which has a scope for values.
        grammar(
            "yaml",
            "L:meta.map.value.yaml - meta.flow.mapping.yaml - string - comment - meta.embedded",
            each(nested_yaml),
        ),
        // Older grammars, which match only lines.
        grammar(
            "yaml-flat",
            "L:source.yaml - meta.stream.yaml - meta.flow-mapping.yaml - string - comment - meta.embedded",
            each(flat_yaml),
        ),
        // Flow style, under the names of both grammars.
        grammar(
            "yaml-flow",
            "L:meta.flow.pair.value.yaml - string - comment - meta.embedded, \
             L:meta.flow-pair.value.yaml - string - comment - meta.embedded",
            each(flow_yaml),
        ),
        grammar(
            "json",
            "L:meta.structure.dictionary.value.json - string - comment - meta.embedded",
            each(json_value),
        ),
    ]
}

fn held() -> Vec<Held> {
    let mut held: Vec<Held> = Vec::new();
    for place in places() {
        let Some(parser) = place.language.grammar() else { continue };
        let name = if parser == "agentos_routing" { "agentos-routing" } else { parser };
        let known = held.iter().position(|known| known.name == name).unwrap_or_else(|| {
            held.push(Held { name, keys: Vec::new(), roots: Vec::new() });
            held.len() - 1
        });
        let Some(known) = held.get_mut(known) else { continue };
        if !known.keys.contains(&place.key) {
            known.keys.push(place.key);
        }
        for root in roots(place.language) {
            if !known.roots.contains(&root) {
                known.roots.push(root);
            }
        }
    }
    held
}

/// The names that every expression of a language can read.
fn roots(language: Language) -> impl Iterator<Item = &'static str> {
    language.vocabulary().iter().filter(|entry| entry.kind == EntryKind::Root).map(|entry| entry.name)
}

impl Held {
    /// A lookahead that a value must match to be an expression. Liman's key is unique to it. The other keys are common
    /// words.
    fn guard(&self) -> String {
        match self.roots.as_slice() {
            [] => String::new(),
            roots => format!("(?=.*\\b(?:{})\\b)", roots.join("|")),
        }
    }
}

/// The patterns after a key: values on one line, with their quotes.
fn inline(held: &Held) -> Vec<Value> {
    let (name, guard) = (held.name, held.guard());
    let after = after_key(held);
    let embedded = format!("meta.embedded.inline.{name}");
    let language = json!({"include": format!("source.{name}")});
    let quoted = |quote: &str, inside: &str, escapes: &str| {
        json!({
            "match": format!("{after}[ \\t]+{guard}({quote})({inside})({quote})"),
            "captures": captures(&[
                (1, json!({"name": "punctuation.definition.string.begin"})),
                (2, json!({"name": embedded, "patterns": [{"include": escapes}, language]})),
                (3, json!({"name": "punctuation.definition.string.end"})),
            ]),
        })
    };
    vec![
        quoted("\"", r#"(?:[^"\\]|\\.)*"#, "#escaped-double"),
        quoted("'", "(?:[^']|'')*", "#escaped-single"),
    ]
}

/// A plain value ends at the end of the line or at a comment. In flow style, it also ends before a comma or a bracket.
fn plain(held: &Held, is_flow: bool) -> Value {
    let (name, guard) = (held.name, held.guard());
    let after = after_key(held);
    let (character, end) = match is_flow {
        true => (r"[^\[\]{},]", r"(?=\s*(?:[\[\]{},]|$|\s#))"),
        false => (".", r"(?=\s*$|\s+#)"),
    };
    json!({
        "match": format!("{after}[ \\t]+{guard}{PLAIN_FIRST}((?:(?!\\s#){character})+?){end}"),
        "captures": captures(&[(1, json!({
            "name": format!("meta.embedded.inline.{name}"),
            "patterns": [{"include": format!("source.{name}")}],
        }))]),
    })
}

const PLAIN_FIRST: &str = r#"(?!["'|>&*!%@`\[\]{},#]|[-?:](?:\s|$))"#;

/// The header of a block scalar: its style, its indicators, a comment.
const HEADER: &str = r"[ \t]+(?:(\|)|(>))([-+1-9]*)[ \t]*(#.*)?$";

/// The scopes of the parts of a header, starting at this capture.
fn header_captures(first: usize) -> [(usize, Value); 4] {
    let scopes = [
        "keyword.control.flow.block-scalar.literal.yaml",
        "keyword.control.flow.block-scalar.folded.yaml",
        "storage.modifier.chomping-indicator.yaml",
        "comment.line.number-sign.yaml",
    ];
    let mut number = first;
    scopes.map(|scope| {
        number += 1;
        (number - 1, json!({"name": scope}))
    })
}

fn block(held: &Held, begin: &str, begin_captures: Value, goes_on: &str) -> Value {
    json!({
        "begin": begin,
        "beginCaptures": begin_captures,
        "while": goes_on,
        "contentName": format!("meta.embedded.block.{}", held.name),
        "patterns": [{"include": format!("source.{}", held.name)}],
    })
}

/// For a grammar that has a scope for values.
fn nested_yaml(held: &Held) -> Vec<Value> {
    let begin = format!("{}{HEADER}", after_key(held));
    let mut rules = vec![block(held, &begin, captures(&header_captures(1)), r"\G")];
    rules.extend(inline(held));
    rules.push(plain(held, false));
    rules
}

fn flow_yaml(held: &Held) -> Vec<Value> {
    let mut rules = inline(held);
    rules.push(plain(held, true));
    rules
}

/// For a grammar that matches only lines: the value continues while lines are indented more than the key.
fn flat_yaml(held: &Held) -> Vec<Value> {
    let keys = held.keys.join("|");
    let key = |number: usize| format!("([\"']?)({keys})\\{number}(:)");
    let named = |first: usize| {
        let mut named = vec![
            (first, json!({"name": "entity.name.tag.yaml"})),
            (first + 1, json!({"name": "punctuation.separator.key-value.mapping.yaml"})),
        ];
        named.extend(header_captures(first + 2));
        named
    };
    let mut item = named(5);
    item.push((2, json!({"name": "punctuation.definition.block.sequence.item.yaml"})));
    let alone = format!("^( *){}{HEADER}", key(2));
    let in_item = format!("^( *)(-)( +){}{HEADER}", key(4));
    let mut rules = vec![
        block(held, &alone, captures(&named(3)), r"^(?=\1 |[ \t]*$)"),
        block(held, &in_item, captures(&item), r"^(?=\1 \3 |[ \t]*$)"),
    ];
    rules.extend(inline(held));
    rules.push(plain(held, false));
    rules
}

fn json_value(held: &Held) -> Vec<Value> {
    let (name, guard) = (held.name, held.guard());
    let after = held.keys.iter().map(|key| format!("\"{key}\":")).collect::<Vec<_>>().join("|");
    let embedded = format!("meta.embedded.inline.{name}");
    vec![json!({
        "match": format!("(?<={after})\\s*{guard}(\")((?:[^\"\\\\]|\\\\.)*)(\")"),
        "captures": captures(&[
            (1, json!({"name": "punctuation.definition.string.begin.json"})),
            (2, json!({"name": embedded, "patterns": [{"include": "#escaped-double"}, {"include": format!("source.{name}")}]})),
            (3, json!({"name": "punctuation.definition.string.end.json"})),
        ]),
    })]
}

/// The place after one of the keys. A lookbehind cannot skip spaces.
fn after_key(held: &Held) -> String {
    let spellings = held
        .keys
        .iter()
        .flat_map(|key| [format!("[\\s{{,]{key}:"), format!("'{key}':"), format!("\"{key}\":")]);
    format!("(?<={})", spellings.collect::<Vec<_>>().join("|"))
}
