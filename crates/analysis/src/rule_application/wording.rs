//! The messages of a project's rules: a text, with names in braces.
//!
//! Input: the text of a rule and the part or path that was found. Output: the message. Invariant: a name that means nothing is
//! reported where the rule is written, and stays as it is here.

use nodewise_dialect::tables::rule::{keys, property};

use super::part::{Part, Scene};
use crate::project_rules::{Piece, pieces};

/// The most values of a property that a message lists.
const VALUES_MAX: usize = 4;
/// The most nodes of a path that a message lists.
const NODES_MAX: usize = 8;

/// The replacement for a name; `None` if the name has no meaning.
type WordsOf<'w> = dyn Fn(&str) -> Option<String> + 'w;

/// The replacements for names in braces.
pub(super) struct Words<'w> {
    value: Box<WordsOf<'w>>,
}

impl<'w> Words<'w> {
    /// The replacements for messages about a part.
    pub(super) fn of_part(scene: Scene<'w, 'w>) -> Words<'w> {
        let value = move |name: &str| {
            let id = || Some(scene.part.id().map_or("?", |id| id.value.as_str()).to_owned());
            match (name, scene.part) {
                (keys::NODE, Part::Node(..) | Part::Alone(_) | Part::Document(..)) => id(),
                (keys::AGENT, Part::Agent(_) | Part::Node(..) | Part::Alone(_) | Part::Document(..)) => id(),
                (keys::GRAPH, Part::Graph(_)) => id(),
                (keys::GRAPH, Part::Node(graph, ..)) => {
                    Some(graph.id.as_ref().map_or("?", |id| id.value.as_str()).to_owned())
                }
                _ => scene.shown(name),
            }
        };
        Words { value: Box::new(value) }
    }

    /// The replacements for messages about a path.
    pub(super) fn of_path((from, to): (String, String), nodes: &[String]) -> Words<'static> {
        let mut path = nodes.iter().take(NODES_MAX).cloned().collect::<Vec<_>>().join(" → ");
        if nodes.len() > NODES_MAX {
            path.push_str(" → …");
        }
        let value = move |name: &str| match name {
            keys::FROM => Some(from.clone()),
            keys::TO => Some(to.clone()),
            keys::PATH => Some(path.clone()),
            _ => None,
        };
        Words { value: Box::new(value) }
    }

    /// The text with its names replaced. Unknown names stay as they are.
    pub(super) fn fill(&self, text: &str) -> String {
        let mut filled = String::with_capacity(text.len());
        for piece in pieces(text) {
            match piece {
                Piece::Text(text) => filled.push_str(text),
                Piece::Name(name) => match (self.value)(name) {
                    Some(value) => filled.push_str(&value.replace(['\n', '\r'], " ")),
                    None => filled.push_str(&format!("{{{name}}}")),
                },
            }
        }
        filled
    }
}

impl Scene<'_, '_> {
    /// The value of the property with this name, as messages show it.
    fn shown(self, name: &str) -> Option<String> {
        let property = property(name)?;
        if let Some(number) = self.number(property) {
            return Some(number.map_or_else(|| "none".to_owned(), |(value, _)| value.to_string()));
        }
        let mut values: Vec<String> = Vec::new();
        self.texts(property, &mut |value, _| {
            if values.len() < VALUES_MAX {
                values.push(value.to_owned());
            }
        });
        Some(if values.is_empty() { "none".to_owned() } else { values.join(", ") })
    }
}

#[cfg(test)]
mod tests {
    use super::Words;

    #[test]
    fn names_stand_for_parts_of_a_path() {
        let words = Words::of_path(("a".to_owned(), "b".to_owned()), &["a".to_owned(), "b".to_owned()]);
        assert_eq!(words.fill("{path}: {from}{to} {node}"), "a → b: ab {node}");
    }
}
