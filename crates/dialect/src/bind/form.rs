//! Binding of values with bounds, of free keys, and of mappings whose form depends on what they hold.
//! Input and output are those of [`super`]; if the form is unknown, no part is checked.

use nodewise_model::{Origin, Reference};
use smol_str::SmolStr;

use super::{Binder, IssueKind, Place};
use crate::forms::fits;
use crate::table::{LengthBounds, NumberBounds, Type, Variant};
use crate::value::{Data, SpannedValue, number_text};

/// The largest integer up to which every common number format is exact.
const SAFE_INTEGER_MAX: f64 = 9_007_199_254_740_991.0;

impl<'v, 't> Binder<'v, 't> {
    pub(super) fn form(&mut self, place: Place, ty: Type, value: &'v SpannedValue<'t>) {
        match ty {
            Type::Number(bounds) => self.number(place, bounds, value),
            Type::Sized(inner, size) => {
                self.value(place, *inner, value);
                self.size(place, size, value);
            }
            Type::MapOf((key, of)) => match value.as_map() {
                Some(members) => {
                    for member in members {
                        self.free_key(place, *key, &member.key, member.key_at);
                        if !matches!(member.value.data, Data::Unknown) {
                            self.value(place.at_value(&member.value), *of, &member.value);
                        }
                    }
                }
                None => self.wrong_type(place, "a mapping", value),
            },
            Type::JsonSchema if value.as_map().is_some() => self.schema(place, value, 0),
            Type::JsonSchema if value.as_map().is_none() => {
                self.wrong_type(place, "a JSON Schema, which is a mapping", value);
            }
            Type::Variant(variant) => match value.data {
                Data::Map(_) => self.variant(place, variant, value),
                _ => self.wrong_type(place, "a mapping", value),
            },
            Type::OneOf(forms) => {
                if let Some(form) = forms.iter().find(|form| fits(form, value)) {
                    self.value(place, form.ty, value);
                }
            }
            _ => {}
        }
    }

    fn number(&mut self, place: Place, bounds: NumberBounds, value: &SpannedValue<'t>) {
        match value.data {
            Data::Number(number) if number.is_finite() => {
                let below = number < bounds.min || bounds.above_min && number == bounds.min;
                let whole = !bounds.integer || number.fract() == 0.0 && number.abs() <= SAFE_INTEGER_MAX;
                if below || number > bounds.max || !whole {
                    self.report(place, IssueKind::OutOfRange(bounds.in_words(), number_text(number)));
                }
            }
            _ => self.wrong_type(place, "a number", value),
        }
    }

    fn size(&mut self, place: Place, size: LengthBounds, value: &SpannedValue<'t>) {
        let (length, unit) = match &value.data {
            // The packages count UTF-16 units, as JavaScript does.
            Data::Text(text) => (text.encode_utf16().count(), "character"),
            Data::List(items) => (items.len(), "item"),
            Data::Map(members) => (members.len(), "key"),
            _ => return,
        };
        if length < size.min || length > size.max {
            let found = counted(length, unit);
            self.report(place, IssueKind::OutOfRange(size.in_words(unit), found));
        }
    }

    fn free_key(&mut self, place: Place, ty: Type, key: &str, at: Origin) {
        if let Type::Reference(scope) = ty {
            self.bound.references.push(Reference::new(SmolStr::new(key), at, scope));
        }
        let fault = match ty {
            Type::Word(words) if !words.iter().any(|word| word.text == key) => {
                Some(IssueKind::BadWord(key.to_owned(), words))
            }
            _ => None,
        };
        if let Some(kind) = fault {
            self.report(Place { at, ..place }, kind);
        }
    }

    /// Compares a mapping whose fields depend on a word. Without the word, its fields are not checked.
    fn variant(&mut self, place: Place, variant: &'static Variant, value: &'v SpannedValue<'t>) {
        let Some(member) = value.get(variant.key) else {
            self.report(Place { at: value.head(), ..place }, IssueKind::MissingVariant(variant));
            return;
        };
        let at = if member.value.is_null() { member.key_at } else { member.value.at };
        let place = Place { at, ..place };
        match member.value.as_text() {
            Some(word) => match variant.case(word) {
                Some(case) => self.object(&case.shape, None, value, false),
                None => self.report(place, IssueKind::BadVariant(word.to_owned(), variant)),
            },
            None if matches!(member.value.data, Data::Unknown) => {}
            None => self.wrong_type(place, "a word", &member.value),
        }
    }
}

fn counted(count: usize, unit: &str) -> String {
    match count {
        0 => format!("no {unit}s"),
        1 => format!("1 {unit}"),
        _ => format!("{count} {unit}s"),
    }
}

impl NumberBounds {
    /// The bounds, for messages: "a whole number from 1 to 10".
    #[must_use]
    pub fn in_words(&self) -> String {
        let what = if self.integer { "a whole number" } else { "a number" };
        let (min, max) = (number_text(self.min), number_text(self.max));
        match (self.min.is_finite(), self.max.is_finite()) {
            (true, true) => format!("{what} from {min} to {max}"),
            (true, false) if self.above_min => format!("{what} above {min}"),
            (true, false) => format!("{what} from {min} on"),
            (false, true) => format!("{what} up to {max}"),
            (false, false) => what.to_owned(),
        }
    }
}

impl LengthBounds {
    /// The bounds, for messages: "at least 1 item".
    #[must_use]
    pub fn in_words(&self, unit: &str) -> String {
        match (self.min, self.max) {
            (0, max) => format!("at most {}", counted(max, unit)),
            (min, usize::MAX) => format!("at least {}", counted(min, unit)),
            (min, max) => format!("{min} to {}", counted(max, unit)),
        }
    }
}
