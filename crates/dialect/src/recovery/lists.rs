//! Lists as their author meant them: a single value, names as keys, items without the keys that each must have.
//!
//! Input: a value where a list belongs, or an item; output: the list, with the mistakes. Invariant: see [`super`].

use std::borrow::Cow;

use super::meaning::{self, keep_known, properties_mut, short_of, takes_one};
use super::{Around, MistakeKind, Recovery, SingleValue};
use crate::table::{Field, Required, Shape, Type};
use crate::value::{Data, SpannedEntry, SpannedValue};

impl Recovery<'_> {
    pub(super) fn list<'t>(
        &mut self,
        ty: Type,
        item: Type,
        around: Around<'_>,
        value: &mut SpannedValue<'t>,
    ) -> Vec<SpannedEntry<'t>> {
        if let Some(names) = meaning::names_as_keys(item, value) {
            let at = value.at;
            value.data = Data::List(names);
            self.mistake(MistakeKind::Keys, at, around.shape, around.field);
        } else if let Some(kind) = takes_one(ty, value) {
            let at = value.at;
            match kind {
                MistakeKind::Named { key } => name_items(key, value),
                MistakeKind::Schema { key } => {
                    if let Some(properties) = properties_mut(value) {
                        *value = properties;
                    }
                    name_items(key, value);
                    keep_known(item, value);
                }
                _ => complete(SingleValue::Item, value),
            }
            self.mistake(kind, at, around.shape, around.field);
        }
        self.listed(item, around, value)
    }

    fn listed<'t>(
        &mut self,
        item: Type,
        around: Around<'_>,
        value: &mut SpannedValue<'t>,
    ) -> Vec<SpannedEntry<'t>> {
        match &mut value.data {
            Data::List(items) => {
                let moved = self.other_list(item, around, items);
                let mut brought = self.items(item, around, items);
                brought.extend(moved);
                brought
            }
            _ => Vec::new(),
        }
    }

    /// Removes the last items if they belong in another list whose key is missing, and returns that list.
    fn other_list<'t>(
        &mut self,
        item: Type,
        around: Around<'_>,
        items: &mut Vec<SpannedValue<'t>>,
    ) -> Option<SpannedEntry<'t>> {
        let last = items.last()?;
        let own = item_shapes(item);
        let is_strange = |value: &SpannedValue<'_>| {
            let is_known =
                |member: &SpannedEntry<'_>| own.iter().any(|shape| shape.field(&member.key).is_some());
            value.as_map().is_some_and(|members| !members.iter().all(is_known))
        };
        let is_item = |field: &Field, value: &SpannedValue<'_>| {
            let shapes = item_type(field.ty).map(item_shapes).unwrap_or_default();
            shapes.into_iter().any(|shape| has_all_keys(shape, value))
        };
        let mut fields = around.absent.iter().filter(|field| is_strange(last) && is_item(field, last));
        let (Some(field), None) = (fields.next(), fields.next()) else { return None };
        let is_other = |value: &&SpannedValue<'_>| is_strange(value) && is_item(field, value);
        let count = items.iter().rev().take_while(is_other).count();
        let first = items.len().checked_sub(count).filter(|first| *first > 0)?;
        let moved = items.split_off(first);
        let at = moved.first()?.head();
        self.mistake(MistakeKind::OtherList { inside: around.field.key, count }, at, around.shape, field);
        let value = SpannedValue { data: Data::List(moved), at, node: None };
        Some(SpannedEntry { key: Cow::Borrowed(field.key), key_at: at, value })
    }

    pub(super) fn items<'t>(
        &mut self,
        item: Type,
        around: Around<'_>,
        items: &mut [SpannedValue<'t>],
    ) -> Vec<SpannedEntry<'t>> {
        if let Type::Object(shape) | Type::TextOr(_, shape) = item {
            items.iter_mut().for_each(|value| self.short(shape, around, value));
        }
        items.iter_mut().flat_map(|value| self.typed(item, around, value)).collect()
    }

    /// Corrects an item that is written as one key with a value.
    fn short(&mut self, shape: &'static Shape, around: Around<'_>, value: &mut SpannedValue<'_>) {
        let Some(kind) = short_of(self.dialect, shape, value) else { return };
        let MistakeKind::Short { key, other, .. } = &kind else { return };
        let Data::Map(members) = &mut value.data else { return };
        let Some(written) = members.pop() else { return };
        let (key, other, at) = (*key, *other, written.key_at);
        let name = SpannedValue { data: Data::Text(written.key), at, node: None };
        members.push(SpannedEntry { key: Cow::Borrowed(key), key_at: at, value: name });
        match (other, written.value) {
            (Some(other), value) => {
                members.push(SpannedEntry { key: Cow::Borrowed(other), key_at: at, value })
            }
            (None, SpannedValue { data: Data::Map(rest), .. }) => members.extend(rest),
            (None, _) => {}
        }
        self.mistake(kind, at, around.shape, around.field);
    }
}

/// The type of the items, if the type is a list.
fn item_type(ty: Type) -> Option<Type> {
    match ty {
        Type::List(item) => Some(*item),
        Type::Sized(inner, _) => item_type(*inner),
        _ => None,
    }
}

/// The shapes that a mapping in a list of such items may have.
fn item_shapes(item: Type) -> Vec<&'static Shape> {
    match item {
        Type::Object(shape) | Type::TextOr(_, shape) | Type::Open(shape) => vec![shape],
        Type::Sized(inner, _) => item_shapes(*inner),
        Type::Variant(variant) => variant.cases.iter().map(|case| &case.shape).collect(),
        Type::OneOf(forms) => forms.iter().flat_map(|form| item_shapes(form.ty)).collect(),
        _ => Vec::new(),
    }
}

/// Whether the value has all required keys of a shape that has some, and no unknown keys.
fn has_all_keys(shape: &Shape, value: &SpannedValue<'_>) -> bool {
    let required = || shape.fields.iter().filter(|field| field.required != Required::No);
    value.as_map().is_some_and(|members| {
        required().next().is_some()
            && required().all(|field| value.get(field.key).is_some())
            && members.iter().all(|member| shape.field(&member.key).is_some())
    })
}

/// Wraps a single value in what it stands for.
pub(super) fn complete(alone: SingleValue, value: &mut SpannedValue<'_>) {
    let SingleValue::Expression { key, word } = alone else { return make_list(value) };
    let at = value.at;
    let expression = SpannedValue { data: value.data.clone(), at, node: value.node };
    let mut members = vec![SpannedEntry { key: Cow::Borrowed(key), key_at: at, value: expression }];
    members.extend(word.map(|(key, word)| {
        let word = SpannedValue { data: Data::Text(Cow::Borrowed(word)), at, node: None };
        SpannedEntry { key: Cow::Borrowed(key), key_at: at, value: word }
    }));
    value.data = Data::Map(members);
}

/// Wraps a value in a list. Names with commas become several items. The `-` of `-x` is taken as the dash of an item without
/// a space.
pub(super) fn make_list(value: &mut SpannedValue<'_>) {
    let items = match &value.data {
        Data::Text(text) => match text.strip_prefix('-') {
            Some(item) => {
                vec![SpannedValue { data: Data::Text(Cow::Owned(item.trim().to_owned())), ..value.clone() }]
            }
            None => meaning::names_in(text).map_or_else(
                || vec![value.clone()],
                |names| {
                    let named = |name: &str| SpannedValue {
                        data: Data::Text(Cow::Owned(name.to_owned())),
                        ..value.clone()
                    };
                    names.into_iter().map(named).collect()
                },
            ),
        },
        _ => vec![value.clone()],
    };
    value.data = Data::List(items);
}

/// Turns a list of names into a mapping with unknown values, because nothing says what belongs to each name.
pub(super) fn map_names(value: &mut SpannedValue<'_>) {
    let Data::List(items) = &mut value.data else { return };
    let named = std::mem::take(items).into_iter().flat_map(|item| match item.data {
        Data::Text(key) => {
            let inside = SpannedValue { data: Data::Unknown, at: item.at, node: None };
            vec![SpannedEntry { key, key_at: item.at, value: inside }]
        }
        Data::Map(members) => members,
        _ => Vec::new(),
    });
    value.data = Data::Map(named.collect());
}

/// Turns a mapping from names to items into a list. Each item gets its name under `key`.
pub(super) fn name_items(key: &'static str, value: &mut SpannedValue<'_>) {
    let Data::Map(members) = &mut value.data else { return };
    let named = std::mem::take(members).into_iter().map(|member| {
        let name = SpannedValue { data: Data::Text(member.key), at: member.key_at, node: None };
        let mut inside = vec![SpannedEntry { key: Cow::Borrowed(key), key_at: member.key_at, value: name }];
        let at = member.value.at;
        if let Data::Map(rest) = member.value.data {
            inside.extend(rest.into_iter().filter(|member| member.key != key));
        }
        SpannedValue { data: Data::Map(inside), at, node: member.value.node }
    });
    value.data = Data::List(named.collect());
}
