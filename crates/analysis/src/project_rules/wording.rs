//! The names in braces in the messages of a project's rules.
//!
//! Input: the text of a rule. Output: its pieces, and the names that mean something there. Invariant: a brace without a partner
//! stands for itself.

use nodewise_dialect::tables::rule::keys;
use nodewise_model::project_rule::{PartKind, RuleSubject};

/// A piece of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece<'t> {
    /// Text that is shown as it is.
    Text(&'t str),
    /// A name in braces, which is replaced.
    Name(&'t str),
}

/// The pieces of a message, in order. A brace without a partner is plain text.
pub(crate) fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    let mut name = None;
    std::iter::from_fn(move || {
        if let Some(name) = name.take() {
            return Some(Piece::Name(name));
        }
        if rest.is_empty() {
            return None;
        }
        let found = rest.match_indices('{').find_map(|(start, _)| {
            let inside = rest.get(start + 1..)?;
            let end = inside.find('}')?;
            let inside = inside.get(..end)?;
            let is_name =
                !inside.is_empty() && inside.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
            is_name.then_some((start, inside))
        });
        let Some((start, inside)) = found else { return Some(Piece::Text(std::mem::take(&mut rest))) };
        let (before, behind) = rest.split_at(start);
        rest = behind.get(inside.len() + 2..).unwrap_or_default();
        if before.is_empty() {
            return Some(Piece::Name(inside));
        }
        name = Some(inside);
        Some(Piece::Text(before))
    })
}

/// The names that messages of a rule can use in braces, in addition to the names of properties.
pub(super) fn known(subject: &RuleSubject) -> &'static [&'static str] {
    match subject {
        RuleSubject::Parts(PartKind::Node, _) => &[keys::NODE, keys::AGENT, keys::GRAPH],
        RuleSubject::Parts(PartKind::Agent, _) => &[keys::AGENT],
        RuleSubject::Parts(PartKind::Graph, _) => &[keys::GRAPH],
        RuleSubject::Paths(_) => &[keys::FROM, keys::TO, keys::PATH],
    }
}

#[cfg(test)]
mod tests {
    use super::{Piece, pieces};

    #[test]
    fn names_in_braces() {
        let found: Vec<Piece<'_>> = pieces("`{from}` to {to}, {} {x y} {open").collect();
        let text = Piece::Text;
        let expected =
            [text("`"), Piece::Name("from"), text("` to "), Piece::Name("to"), text(", {} {x y} {open")];
        assert_eq!(found, expected);
    }
}
