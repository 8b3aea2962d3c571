//! ## What it does
//!
//! Reports `true` or `false` in an edge's expression, outside of quoted texts.
//!
//! ## Why it matters
//!
//! filtrex has no such literals: the words are names of keys that do not exist. `memory.flag == true` holds
//! exactly when `flag` is missing, and does not when it is true.
//!
//! ## Example
//!
//! ```yaml expect=boolean-literal
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: agent, agent_id: x, write_keys: [done]}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.done == true}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: agent, agent_id: x, write_keys: [done]}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.done}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```

use nodewise_syntax::{TextRange, TextSize};

use super::{expression, step};
use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "boolean-literal",
    spec: None,
    systems: &["cycgraph"],
    severity: Severity::Warning,
    absence: false,
    about_syntax: false,
    source: include_str!("boolean_literal.rs"),
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    let Some(class) = step::class(context, &["cycgraph:R14"]) else { return };
    for facts in expression::of_edges(context) {
        let Some(literal) = literal(&facts.text) else { continue };
        let tree = context.file.tree();
        let word = facts.text.get(std::ops::Range::<usize>::from(literal)).unwrap_or_default();
        report.push(
            Finding::new(facts.place(tree, literal), format!("filtrex has no `{word}`"))
                .spec(class)
                .label("the word is the name of a key that does not exist")
                .help("write `memory.flag` or `not memory.flag`, or compare with 1, 0 or a text"),
        );
    }
}

/// The first whole word `true` or `false` of the text that is left when quoted texts are taken out. A quote without
/// a partner quotes nothing.
fn literal(text: &str) -> Option<TextRange> {
    let mut kept: Vec<(usize, u8)> = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let quoted = matches!(byte, b'"' | b'\'')
            .then(|| bytes.get(at + 1..)?.iter().position(|other| other == byte))
            .flatten();
        match quoted {
            Some(length) => at += length + 2,
            None => {
                kept.push((at, *byte));
                at += 1;
            }
        }
    }
    let words = kept.split(|(_, byte)| !(byte.is_ascii_alphanumeric() || *byte == b'_'));
    let mut literals = words.filter(|word| {
        ["true", "false"].iter().any(|literal| word.iter().map(|(_, byte)| *byte).eq(literal.bytes()))
    });
    let literal = literals.next()?;
    let (start, end) = (literal.first()?.0, literal.last()?.0 + 1);
    Some(TextRange::new(TextSize::try_from(start).ok()?, TextSize::try_from(end).ok()?))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn outside_of_texts() {
        check_rule(
            "boolean-literal",
            r#"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: router}
edges:
  - {source: a, target: a, condition: {type: conditional, condition: "memory.a == 'true' and memory.b != false"}}
#                                                                                                        ^^^^^ warning[boolean-literal]: filtrex has no `false`
  - {source: a, target: a, condition: {type: conditional, condition: memory.trueish and memory.is_true}}
  - {source: a, target: a, condition: {type: conditional, condition: memory.true}}
#                                                                           ^^^^ warning[boolean-literal]: filtrex has no `true`
  - {source: a, target: a, condition: {type: conditional, condition: "memory.n in (1, 2) == true"}}
#                                                                                           ^^^^ warning[boolean-literal]: filtrex has no `true`
start_node: a
end_nodes: [b]
"#,
        );
    }
}
