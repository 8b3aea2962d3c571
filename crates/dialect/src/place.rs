//! What the table says about a place in a document, even if the place is still empty. In: a kind, the value around the
//! place as far as it is written, and the keys and items that lead there; out: the types that a value may have there,
//! likeliest first. Never fails: a path that the table does not know leads to nothing.

use crate::forms::fits;
use crate::table::{Case, Discriminator, Field, Form, Kind, Shape, Type, Variant};
use crate::value::{Data, SpannedValue};
use crate::walk::Slot;

/// One step of a path from a document's root to a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathStep<'a> {
    /// To the value under a key.
    Key(&'a str),
    /// To an item of a list, counted from 0.
    Item(usize),
}

/// A type that is allowed at a place.
#[derive(Debug, Clone, Copy)]
pub struct Expectation {
    /// The type, without wrappers such as "one or many".
    pub ty: Type,
    /// The field to which the value belongs; `None` for the document itself.
    pub slot: Option<Slot>,
}

/// The keys that are allowed in a mapping.
#[derive(Debug, Clone, Copy)]
pub enum Keys {
    Shape(&'static Shape),
    /// The keys of a shape that an overlay may have for its target.
    Patched(&'static Shape),
    /// The key of a variant whose word is still missing, and the keys of all its cases.
    Undecided(&'static Variant),
    /// Any keys of the first type, with values of the second.
    Free(Type, Type),
}

/// The types that are allowed at the end of a path. If there are several forms, the existing value decides between them.
#[must_use]
pub fn expected(
    kind: &'static Kind,
    patched: Option<&'static Kind>,
    root: Option<&SpannedValue<'_>>,
    path: &[PathStep<'_>],
) -> Vec<Expectation> {
    let places = places(kind, patched, root, path);
    places.into_iter().flat_map(|(place, value)| forms(place, value)).collect()
}

/// Like [`expected`], but ignores the existing value: while someone types, it may still become any form.
#[must_use]
pub fn expected_anew(
    kind: &'static Kind,
    patched: Option<&'static Kind>,
    root: Option<&SpannedValue<'_>>,
    path: &[PathStep<'_>],
) -> Vec<Expectation> {
    let places = places(kind, patched, root, path);
    places.into_iter().flat_map(|(place, _)| forms(place, None)).collect()
}

/// The keys that are allowed in a mapping of one of these types. `value` is the existing mapping.
#[must_use]
pub fn keys(expected: &[Expectation], value: Option<&SpannedValue<'_>>) -> Vec<Keys> {
    expected
        .iter()
        .filter_map(|place| match place.ty {
            Type::Object(shape) | Type::Open(shape) => Some(Keys::Shape(shape)),
            Type::MapOf((key, of)) => Some(Keys::Free(*key, *of)),
            Type::Variant(variant) => Some(match case(variant, value) {
                Some(case) => Keys::Shape(&case.shape),
                None => Keys::Undecided(variant),
            }),
            _ => None,
        })
        .collect()
}

/// The part of a value to which a step leads.
#[must_use]
pub fn part<'a, 't>(value: &'a SpannedValue<'t>, step: PathStep<'_>) -> Option<&'a SpannedValue<'t>> {
    match step {
        PathStep::Key(key) => value.get(key).map(|member| &member.value),
        PathStep::Item(index) => value.as_list()?.get(index),
    }
}

type Place<'a, 't> = (Expectation, Option<&'a SpannedValue<'t>>);

/// The possible types and the values at the end of a path.
fn places<'a, 't>(
    kind: &'static Kind,
    patched: Option<&'static Kind>,
    root: Option<&'a SpannedValue<'t>>,
    path: &[PathStep<'_>],
) -> Vec<Place<'a, 't>> {
    let whole = Expectation { ty: Type::Object(&kind.shape), slot: None };
    let mut places = vec![(whole, root)];
    for (depth, step) in path.iter().enumerate() {
        let patched = patched.filter(|_| depth == 0).map(|kind| &kind.shape);
        places = places.into_iter().flat_map(|(place, value)| enter(place, value, *step, patched)).collect();
    }
    places
}

/// The possible types and the values after one more step.
fn enter<'a, 't>(
    place: Expectation,
    value: Option<&'a SpannedValue<'t>>,
    step: PathStep<'_>,
    patched: Option<&'static Shape>,
) -> Vec<Place<'a, 't>> {
    let below = value.and_then(|value| part(value, step));
    let field_of = |shape: &'static Shape, field: &'static Field| {
        (Expectation { ty: field.ty, slot: Some(Slot { shape, field }) }, below)
    };
    let mut places = Vec::new();
    for form in forms(place, value) {
        match (form.ty, step) {
            (Type::Object(shape) | Type::Open(shape), PathStep::Key(key)) => {
                let own = shape.field(key).map(|field| (shape, field));
                let of_target = || {
                    let shape = patched?;
                    Some((shape, shape.field(key).filter(|field| field.is_patchable())?))
                };
                places.extend(own.or_else(of_target).map(|(shape, field)| field_of(shape, field)));
            }
            (Type::Variant(variant), PathStep::Key(key)) => {
                let decided = case(variant, value);
                let cases = variant
                    .cases
                    .iter()
                    .filter(|case| decided.is_none_or(|decided| std::ptr::eq(decided, *case)));
                let mut fields = cases.filter_map(|case| Some((&case.shape, case.shape.field(key)?)));
                match decided.is_some() || key == variant.key {
                    true => places.extend(fields.next().map(|(shape, field)| field_of(shape, field))),
                    false => places.extend(fields.map(|(shape, field)| field_of(shape, field))),
                }
            }
            (Type::MapOf((_, of)), PathStep::Key(_)) => {
                places.push((Expectation { ty: *of, slot: form.slot }, below));
            }
            (Type::List(item), PathStep::Item(_)) => {
                places.push((Expectation { ty: *item, slot: form.slot }, below));
            }
            // Lists of types, and the fields of a structured answer, have the same type at any depth.
            (Type::ArgumentType(_), PathStep::Item(_)) | (Type::OutputFields(..), PathStep::Key(_)) => {
                places.push((Expectation { ty: form.ty, slot: form.slot }, below));
            }
            _ => {}
        }
    }
    places
}

/// The forms that the type allows, given the existing value.
fn forms(place: Expectation, value: Option<&SpannedValue<'_>>) -> Vec<Expectation> {
    let of = |ty: Type| forms(Expectation { ty, ..place }, value);
    let written = value.filter(|value| !matches!(value.data, Data::Null | Data::Unknown));
    match place.ty {
        Type::Sized(inner, _) | Type::Lenient(inner) => of(*inner),
        Type::OneOrMany(item) => match written.map(|value| value.as_list().is_some()) {
            Some(true) => vec![Expectation { ty: Type::List(item), ..place }],
            Some(false) => of(*item),
            None => {
                let mut both = of(*item);
                both.push(Expectation { ty: Type::List(item), ..place });
                both
            }
        },
        Type::TextOr(text, shape) => match written.map(|value| value.as_map().is_some()) {
            Some(true) => of(Type::Object(shape)),
            Some(false) => of(*text),
            None => {
                let mut both = of(*text);
                both.extend(of(Type::Object(shape)));
                both
            }
        },
        Type::OneOf(choices) => {
            // A mapping that is still being typed may become any form that has keys.
            let is_open = written.is_none_or(|value| value.as_map().is_some());
            let fitting = written.and_then(|value| choices.iter().find(|form| fits(form, value)));
            let mut found: Vec<Expectation> = fitting.into_iter().flat_map(|form| of(form.ty)).collect();
            let is_decided = |form: &Form| match form.ty {
                Type::Variant(variant) => case(variant, written).is_some(),
                _ => form.when != Discriminator::Otherwise,
            };
            let is_certain = fitting.is_some_and(is_decided);
            if is_open && !is_certain {
                let others =
                    choices.iter().filter(|form| fitting.is_none_or(|fitting| !std::ptr::eq(fitting, *form)));
                found.extend(others.flat_map(|form| of(form.ty)));
            }
            found
        }
        _ => vec![place],
    }
}

/// The case that a mapping's word decides for.
fn case(variant: &'static Variant, value: Option<&SpannedValue<'_>>) -> Option<&'static Case> {
    variant.case(value?.get(variant.key)?.value.as_text()?)
}
