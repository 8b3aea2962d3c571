//! The canonical layout of declarations and of the conditions in them.
//!
//! [`format_tree`] formats a text: indentation, spaces, empty lines, quotes, flow or block, the spaces inside of
//! conditions and, on request, the order of keys. It has a parser that is not ours confirm that the new text means what
//! the old one does, and else refuses.
//!
//! Reading order: [`options`] (what may be chosen), `order` (keys), `conditions` (expressions), `layout` (where each
//! token goes), `printer` (the resulting text), `measure` (widths), [`verify`] (the second opinion), [`range`] (a
//! part of a text), [`detect_style`] (the options that change texts least).

mod conditions;
mod layout;
mod measure;
mod order;
mod printer;
mod tokens;

pub mod detect_style;
pub mod options;
pub mod range;
pub mod verify;

use std::fmt;

pub use conditions::Rewrite;
use nodewise_dialect::table::Kind;
use nodewise_syntax::edit::TextEdit;
use nodewise_syntax::{Problem, ProblemKind, TextRange, TextSize, Tree};
pub use options::FormatOptions;
pub use verify::VerificationFailure;

/// A formatted text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formatted {
    /// The whole text.
    pub text: String,
    /// The edits that turn the old text into the new one, in the order of the text; empty if it is already formatted.
    pub edits: Vec<TextEdit>,
    /// The expressions that were formatted, in the order of the text.
    pub rewrites: Vec<Rewrite>,
}

/// Why a text is not formatted.
#[derive(Debug, Clone)]
pub enum FormatRefusal {
    /// The text is not valid YAML, so it has no layout.
    Broken(Problem),
    /// A second parser reads the new text differently from the old one.
    Doubted(VerificationFailure),
}

impl fmt::Display for FormatRefusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatRefusal::Broken(problem) => write!(formatter, "{}", problem.message()),
            FormatRefusal::Doubted(failure) => write!(formatter, "{failure}"),
        }
    }
}

/// Formats a text. `kinds` has the kind of each document, if it is known. Without a kind, conditions and the order of
/// keys do not change.
pub fn format_tree(
    tree: &Tree,
    kinds: &[Option<&'static Kind>],
    options: &FormatOptions,
) -> Result<Formatted, FormatRefusal> {
    let is_break = |problem: &&Problem| problem.is_syntax() || problem.kind == ProblemKind::UndefinedAlias;
    if let Some(problem) = tree.problems().iter().find(is_break) {
        return Err(FormatRefusal::Broken(problem.clone()));
    }
    let formatted = format_in_order(tree, kinds, options)?;
    if !options.key_order {
        return Ok(formatted);
    }
    // Order the keys of the new text, because some of its block mappings were in brackets before. Otherwise a second
    // run would change the text again.
    let laid_out = nodewise_syntax::parse(formatted.text.as_str());
    let Some(text) = order::ordered(&laid_out, kinds) else { return Ok(formatted) };
    verify::same_data(&formatted.text, &text).map_err(FormatRefusal::Doubted)?;
    let ordered = format_in_order(&nodewise_syntax::parse(text), kinds, options)?;
    let edits = replacement(tree.text(), &ordered.text).into_iter().collect();
    Ok(Formatted { text: ordered.text, edits, rewrites: formatted.rewrites })
}

fn format_in_order(
    tree: &Tree,
    kinds: &[Option<&'static Kind>],
    options: &FormatOptions,
) -> Result<Formatted, FormatRefusal> {
    let rewrites = conditions::rewrites(tree, kinds);
    let (text, edits) = layout::laid_out(tree, &rewrites, options);
    if !edits.is_empty() {
        verify::same_meaning(tree.text(), &text, rewrites.values()).map_err(FormatRefusal::Doubted)?;
    }
    Ok(Formatted { text, edits, rewrites: rewrites.into_values().collect() })
}

/// The smallest single edit that turns `before` into `after`; `None` if they are equal.
fn replacement(before: &str, after: &str) -> Option<TextEdit> {
    if before == after {
        return None;
    }
    let same = |(old, new): &(char, char)| old == new;
    let head = before.chars().zip(after.chars()).take_while(same).map(|(old, _)| old.len_utf8()).sum();
    let (old, new) = (before.get(head..).unwrap_or_default(), after.get(head..).unwrap_or_default());
    let tail: usize =
        old.chars().rev().zip(new.chars().rev()).take_while(same).map(|(old, _)| old.len_utf8()).sum();
    let start = TextSize::try_from(head).ok()?;
    let end = TextSize::try_from(before.len() - tail).ok()?;
    let text = new.get(..new.len() - tail).unwrap_or_default().to_owned();
    Some(TextEdit { range: TextRange::new(start, end), text })
}
