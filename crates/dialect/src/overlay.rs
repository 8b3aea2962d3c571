//! Overlays: a declaration's value combined with its patches, driven by the table.
//! Every part of the result keeps its own origin.

use rustc_hash::FxHashMap;

use crate::bundle;
use crate::table::{Dialect, Field, Kind, Shape, Strategy, Type};
use crate::value::{Data, SpannedEntry, SpannedValue, number_text};

/// The declaration `base` with the fields of the overlay `patch` applied.
#[must_use]
pub fn apply<'t>(
    dialect: &Dialect,
    kind: &'static Kind,
    base: &SpannedValue<'t>,
    patch: &SpannedValue<'t>,
    strategy: Strategy,
) -> SpannedValue<'t> {
    let shape = &kind.shape;
    let is_patchable = |key: &str| shape.field(key).is_some_and(Field::is_patchable);
    let (Some(base_members), Some(patch_members)) = (base.as_map(), patch.as_map()) else {
        return base.clone();
    };
    let fields: Vec<SpannedEntry<'t>> = patch_members
        .iter()
        .filter(|member| !dialect.is_overlay_key(&member.key) && is_patchable(&member.key))
        .cloned()
        .collect();
    let members = match strategy {
        Strategy::Merge => merge_members(base_members, &fields, Some(shape)),
        Strategy::Replace => {
            let kept = base_members
                .iter()
                .filter(|member| shape.field(&member.key).is_some_and(|field| !field.is_patchable()));
            kept.cloned().chain(fields.into_iter().filter(|member| !member.value.is_null())).collect()
        }
    };
    SpannedValue { data: Data::Map(members), ..base.clone() }
}

fn merge_members<'t>(
    base: &[SpannedEntry<'t>],
    patch: &[SpannedEntry<'t>],
    shape: Option<&'static Shape>,
) -> Vec<SpannedEntry<'t>> {
    let positions: FxHashMap<&str, usize> =
        base.iter().enumerate().rev().map(|(position, member)| (member.key.as_ref(), position)).collect();
    let mut merged: Vec<Option<SpannedEntry<'t>>> = base.iter().cloned().map(Some).collect();
    for member in patch {
        let present = positions.get(member.key.as_ref()).and_then(|position| merged.get_mut(*position));
        match present {
            Some(slot) if member.value.is_null() => *slot = None,
            Some(Some(present)) => {
                let ty = shape.and_then(|shape| shape.field(&member.key)).map(|field| field.ty);
                present.value = merge(&present.value, &member.value, ty);
            }
            Some(slot) => *slot = Some(member.clone()),
            None if member.value.is_null() => {}
            None => merged.push(Some(member.clone())),
        }
    }
    merged.into_iter().flatten().collect()
}

fn merge<'t>(base: &SpannedValue<'t>, patch: &SpannedValue<'t>, ty: Option<Type>) -> SpannedValue<'t> {
    match ty {
        Some(Type::Bundle(_)) => merge_bundles(base, patch),
        Some(Type::Object(shape) | Type::TextOr(_, shape)) => merge_plain(base, patch, Some(shape)),
        Some(Type::List(Type::Object(shape) | Type::TextOr(_, shape))) => {
            merge_lists(base, patch, Some(shape))
        }
        _ => match (&base.data, &patch.data) {
            (Data::List(_), Data::List(_)) => merge_lists(base, patch, None),
            _ => merge_plain(base, patch, None),
        },
    }
}

/// Merges mappings key by key; all other values are replaced.
fn merge_plain<'t>(
    base: &SpannedValue<'t>,
    patch: &SpannedValue<'t>,
    shape: Option<&'static Shape>,
) -> SpannedValue<'t> {
    match (&base.data, &patch.data) {
        (Data::Map(ours), Data::Map(theirs)) => {
            SpannedValue { data: Data::Map(merge_members(ours, theirs, shape)), ..base.clone() }
        }
        _ => patch.clone(),
    }
}

/// Merges localized texts language by language, after converting both sides to normal form.
fn merge_bundles<'t>(base: &SpannedValue<'t>, patch: &SpannedValue<'t>) -> SpannedValue<'t> {
    match (bundle::normalise(base), bundle::normalise(patch)) {
        (Some((ours, _)), Some((theirs, _))) => {
            merge_plain(&ours.to_value(base.at), &theirs.to_value(patch.at), None)
        }
        _ => patch.clone(),
    }
}

/// Merges lists: a text that already exists is not added again, a mapping is merged with the one that has the same
/// identity, and everything else is appended.
fn merge_lists<'t>(
    base: &SpannedValue<'t>,
    patch: &SpannedValue<'t>,
    shape: Option<&'static Shape>,
) -> SpannedValue<'t> {
    let (Data::List(ours), Data::List(theirs)) = (&base.data, &patch.data) else { return patch.clone() };
    let identity =
        shape.and_then(|shape| shape.fields.iter().find(|field| field.identity)).map(|field| field.key);
    let identity_of = |item: &SpannedValue<'t>| Identity::of(item, identity);
    let mut positions: FxHashMap<Identity, usize> = FxHashMap::default();
    for (position, item) in ours.iter().enumerate() {
        if let Some(identity) = identity_of(item) {
            positions.entry(identity).or_insert(position);
        }
    }
    let mut merged = ours.clone();
    for item in theirs {
        let same = identity_of(item).and_then(|identity| positions.get(&identity).copied());
        match same {
            Some(position) => merged[position] = merge_plain(&merged[position], item, shape),
            None => merged.push(item.clone()),
        }
    }
    SpannedValue { data: Data::List(merged), ..base.clone() }
}

/// What identifies an item of a list.
#[derive(PartialEq, Eq, Hash)]
enum Identity {
    Text(String),
    /// A mapping: the value of its identifying key.
    Mapping(String),
}

impl Identity {
    fn of(item: &SpannedValue<'_>, key: Option<&str>) -> Option<Identity> {
        match &item.data {
            Data::Text(text) => Some(Identity::Text(text.to_string())),
            Data::Map(_) => match &item.get(key?)?.value.data {
                Data::Text(text) => Some(Identity::Mapping(text.to_string())),
                Data::Number(number) => Some(Identity::Mapping(number_text(*number))),
                _ => None,
            },
            _ => None,
        }
    }
}
