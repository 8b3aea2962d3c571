//! Keys that a mapping lacks and can have, required ones first. In: the place of a key, and the table. Out: offers of
//! keys, each with the value that follows.

use nodewise_analysis::settings::Profile;
use nodewise_dialect::place::Keys;
use nodewise_dialect::table::{Case, Field, FieldOrigin, Required, Shape, Type, Variant, Word};
use nodewise_syntax::locate::KeyPlace;

use super::docs::{Handle, field_detail};
use super::offer::{Body, Offer, Offers};
use super::outline::Outline;
use super::wanted::Wanted;
use super::{CompletionSettings, languages, schema, values};
use crate::cursor_context::CursorContext;

/// Required keys.
const NEEDED: u8 = 0;
/// Keys that have an effect together with the existing ones.
const FITTING: u8 = 1;
/// Other keys.
const ORDINARY: u8 = 2;
/// Keys that few people need.
const RARE: u8 = 3;
/// Keys without an effect together with the existing ones.
const IDLE: u8 = 4;
/// Keys that nothing reads.
const DEPRECATED: u8 = 5;

/// Offers the keys for a place.
pub(super) fn offer(
    spot: &CursorContext<'_>,
    place: &KeyPlace,
    options: CompletionSettings,
    offers: &mut Offers,
) {
    let keys = KeysOf { spot, place };
    for known in &spot.keys {
        match known {
            Keys::Shape(shape) => keys.of_shape(shape, offers),
            Keys::Patched(shape) => keys.of_target(shape, offers),
            Keys::Undecided(variant) => keys.of_variant(variant, offers),
            Keys::Free(key, of) => keys.free(*key, *of, options, offers),
        }
    }
    languages::offer_keys(spot, place, offers);
    schema::offer_keys(spot, place, offers);
    keys.of_plugins(offers);
    offers.drop_repeated();
}

struct KeysOf<'s> {
    spot: &'s CursorContext<'s>,
    place: &'s KeyPlace,
}

impl KeysOf<'_> {
    fn of_shape(&self, shape: &'static Shape, offers: &mut Offers) {
        for field in shape.fields.iter().filter(|field| self.is_missing(field)) {
            self.add(shape, field, self.tier(field), offers);
        }
    }

    /// The keys of an overlay's target. None of them is required.
    fn of_target(&self, shape: &'static Shape, offers: &mut Offers) {
        let fields = shape.fields.iter().filter(|field| field.is_patchable() && !self.is_there(field.key));
        for field in fields {
            self.add(shape, field, self.tier(field).max(ORDINARY), offers);
        }
    }

    fn of_variant(&self, variant: &'static Variant, offers: &mut Offers) {
        if !self.is_there(variant.key) {
            let words = variant.words().map(|word: &Word| word.text.to_owned()).collect();
            let outline = Outline::Hole { choices: words, is_text: true };
            let offer =
                Offer::key(variant.key, outline, NEEDED).with_detail(format!("selects the {}", variant.name));
            offers.add(offer);
        }
        for case in variant.cases {
            let others = case.shape.fields.iter().filter(|field| field.key != variant.key);
            for field in others.filter(|field| self.is_missing(field)) {
                if !offers.has(field.key) {
                    self.add_of_case(case, field, offers);
                }
            }
        }
    }

    fn add_of_case(&self, case: &'static Case, field: &'static Field, offers: &mut Offers) {
        let detail = format!("with `{}`", case.word.text);
        let offer = Offer::key(field.key, Outline::behind_key(field), RARE).with_detail(detail);
        offers.add(offer.with_documentation(self.handle(&case.shape, field)));
    }

    /// Keys that the author chooses, if known names can be offered.
    fn free(&self, key: Type, of: Type, options: CompletionSettings, offers: &mut Offers) {
        let taken = self.place.siblings.iter().map(|sibling| sibling.text.clone()).collect();
        let wanted = Wanted { spot: self.spot, slot: None, taken, keyed: Some(of) };
        let mut names = Offers::new(offers.prefix());
        values::offer_type(&wanted, key, options, &mut names);
        offers.incomplete |= names.incomplete;
        for (rank, offer) in names.found {
            if let Body::Text(name) = &offer.body {
                let body = Body::Key(name.clone(), Outline::of_type(of));
                offers.push(rank, Offer { body, ..offer });
            }
        }
    }

    /// Fields that plugins add to declarations.
    fn of_plugins(&self, offers: &mut Offers) {
        let at_root = self.spot.location.path.is_empty() && !self.spot.keys.is_empty();
        let Some(dialect) = self.spot.dialect.filter(|_| at_root) else { return };
        let system = self.spot.file.settings.systems.get(dialect.id);
        for key in system.into_iter().flat_map(|system| &system.extra_fields) {
            if !self.is_there(key) {
                offers.add(Offer::open_key(key, false, RARE).with_detail("added by a plugin"));
            }
        }
    }

    fn add(&self, shape: &'static Shape, field: &'static Field, tier: u8, offers: &mut Offers) {
        let offer = Offer {
            is_deprecated: tier == DEPRECATED,
            ..Offer::key(field.key, Outline::behind_key(field), tier).with_detail(field_detail(field))
        };
        offers.add(offer.with_documentation(self.handle(shape, field)));
    }

    fn handle(&self, shape: &'static Shape, field: &Field) -> Option<Handle> {
        Handle::field(self.spot.dialect?, shape, field)
    }

    /// Whether a key may be added.
    fn is_missing(&self, field: &Field) -> bool {
        !self.is_there(field.key) && !field.excludes.iter().any(|other| self.is_there(other))
    }

    fn is_there(&self, key: &str) -> bool {
        self.place.siblings.iter().any(|sibling| sibling.text == key)
    }

    fn tier(&self, field: &Field) -> u8 {
        let is_superseded = field.superseded_by.is_some() && !self.is_of_followed_release(field);
        if is_superseded || field.origin == FieldOrigin::Unheeded {
            return DEPRECATED;
        }
        match field.required {
            Required::Yes => return NEEDED,
            Required::Unless(other) if !self.is_there(other) => return NEEDED,
            Required::Unless(_) | Required::No => {}
        }
        match (field.beside, field.origin) {
            (Some(beside), _) => match self.word_of(beside.key) {
                Some(word) if beside.words.contains(&word) => FITTING,
                Some(_) => IDLE,
                None => ORDINARY,
            },
            (None, FieldOrigin::Examples) => RARE,
            (None, FieldOrigin::Release(_)) if !self.is_of_followed_release(field) => RARE,
            (None, _) => ORDINARY,
        }
    }

    /// Whether the field is of the release that the project follows.
    fn is_of_followed_release(&self, field: &Field) -> bool {
        let followed = self.spot.dialect.map(|dialect| self.spot.file.settings.profile(dialect));
        matches!(field.origin, FieldOrigin::Release(version) if followed == Some(Profile::Release(version)))
    }

    /// The word that is the value of another key of the mapping.
    fn word_of(&self, key: &str) -> Option<&str> {
        self.spot.value()?.get(key)?.value.as_text()
    }
}
