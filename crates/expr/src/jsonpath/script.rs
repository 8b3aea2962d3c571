//! The JavaScript-like expressions in a path: filters and computed names.
//!
//! Input: a script's text, cut out of a path; output: its trees, and why it cannot run. Invariant: a script without a
//! fault also parses in jsonpath-plus 10.4.0, and one with a fault makes that library throw when evaluation gets
//! there.

mod grammar;
mod literals;
mod operators;
mod parts;
mod recovery;

use std::collections::BTreeSet;

use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

pub(super) use grammar::{is_name_part, is_name_start};

use super::traced::{Character, Traced, range_of, replace_all, spells};
use crate::ast::{Expr, ExprKind, Path, Segment};
use crate::problem::{ParseProblem, ParseProblemKind};

/// The greatest depth of nesting in a script.
pub(super) const DEEPEST: usize = 100;

/// A name that scripts can read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScriptName {
    pub(crate) written: &'static str,
    /// The library's name for it.
    pub(super) substituted: &'static str,
    pub(crate) doc: &'static str,
}

/// The names that scripts can read. A name that begins with a shorter one comes before it.
pub(crate) const NAMES: &[ScriptName] = &[
    name(
        "@parentProperty",
        "_$_parentProperty",
        "The name or index under which the value stands that holds the item.",
    ),
    name("@parent", "_$_parent", "The value that holds the item."),
    name("@property", "_$_property", "The name or index under which the item stands."),
    name("@root", "_$_root", "The value that the whole path begins at."),
    name("@path", "_$_path", "The path of the item, as a text."),
    name("@", "_$_v", "The item that is looked at."),
];

const fn name(written: &'static str, substituted: &'static str, doc: &'static str) -> ScriptName {
    ScriptName { written, substituted, doc }
}

/// A filter or a computed name.
#[derive(Debug, Clone, PartialEq)]
pub struct ScriptExpression {
    /// The text as written, without the parentheses of a filter.
    pub source: SmolStr,
    pub range: TextRange,
    /// The expressions, one after the other. The value of the script is that of the last one. If the script has a
    /// fault, these are the names that could be read in it.
    pub expressions: Vec<Expr>,
    /// The reason why the script cannot be parsed.
    pub(super) fault: Option<Fault>,
    /// Parts that cannot be evaluated.
    pub(super) refusals: Vec<Refusal>,
    /// The names that it reads.
    pub(super) names: Vec<&'static str>,
}

/// The reason why a text is not a script.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fault {
    /// The release's exception.
    pub(super) thrown: String,
    /// The same as a problem for the author.
    pub(super) problem: ParseProblem,
}

/// A part of a script that parses, but has no value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Refusal {
    pub(super) range: TextRange,
    /// The range of what is wrong in it.
    pub(super) culprit: TextRange,
    pub(super) reason: Reason,
}

/// Why a part of a script has no value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Reason {
    /// The release throws when it gets there.
    Thrown {
        /// The release's exception.
        thrown: String,
        /// The same as a message for the author.
        message: String,
        /// What to write instead.
        help: Option<String>,
    },
    /// It has a value in the release, but nodewise cannot compute it.
    Unsupported(&'static str),
}

impl ScriptExpression {
    /// Reads a script.
    pub(super) fn read(source: &Traced) -> ScriptExpression {
        let substituted = substitute(&source.characters);
        let mut script = ScriptExpression {
            source: source.text().into(),
            range: source.range(),
            expressions: Vec::new(),
            fault: None,
            refusals: Vec::new(),
            names: Vec::new(),
        };
        match grammar::read(&substituted, source.range()) {
            Ok(read) => {
                script.expressions = read.expressions;
                script.refusals = read.refusals;
            }
            Err(fault) => {
                script.expressions = recovery::names(&substituted, source.range());
                script.fault = Some(fault);
            }
        }
        script.note_names();
        script
    }

    /// Collects the names that are read, and refuses those that do not exist.
    fn note_names(&mut self) {
        let mut read: Vec<&Path> = Vec::new();
        for expr in &self.expressions {
            expr.walk(&mut |node| {
                if let ExprKind::Variable(path) = &node.kind {
                    read.push(path);
                }
            });
        }
        let refused: BTreeSet<TextSize> = self.refusals.iter().map(|refusal| refusal.range.start()).collect();
        for path in read {
            let Some(first) = path.segments.first() else { continue };
            match NAMES.iter().find(|name| name.written == first.name) {
                Some(name) => {
                    if !self.names.contains(&name.written) {
                        self.names.push(name.written);
                    }
                }
                None => {
                    if !refused.contains(&first.range.start()) {
                        self.refusals.push(unknown_name(path, first));
                    }
                }
            }
        }
    }

    /// Problems that certainly occur when the script runs.
    pub(super) fn problems(&self) -> Vec<ParseProblem> {
        let fault = self.fault.iter().map(|fault| fault.problem.clone());
        let refused = self.refusals.iter().filter_map(|refusal| match &refusal.reason {
            Reason::Thrown { message, help, .. } => Some(ParseProblem {
                kind: ParseProblemKind::UnexpectedToken,
                range: refusal.culprit,
                message: message.clone(),
                help: help.clone(),
                replacement: None,
            }),
            Reason::Unsupported(_) => None,
        });
        fault.chain(refused).collect()
    }
}

/// Operators of other languages, each with its equivalent here.
const FOREIGN_OPERATORS: &[(&str, &str)] =
    &[("and", "&&"), ("or", "||"), ("not", "!"), ("in", ".includes()"), ("contains", ".includes()")];

fn unknown_name(path: &Path, first: &Segment) -> Refusal {
    let foreign = FOREIGN_OPERATORS.iter().find(|(word, _)| first.name.eq_ignore_ascii_case(word));
    let help = match foreign {
        Some((_, operator)) => format!("write `{operator}`"),
        None => format!("write `@.{}` for a part of the item, or quotes around a text", first.name),
    };
    let reason = Reason::Thrown {
        thrown: format!("{} is not defined", first.name),
        message: format!("a filter knows no name `{}`", first.name),
        help: Some(help),
    };
    Refusal { range: path.range(), culprit: first.range, reason }
}

/// Replaces the written names by the library's names, like the library does it: everywhere, even inside texts.
fn substitute(characters: &[Character]) -> Vec<Character> {
    let mut out = characters.to_vec();
    for name in NAMES {
        out = match name.written {
            "@" => substitute_current(&out),
            written => replace_all(&out, written, name.substituted),
        };
    }
    out
}

/// A lone `@` is only replaced before a dot, a space or a bracket.
fn substitute_current(characters: &[Character]) -> Vec<Character> {
    let mut out = Vec::with_capacity(characters.len());
    for (at, character) in characters.iter().enumerate() {
        let is_name = character.value == '@'
            && characters.get(at + 1).is_some_and(|next| {
                matches!(next.value, '.' | ')' | '[') || crate::javascript::is_blank(next.value)
            });
        if is_name {
            super::traced::insert(&mut out, "_$_v", character.origin);
        } else {
            out.push(*character);
        }
    }
    out
}

/// The range in the source of the characters from `from` to `to`.
fn origin(characters: &[Character], from: usize, to: usize, whole: TextRange) -> TextRange {
    let covered = characters.get(from..to).and_then(range_of);
    covered.unwrap_or_else(|| {
        let next = characters.get(from).map_or(whole.end(), |next| next.origin.start());
        TextRange::empty(next)
    })
}

/// The length of the operator that begins here.
pub(super) fn operator_length(characters: &[Character], at: usize) -> Option<usize> {
    operators::operator_at(characters, at).map(|operator| operator.spelling.len())
}

/// Whether a filter begins here.
pub(super) fn is_filter(characters: &[Character]) -> bool {
    spells(characters, 0, "?(")
}
