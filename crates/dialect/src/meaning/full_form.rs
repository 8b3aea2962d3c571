//! Values in a short form, as the same in the full form.
//!
//! Input: the forms of a type, and a value. Output: the full form. Invariant: what the runtime does not look at in the short form
//! is not there in the full one.

use std::borrow::Cow;

use nodewise_model::Origin;

use crate::table::{Form, ShortForms, ShortKey, Type, Variant};
use crate::value::{Data, SpannedEntry, SpannedValue};

/// The full form of a value in short form, and its variant; `None` if the value is not in a short form.
pub(super) fn full_form<'t>(
    forms: &[Form],
    value: &SpannedValue<'t>,
) -> Option<(&'static Variant, SpannedValue<'t>)> {
    let variant = forms.iter().find_map(|form| match form.ty {
        Type::Variant(variant) => Some(variant),
        _ => None,
    })?;
    let short = variant.short?;
    let members = match &value.data {
        Data::Text(text) => of_text(variant, short, text.clone(), value),
        Data::Map(_) => {
            let key = short.keys.iter().find(|key| value.get(key.key).is_some())?;
            of_key(variant, key, value)
        }
        _ => return None,
    };
    Some((variant, SpannedValue { data: Data::Map(members), at: value.at, node: None }))
}

fn of_text<'t>(
    variant: &'static Variant,
    short: &'static ShortForms,
    text: Cow<'t, str>,
    value: &SpannedValue<'t>,
) -> Vec<SpannedEntry<'t>> {
    let lists = |ty: &Type| matches!(ty, Type::Word(words) if words.iter().any(|word| word.text == text));
    let case =
        variant.cases.iter().find(|case| case.shape.field(short.text).is_some_and(|field| lists(&field.ty)));
    let word = case.map_or(short.other, |case| case.word.text);
    let name = SpannedValue { data: Data::Text(text), at: value.at, node: value.node };
    vec![entry(variant.key, word_value(word, value.at), value.at), entry(short.text, name, value.at)]
}

fn of_key<'t>(
    variant: &'static Variant,
    key: &'static ShortKey,
    value: &SpannedValue<'t>,
) -> Vec<SpannedEntry<'t>> {
    let mut members = vec![entry(variant.key, word_value(key.case, value.at), value.at)];
    let fields = std::iter::once((key.key, key.field)).chain(key.others.iter().copied());
    for (short, field) in fields {
        if let Some(member) = value.get(short)
            && members.iter().all(|known| known.key != field)
        {
            members.push(entry(field, member.value.clone(), member.key_at));
        }
    }
    members
}

fn word_value<'t>(word: &'static str, at: Origin) -> SpannedValue<'t> {
    SpannedValue { data: Data::Text(Cow::Borrowed(word)), at, node: None }
}

fn entry<'t>(key: &'static str, value: SpannedValue<'t>, key_at: Origin) -> SpannedEntry<'t> {
    SpannedEntry { key: Cow::Borrowed(key), key_at, value }
}
