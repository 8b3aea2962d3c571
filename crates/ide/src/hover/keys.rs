//! Hover on a key: its documentation in the dialect's table. For the key of a localized text and for a language in it,
//! also the texts. In: the context of a cursor. Out: a hover on the key.

use nodewise_dialect::place::Keys;
use nodewise_dialect::table::{KindRole, Type};
use nodewise_dialect::value::{Data, SpannedValue};
use nodewise_dialect::walk::Slot;
use nodewise_model::Body;
use nodewise_syntax::TextRange;

use super::{Hover, localized};
use crate::cursor_context::CursorContext;
use crate::markup::{Line, Markup, describe_field};

/// The key that merges the keys of another mapping.
const MERGE_KEY: &str = "<<";

pub(super) fn hover(spot: &CursorContext<'_>) -> Option<Hover> {
    let place = spot.location.key()?;
    let range = place.typed;
    let node = place.key.and_then(|key| spot.file.tree().node(key));
    let written = node.and_then(|node| node.as_scalar()).map(|scalar| scalar.cooked().into_owned());
    let key = written.or_else(|| Some(source(spot, range)?.to_owned())).filter(|key| !key.is_empty())?;
    let holder = spot.value();
    if key == MERGE_KEY {
        return merged(spot, range);
    }
    let slots = spot.keys.iter().filter_map(|keys| slot(keys, &key));
    if let Some(slot) = { slots }.next() {
        let mut text = describe_field(slot);
        if matches!(slot.field.ty, Type::Bundle(_) | Type::Bundles(_))
            && let Some(value) = holder.and_then(|holder| holder.get(&key))
        {
            localized::texts(&mut text, &value.value, &[]);
        }
        if let Some(account) = inlined_account(spot, slot) {
            let line = Line::new().prose("This inline declaration is named ").code(account);
            text.paragraph(&line.prose(". Other declarations cannot refer to it."));
        }
        return Some(Hover { range, text });
    }
    localized::hover(spot, &key, range)
}

/// The generated name of an inline account, if the cursor is at its key.
fn inlined_account<'s>(spot: &CursorContext<'s>, slot: Slot) -> Option<&'s str> {
    let is_account = |kind: &&str| {
        spot.dialect.and_then(|dialect| dialect.kind(kind)).is_some_and(|kind| kind.role == KindRole::Account)
    };
    let Type::TextOr(Type::Reference(scope), _) = slot.field.ty else { return None };
    let is_account = scope.kinds.iter().any(is_account);
    match &spot.document.filter(|_| is_account)?.effective.as_ref()?.declaration.as_ref()?.body {
        Body::Node(node) => node.details.inlined_account.as_ref().map(|inlined| inlined.name.as_str()),
        _ => None,
    }
}

/// The field of a key in a mapping.
fn slot(keys: &Keys, key: &str) -> Option<Slot> {
    match keys {
        Keys::Shape(shape) | Keys::Patched(shape) => shape.field(key).map(|field| Slot { shape, field }),
        Keys::Undecided(variant) => {
            let mut slots = variant
                .cases
                .iter()
                .filter_map(|case| Some(Slot { shape: &case.shape, field: case.shape.field(key)? }));
            slots.next()
        }
        Keys::Free(..) => None,
    }
}

/// The keys that `<<` merges.
fn merged(spot: &CursorContext<'_>, range: TextRange) -> Option<Hover> {
    let place = spot.location.key()?;
    let mapping = spot.file.tree().node(place.mapping?)?.as_mapping()?;
    let brought = mapping.get(MERGE_KEY)?.value()?;
    let value = SpannedValue::from_node(brought, spot.file.source);
    let mut names = Vec::new();
    keys_of(&value, &mut names);
    let mut text = Markup::new();
    let line = Line::new().prose("Inherits the keys that are not set here: ");
    text.paragraph(&line.codes(names.iter().map(String::as_str)));
    Some(Hover { range, text })
}

fn keys_of(value: &SpannedValue<'_>, names: &mut Vec<String>) {
    match &value.data {
        Data::Map(members) => names.extend(members.iter().map(|member| member.key.to_string())),
        Data::List(values) => values.iter().for_each(|value| keys_of(value, names)),
        _ => {}
    }
}

fn source<'s>(spot: &CursorContext<'s>, range: TextRange) -> Option<&'s str> {
    spot.file.text.get(std::ops::Range::<usize>::from(range))
}
