//! The keys that contain expressions, from the dialects' tables.
//!
//! Input is the tables. Output is each key with its parent key and the language of its values. Invariant: the order is
//! that of the tables, and each place occurs once.

use nodewise_dialect::table::{Dialect, Language, Shape, Type};
use nodewise_dialect::tables::DIALECTS;

/// A place that contains an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ExpressionField {
    pub(super) language: Language,
    /// The parent key. Its value is the mapping, or the list of mappings, with the key.
    pub(super) parent: &'static str,
    pub(super) is_in_list: bool,
    pub(super) key: &'static str,
}

/// Every place that contains an expression.
pub(super) fn places() -> Vec<ExpressionField> {
    let mut survey = Survey::default();
    for kind in DIALECTS.iter().flat_map(|dialect: &&Dialect| dialect.kinds) {
        survey.shape(&kind.shape, None);
    }
    survey.places
}

/// The key of a mapping, and whether the mapping is in a list.
type Parent = Option<(&'static str, bool)>;

#[derive(Default)]
struct Survey {
    places: Vec<ExpressionField>,
    seen: Vec<(&'static Shape, Parent)>,
}

impl Survey {
    fn shape(&mut self, shape: &'static Shape, parent: Parent) {
        if self.seen.iter().any(|(known, above)| *above == parent && known.is_same(shape)) {
            return;
        }
        self.seen.push((shape, parent));
        for field in shape.fields {
            self.value(field.ty, field.key, parent, false);
        }
    }

    /// Adds the value of a key. `parent` is the place of the mapping with the key.
    fn value(&mut self, ty: Type, key: &'static str, parent: Parent, is_in_list: bool) {
        match ty {
            Type::Expression(language) | Type::Condition(language) => self.expression(language, key, parent),
            Type::Object(shape) | Type::Open(shape) => self.shape(shape, Some((key, is_in_list))),
            Type::TextOr(_, shape) => self.shape(shape, Some((key, is_in_list))),
            Type::Variant(variant) => {
                variant.cases.iter().for_each(|case| self.shape(&case.shape, Some((key, is_in_list))));
            }
            Type::List(item) => self.value(*item, key, parent, true),
            Type::OneOrMany(item) => {
                self.value(*item, key, parent, false);
                self.value(*item, key, parent, true);
            }
            Type::OneOf(forms) => {
                forms.iter().for_each(|form| self.value(form.ty, key, parent, is_in_list));
            }
            Type::Lenient(inner) | Type::Sized(inner, _) => self.value(*inner, key, parent, is_in_list),
            _ => {}
        }
    }

    fn expression(&mut self, language: Language, key: &'static str, parent: Parent) {
        let Some((parent, is_in_list)) = parent else { return };
        let place = ExpressionField { language, parent, is_in_list, key };
        if !self.places.contains(&place) {
            self.places.push(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_by_the_tables() {
        let in_words = |place: &ExpressionField| {
            let list = if place.is_in_list { "[]" } else { "" };
            format!("{}{list}.{}: {}", place.parent, place.key, place.language.id())
        };
        let mut shown: Vec<String> = places().iter().map(in_words).collect();
        shown.retain(|place| !place.contains("jsonpath"));
        shown.sort();
        assert_eq!(
            shown,
            [
                "condition.condition: filtrex",
                "condition.expr: agentos",
                "judges[].expression: filtrex-verifier",
                "llm_nodes[].when: limance",
                "nodes[].when: limance",
                "to[].when: limance",
                "verifier_config.expression: filtrex-verifier",
            ]
        );
    }
}
