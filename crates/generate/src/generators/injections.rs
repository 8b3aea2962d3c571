//! tree-sitter queries that find expressions in YAML and JSON.
//!
//! Input is the places that contain expressions. Output is the query files. Invariant: a key and its parent key
//! identify a place, so the same key elsewhere does not match.

use super::GeneratedFile;
use super::expression_keys::{ExpressionField, places};

/// The query files.
pub(super) fn files() -> Vec<GeneratedFile> {
    vec![
        GeneratedFile { path: "grammars/queries/yaml/injections.scm".to_owned(), text: yaml() },
        GeneratedFile { path: "grammars/queries/json/injections.scm".to_owned(), text: json() },
    ]
}

/// A way from a key to a key of the mapping in it: the pair above, what is between, and the pair below.
struct Way {
    above: &'static str,
    between: &'static str,
    below: &'static str,
}

const DIRECT: [Way; 2] = [
    Way { above: "block_mapping_pair", between: "(block_node (block_mapping", below: "block_mapping_pair" },
    Way { above: "_", between: "(flow_node (flow_mapping", below: "flow_pair" },
];
const IN_LIST: [Way; 3] = [
    Way {
        above: "block_mapping_pair",
        between: "(block_node (block_sequence (block_sequence_item (block_node (block_mapping",
        below: "block_mapping_pair",
    },
    Way {
        above: "block_mapping_pair",
        between: "(block_node (block_sequence (block_sequence_item (flow_node (flow_mapping",
        below: "flow_pair",
    },
    Way { above: "_", between: "(flow_node (flow_sequence (flow_node (flow_mapping", below: "flow_pair" },
];

/// A style of scalars: its pattern, and the directives that select the expression in its text.
struct Scalar {
    pattern: &'static str,
    directives: &'static str,
    /// Whether the style exists only in block mappings.
    is_block: bool,
}

/// The offsets remove quotes and the header of a block scalar. The header has one to three characters.
const SCALARS: [Scalar; 5] = [
    Scalar { pattern: "(flow_node (plain_scalar (_) @injection.content))", directives: "", is_block: false },
    Scalar {
        pattern: "(flow_node [(double_quote_scalar) (single_quote_scalar)] @injection.content)",
        directives: "\n  (#offset! @injection.content 0 1 0 -1)",
        is_block: false,
    },
    Scalar {
        pattern: "(block_node (block_scalar) @injection.content)",
        directives: "\n  (#not-match? @injection.content \"^[|>][-+0-9]\")\n  (#offset! @injection.content 0 1 0 0)",
        is_block: true,
    },
    Scalar {
        pattern: "(block_node (block_scalar) @injection.content)",
        directives: "\n  (#match? @injection.content \"^[|>][-+0-9]\")\n  \
                     (#not-match? @injection.content \"^[|>][-+0-9][-+0-9]\")\n  (#offset! @injection.content 0 2 0 0)",
        is_block: true,
    },
    Scalar {
        pattern: "(block_node (block_scalar) @injection.content)",
        directives: "\n  (#match? @injection.content \"^[|>][-+0-9][-+0-9]\")\n  (#offset! @injection.content 0 3 0 0)",
        is_block: true,
    },
];

const HEAD: &str = "\
; extends
; Generated from the tables of the dialects by `cargo xtask generate`.
; A key and its parent key identify a place. The kind of the document is not checked.
";

fn yaml() -> String {
    let mut text = HEAD.to_owned();
    for place in places() {
        let Some(parser) = place.language.grammar() else { continue };
        let ways: &[Way] = if place.is_in_list { &IN_LIST } else { &DIRECT };
        text.push_str(&format!("\n; {}\n", in_words(&place)));
        for way in ways {
            for scalar in
                SCALARS.iter().filter(|scalar| !scalar.is_block || way.below == "block_mapping_pair")
            {
                text.push_str(&yaml_pattern(&place, parser, way, scalar));
            }
        }
    }
    text
}

fn yaml_pattern(place: &ExpressionField, parser: &str, way: &Way, scalar: &Scalar) -> String {
    let Way { above, between, below } = way;
    let close = ")".repeat(between.matches('(').count());
    let Scalar { pattern, directives, .. } = scalar;
    format!(
        "(({above}
    key: (flow_node) @_parent
    value: {between} ({below}
      key: (flow_node) @_key
      value: {pattern}){close})
  (#any-of? @_parent {})
  (#any-of? @_key {}){directives}
  (#set! injection.language \"{parser}\"))
",
        spellings(place.parent),
        spellings(place.key)
    )
}

/// The notations of a key in YAML: plain and in quotes.
fn spellings(key: &str) -> String {
    format!("\"{key}\" \"'{key}'\" \"\\\"{key}\\\"\"")
}

fn in_words(place: &ExpressionField) -> String {
    let list = if place.is_in_list { " in the list" } else { "" };
    format!("`{}`{list} under `{}`", place.key, place.parent)
}

fn json() -> String {
    let mut text = HEAD.to_owned();
    for place in places() {
        let Some(parser) = place.language.grammar() else { continue };
        let (open, close) = if place.is_in_list { ("(array (object", "))") } else { ("(object", ")") };
        text.push_str(&format!(
            "
; {}
((pair
    key: (string) @_parent
    value: {open} (pair
      key: (string) @_key
      value: (string) @injection.content){close})
  (#eq? @_parent \"\\\"{}\\\"\")
  (#eq? @_key \"\\\"{}\\\"\")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.include-children)
  (#set! injection.language \"{parser}\"))
",
            in_words(&place),
            place.parent,
            place.key
        ));
    }
    text
}
