//! A value walked along its table: each key and each value with what the table says about it. In: a kind and a value;
//! out: calls of a visitor, in reading order. Nothing is checked: violations of the table are skipped, and a
//! mapping whose form nothing tells is a leaf.

use crate::forms::fits;
use crate::recovery::is_alone;
use crate::table::{Field, Kind, Shape, Type};
use crate::value::{Data, SpannedEntry, SpannedValue};

/// Receives the parts of a document together with their entries in the table.
pub trait Visitor<'v, 't> {
    /// Whether to visit the parts of the value.
    fn enters(&mut self, _value: &'v SpannedValue<'t>) -> bool {
        true
    }

    /// Called before the members of a mapping.
    fn open(&mut self, _shape: &'static Shape, _value: &'v SpannedValue<'t>) {}

    /// Called after the members of a mapping.
    fn close(&mut self, _shape: &'static Shape, _value: &'v SpannedValue<'t>) {}

    /// Called for each key of a mapping; `_field` is `None` if the shape does not have the key.
    fn key(&mut self, _shape: &'static Shape, _field: Option<&'static Field>, _member: &'v SpannedEntry<'t>) {
    }

    /// Called for each key of a mapping with free keys.
    fn free_key(&mut self, _ty: Type, _slot: Slot, _member: &'v SpannedEntry<'t>) {}

    /// Called for each value whose type has no inner parts in the table.
    fn leaf(&mut self, _ty: Type, _slot: Slot, _value: &'v SpannedValue<'t>) {}
}

/// The field that contains a value, directly or inside lists and forms.
#[derive(Debug, Clone, Copy)]
pub struct Slot {
    /// The shape that has the field.
    pub shape: &'static Shape,
    pub field: &'static Field,
}

/// Visits the parts of a document. `patched` is the kind whose fields an overlay has in addition to its own.
pub fn walk<'v, 't>(
    kind: &'static Kind,
    patched: Option<&'static Kind>,
    value: &'v SpannedValue<'t>,
    visitor: &mut impl Visitor<'v, 't>,
) {
    object(&kind.shape, patched.map(|kind| &kind.shape), value, visitor);
}

fn object<'v, 't>(
    shape: &'static Shape,
    patched: Option<&'static Shape>,
    value: &'v SpannedValue<'t>,
    visitor: &mut impl Visitor<'v, 't>,
) {
    let Some(members) = value.as_map() else { return };
    visitor.open(shape, value);
    for member in members {
        let own = shape.field(&member.key).map(|field| (shape, field));
        let of_target = || {
            let patched = patched?;
            Some((patched, patched.field(&member.key).filter(|field| field.is_patchable())?))
        };
        match own.or_else(of_target) {
            Some((shape, field)) => {
                visitor.key(shape, Some(field), member);
                typed(field.ty, Slot { shape, field }, &member.value, visitor);
            }
            None => visitor.key(shape, None, member),
        }
    }
    visitor.close(shape, value);
}

fn typed<'v, 't>(ty: Type, slot: Slot, value: &'v SpannedValue<'t>, visitor: &mut impl Visitor<'v, 't>) {
    if !visitor.enters(value) {
        return;
    }
    match ty {
        Type::List(item) => match value.as_list() {
            Some(items) => items.iter().for_each(|value| typed(*item, slot, value, visitor)),
            // A single value where a list belongs is treated as the only item.
            None if is_alone(ty, value) => typed(*item, slot, value, visitor),
            None => visitor.leaf(ty, slot, value),
        },
        Type::OneOrMany(item) => match value.as_list() {
            Some(items) => items.iter().for_each(|value| typed(*item, slot, value, visitor)),
            None => typed(*item, slot, value, visitor),
        },
        Type::TextOr(text, shape) => match value.data {
            Data::Map(_) => object(shape, None, value, visitor),
            _ => typed(*text, slot, value, visitor),
        },
        Type::Object(shape) | Type::Open(shape) => match value.data {
            Data::Map(_) => object(shape, None, value, visitor),
            _ => visitor.leaf(ty, slot, value),
        },
        Type::Sized(inner, _) | Type::Lenient(inner) => typed(*inner, slot, value, visitor),
        Type::MapOf((key, of)) => {
            for member in value.as_map().unwrap_or_default() {
                visitor.free_key(*key, slot, member);
                typed(*of, slot, &member.value, visitor);
            }
            if value.as_map().is_none() {
                visitor.leaf(ty, slot, value);
            }
        }
        Type::Variant(variant) => {
            let word = value.get(variant.key).and_then(|member| member.value.as_text());
            match word.and_then(|word| variant.case(word)) {
                Some(case) => object(&case.shape, None, value, visitor),
                None => visitor.leaf(ty, slot, value),
            }
        }
        Type::OneOf(forms) => match forms.iter().find(|form| fits(form, value)) {
            Some(form) => typed(form.ty, slot, value, visitor),
            None => visitor.leaf(ty, slot, value),
        },
        leaf => visitor.leaf(leaf, slot, value),
    }
}
