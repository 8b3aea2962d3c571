//! How an edge is written in the list of a graph: the keys of its ends, and where its condition is. In: the shape of
//! edges in the table. Out: new edges as values, and the path to the condition. Invariant: only the table decides.

use nodewise_dialect::table::{Field, NameUse, Required, Shape, Symbol, Type, Word};
use nodewise_syntax::write::NewValue;

use super::graph_text::GraphText;
use super::{BoardRefusal, unwritable};

#[derive(Clone, Copy)]
pub(super) struct EdgeKeys {
    pub(super) shape: &'static Shape,
    pub(super) source: &'static Field,
    pub(super) target: &'static Field,
    pub(super) condition: &'static Field,
}

impl EdgeKeys {
    pub(super) fn of(shape: &'static Shape) -> Result<EdgeKeys, BoardRefusal> {
        let is_end = |field: &&Field| {
            let names_node =
                matches!(field.ty, Type::Symbol(Symbol::Node | Symbol::Endpoint, NameUse::Refers));
            names_node && field.required == Required::Yes
        };
        let mut ends = shape.fields.iter().filter(is_end);
        let condition = shape.fields.iter().find(|field| expression(field.ty).is_some());
        match (ends.next(), ends.next(), condition) {
            (Some(source), Some(target), Some(condition)) => {
                Ok(EdgeKeys { shape, source, target, condition })
            }
            _ => Err(unwritable()),
        }
    }

    /// A new edge between two names, with an id if the other edges have one.
    pub(super) fn value(
        &self,
        text: &GraphText<'_>,
        (source, target): (&str, &str),
        condition: Option<&str>,
    ) -> NewValue {
        let mut entries: Vec<(String, NewValue)> = Vec::new();
        for field in self.shape.fields {
            let value = match field.ty {
                _ if field.key == self.source.key => Some(NewValue::text(source)),
                _ if field.key == self.target.key => Some(NewValue::text(target)),
                _ if field.key == self.condition.key => {
                    condition.and_then(|text| condition_value(field.ty, text))
                }
                Type::Symbol(Symbol::Edge, NameUse::Declares) => {
                    let is_wanted = field.required == Required::Yes || have_ids(text);
                    is_wanted.then(|| NewValue::text(new_id(text, source, target)))
                }
                Type::Word(words) if field.required == Required::Yes => {
                    let beside = self.condition.beside.filter(|beside| beside.key == field.key);
                    let word = beside.filter(|_| condition.is_some()).and_then(|beside| beside.words.first());
                    word.copied().or_else(|| self.plain_word(field, words)).map(NewValue::text)
                }
                _ => None,
            };
            entries.extend(value.map(|value| (field.key.to_owned(), value)));
        }
        NewValue::Mapping(entries)
    }

    /// The word for an edge that is always followed, with which no other key has a meaning.
    pub(super) fn plain_word(&self, field: &Field, words: &'static [Word]) -> Option<&'static str> {
        let besides = self.shape.fields.iter().filter_map(|other| other.beside);
        let taken: Vec<&str> = besides
            .filter(|beside| beside.key == field.key)
            .flat_map(|beside| beside.words)
            .copied()
            .collect();
        words.iter().map(|word| word.text).find(|word| !taken.contains(word))
    }
}

/// Whether all edges of a graph have ids.
fn have_ids(text: &GraphText<'_>) -> bool {
    !text.graph.edges.is_empty() && text.graph.edges.iter().all(|edge| edge.id.is_some())
}

/// An id that no edge of the graph has.
fn new_id(text: &GraphText<'_>, source: &str, target: &str) -> String {
    let word = |name: &str| name.trim_matches('_').to_lowercase();
    let terminals = text.graph.conventions.terminals.as_ref();
    let is_mark = |name: &str| terminals.is_some_and(|marks| name == marks.start || name == marks.end);
    let part = |name: &str| if is_mark(name) { word(name) } else { name.to_owned() };
    let id = format!("{}-{}", part(source), part(target));
    let is_taken = |id: &str| {
        text.graph.edges.iter().any(|edge| edge.id.as_ref().is_some_and(|taken| taken.value == id))
    };
    let mut ids = std::iter::once(id.clone()).chain((2..).map(|number| format!("{id}-{number}")));
    ids.find(|id| !is_taken(id)).unwrap_or(id)
}

/// The field with the expression of a condition, and the words with which it has an effect.
pub(super) fn expression(ty: Type) -> Option<Option<(&'static Shape, &'static Field)>> {
    match ty {
        Type::Condition(_) | Type::Expression(_) => Some(None),
        Type::Object(shape) => inside(shape).map(|field| Some((shape, field))),
        Type::Variant(variant) => {
            variant.cases.iter().find_map(|case| Some(Some((&case.shape, inside(&case.shape)?))))
        }
        _ => None,
    }
}

/// The field of a shape that is an expression itself.
fn inside(shape: &'static Shape) -> Option<&'static Field> {
    shape.fields.iter().find(|field| matches!(field.ty, Type::Condition(_) | Type::Expression(_)))
}

/// A condition as a value of a type.
pub(super) fn condition_value(ty: Type, text: &str) -> Option<NewValue> {
    let Some((shape, expression)) = expression(ty)? else { return Some(NewValue::text(text)) };
    let case = match ty {
        Type::Variant(variant) => {
            let case = variant.cases.iter().find(|case| std::ptr::eq(&raw const case.shape, shape))?;
            Some((variant.key, case.word.text))
        }
        _ => None,
    };
    let word = |field: &Field, words: &'static [Word]| {
        let case = case.filter(|(key, _)| *key == field.key).map(|(_, word)| word);
        let beside = expression.beside.filter(|beside| beside.key == field.key);
        case.or(beside.and_then(|beside| beside.words.first().copied()))
            .or(words.first().map(|word| word.text))
    };
    let entry = |field: &'static Field| match field.ty {
        _ if field.key == expression.key => Some((field.key, NewValue::text(text))),
        Type::Word(words) if field.required == Required::Yes => {
            Some((field.key, NewValue::text(word(field, words)?)))
        }
        _ => None,
    };
    Some(NewValue::mapping(shape.fields.iter().filter_map(entry)))
}
