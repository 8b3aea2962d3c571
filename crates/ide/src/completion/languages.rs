//! Language codes inside localized texts, and the keys of the texts in other languages. In: the place of a key inside a
//! localized text. Out: offers of missing codes, those that the project uses first.

use nodewise_dialect::bundle::LANGUAGES;
use nodewise_dialect::place::{self, PathStep};
use nodewise_dialect::table::Type;
use nodewise_dialect::value::SpannedValue;
use nodewise_model::{Body, Declaration};
use nodewise_syntax::locate::KeyPlace;

use super::ItemKind;
use super::offer::{Offer, Offers};
use super::provided::for_each_declaration;
use crate::cursor_context::CursorContext;

/// A key of a localized text.
const KEY: u8 = 0;
/// A language that the project uses.
const USED: u8 = 1;
/// Another language.
const OTHER: u8 = 2;

/// Offers languages, and keys of other languages, if the cursor is inside a localized text.
pub(super) fn offer_keys(spot: &CursorContext<'_>, place: &KeyPlace, offers: &mut Offers) {
    let Some((Type::Bundle(_) | Type::Bundles(_), steps)) = spot.leaf_around() else { return };
    let path = spot.path();
    let inside = path.get(steps..).unwrap_or_default();
    let is_there = |key: &str| place.siblings.iter().any(|sibling| sibling.text == key);
    for key in keys_of_others(spot, steps, inside) {
        if !is_there(&key) && !offers.has(&key) {
            offers.add(Offer::open_key(&key, true, KEY).with_detail("as in another language"));
        }
    }
    offer_usual(spot, place, steps, inside, offers);
    let has_language =
        inside.iter().any(|step| matches!(step, PathStep::Key(key) if LANGUAGES.contains(key)));
    if has_language {
        return;
    }
    // Next to keys that are not languages, a language code would be an ordinary text key.
    if !place.siblings.is_empty() && !place.siblings.iter().any(|sibling| LANGUAGES.contains(&&*sibling.text))
    {
        return;
    }
    let used = used_languages(spot);
    for code in used.iter().copied().filter(|code| !is_there(code)) {
        offers.add(Offer { kind: ItemKind::Language, ..Offer::open_key(code, true, USED) });
    }
    for code in LANGUAGES.iter().filter(|code| !used.contains(code) && !is_there(code)) {
        offers.add(Offer { kind: ItemKind::Language, ..Offer::open_key(*code, true, OTHER) });
    }
}

/// Offers the keys of texts that the table lists, if the keys at this place are not languages.
fn offer_usual(
    spot: &CursorContext<'_>,
    place: &KeyPlace,
    steps: usize,
    inside: &[PathStep<'_>],
    offers: &mut Offers,
) {
    let is_language = |step: &PathStep<'_>| matches!(step, PathStep::Key(key) if LANGUAGES.contains(key));
    let is_among_languages = place.siblings.iter().any(|sibling| LANGUAGES.contains(&&*sibling.text));
    if is_among_languages || !inside.iter().all(is_language) {
        return;
    }
    let (Some(kind), path) = (spot.kind, spot.path()) else { return };
    let above = path.get(..steps).unwrap_or_default();
    let expected = place::expected(kind, spot.patched, spot.root.as_ref(), above);
    let slots = expected.iter().filter_map(|expectation| expectation.slot);
    for field in slots.filter_map(|slot| slot.field.usual).flat_map(|shape| shape.fields) {
        let is_there = place.siblings.iter().any(|sibling| sibling.text == field.key);
        if !is_there && !offers.has(field.key) {
            offers.add(Offer::open_key(field.key, true, KEY).with_detail(field.doc));
        }
    }
}

/// The keys of the texts in other languages at the same place.
fn keys_of_others(spot: &CursorContext<'_>, steps: usize, inside: &[PathStep<'_>]) -> Vec<String> {
    let Some(position) =
        inside.iter().position(|step| matches!(step, PathStep::Key(key) if LANGUAGES.contains(key)))
    else {
        return Vec::new();
    };
    let path = spot.path();
    let Some(root) = &spot.root else { return Vec::new() };
    let above = path.iter().take(steps + position).try_fold(root, |value, step| place::part(value, *step));
    let mut keys: Vec<String> = Vec::new();
    for member in above.and_then(SpannedValue::as_map).unwrap_or_default() {
        if !LANGUAGES.contains(&&*member.key) {
            continue;
        }
        let mut below = inside.iter().skip(position + 1);
        let same = below.try_fold(&member.value, |value, step| place::part(value, *step));
        for member in same.and_then(SpannedValue::as_map).unwrap_or_default() {
            if !keys.iter().any(|key| *key == member.key) {
                keys.push(member.key.to_string());
            }
        }
    }
    keys
}

/// The languages that the project uses, in the order of the table.
fn used_languages(spot: &CursorContext<'_>) -> Vec<&'static str> {
    let mut is_used = vec![false; LANGUAGES.len()];
    for_each_declaration(spot, |declaration, _, _| {
        for localized in texts(declaration) {
            for text in &localized.texts {
                let position = LANGUAGES.iter().position(|code| *code == text.language);
                if let Some(used) = position.and_then(|position| is_used.get_mut(position)) {
                    *used = true;
                }
            }
        }
    });
    LANGUAGES.iter().zip(is_used).filter(|(_, is_used)| *is_used).map(|(code, _)| *code).collect()
}

/// The localized texts of a declaration.
pub(super) fn texts(declaration: &Declaration) -> impl Iterator<Item = &nodewise_model::Localized> {
    let node = match &declaration.body {
        Body::Node(node) => Some(node.as_ref()),
        _ => None,
    };
    node.into_iter().flat_map(|node| {
        let arguments = node.arguments.iter().map(|argument| &argument.details.description);
        [&node.prompts, &node.details.description].into_iter().chain(arguments)
    })
}
