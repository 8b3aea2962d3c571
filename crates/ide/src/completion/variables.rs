//! Variables in the braces of localized texts. In: a cursor inside a text, after an opening brace. Out: offers of the
//! variables that the same text has in other languages, that other texts of the document have, and that the node's
//! account injects.

use nodewise_dialect::table::{Template, Type};
use nodewise_dialect::template::template;
use nodewise_model::{Account, Body, Declaration};
use nodewise_syntax::{TextRange, TextSize};

use super::languages::texts;
use super::offer::{Offer, Offers};
use super::writing::{end, replacing, slice};
use super::{Answer, ItemKind};
use crate::cursor_context::CursorContext;
use crate::names::declaration;

/// Variables that the table lists for this text, or that the same text has in another language.
const EXPECTED: u8 = 0;
/// Variables in other texts of the document.
const NEARBY: u8 = 1;
/// Variables that the account injects.
const INJECTED: u8 = 2;

/// Offers variables if the cursor is in braces of a localized text.
pub(super) fn complete(spot: &CursorContext<'_>, answer: &mut Answer) {
    let Some((Type::Bundle(known) | Type::Bundles(known), _)) = spot.leaf_around() else { return };
    let Some(value) = spot.location.value().filter(|value| value.cooked_offset.is_some()) else { return };
    let offset = spot.position.offset;
    let line = spot.line_before();
    let Some(brace) = line.rfind('{') else { return };
    let letters = line.get(brace + 1..).unwrap_or_default();
    let is_doubled = line.get(..brace).is_some_and(|before| before.ends_with('{'));
    let is_name = letters.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '.'));
    if is_doubled || !is_name {
        return;
    }
    let start = offset - TextSize::of(letters);
    if start <= value.typed.start() && start + TextSize::new(1) < value.typed.start() {
        return;
    }
    let behind = slice(spot, TextRange::new(offset, end(spot)));
    let rest = behind.len()
        - behind
            .trim_start_matches(|letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.'))
            .len();
    let is_closed = behind.get(rest..).is_some_and(|rest| rest.starts_with('}'));
    let mut offers = Offers::new(letters);
    offer(spot, known, &mut offers);
    let replaced = if is_closed { offset + TextSize::try_from(rest).unwrap_or_default() } else { offset };
    let closer = if is_closed { "" } else { "}" };
    answer.add(offers, |offer| {
        let text = format!("{}{closer}", offer.label);
        Some(replacing(offer, TextRange::new(start, replaced), offset, text))
    });
}

fn offer(spot: &CursorContext<'_>, known: Template, offers: &mut Offers) {
    if let Template::Closed(names) = known {
        for name in names {
            offers.add(Offer::text(*name, ItemKind::Variable, EXPECTED));
        }
        return;
    }
    let effective = spot.document.and_then(|document| document.effective.as_ref());
    let Some(declaration) = effective.and_then(|effective| effective.declaration.as_ref()) else { return };
    let offset = spot.position.offset;
    let line_of = |localized: &nodewise_model::Localized| {
        localized.texts.iter().any(|text| text.at.range.contains_inclusive(offset))
    };
    for localized in texts(declaration) {
        let is_same = line_of(localized);
        for text in localized.texts.iter().filter(|text| !text.at.range.contains_inclusive(offset)) {
            for (name, _) in template(&text.text).variables {
                let (tier, detail) = match is_same {
                    true => (EXPECTED, format!("in the text for `{}`", text.language)),
                    false => (NEARBY, "in another text of this document".to_owned()),
                };
                add(name, tier, detail, offers);
            }
        }
    }
    for name in injected(spot, declaration) {
        add(&name, INJECTED, "injected by the account".to_owned(), offers);
    }
}

fn add(name: &str, tier: u8, detail: String, offers: &mut Offers) {
    if !offers.has(name) {
        offers.add(Offer::text(name, ItemKind::Variable, tier).with_detail(detail));
    }
}

/// The variables that the account of a node copies from the run's context.
fn injected(spot: &CursorContext<'_>, node: &Declaration) -> Vec<String> {
    let Body::Node(node) = &node.body else { return Vec::new() };
    let named = node.details.account.as_ref().and_then(|account| {
        let document = spot.document?.id;
        let declared = spot.snapshot.index().meant(document, account)?;
        match &declaration(spot.snapshot, declared.document)?.body {
            Body::Account(account) => Some(account.as_ref()),
            _ => None,
        }
    });
    let inlined = node.details.inlined_account.as_ref().map(|inlined| &inlined.account);
    let variables = |account: &Account| -> Vec<String> {
        let inject = account.inject.iter().flat_map(|list| &list.value);
        inject.map(|variable| variable.target.as_ref().unwrap_or(&variable.path).to_string()).collect()
    };
    named.or(inlined).map(variables).unwrap_or_default()
}
