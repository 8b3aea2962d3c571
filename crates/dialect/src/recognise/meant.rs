//! The kind that an incomplete document was meant to have.
//!
//! Input: a document that [`recognise`](super::recognise) does not recognise, in a file of the dialect. Output: the kind, or none.
//! Invariant: the kind is the only one that fits.

use super::{get, mark_holds};
use crate::suggest;
use crate::table::{Dialect, Kind, KindRole, Mark, Required, Type};
use crate::value::{SpannedEntry, SpannedValue};

/// The key that other systems use for the kind.
const TYPE: &str = "type";
/// With fewer marks of what is there, a document that lacks one of them can be anything.
const MARKS_MIN: usize = 3;

/// The kind of a document without a usable discriminator or with all marks of a kind but one.
#[must_use]
pub fn meant_kind(dialect: &'static Dialect, document: &SpannedValue<'_>) -> Option<&'static Kind> {
    let kind = match dialect.discriminator() {
        Some(key) => match meant_discriminator(dialect, document) {
            Some(member) => dialect.kind(member.value.as_text()?),
            None => kind_by_keys(dialect, document).filter(|_| document.get(key).is_none()),
        },
        None => kind_by_marks(dialect, document),
    };
    kind.filter(|kind| kind.role != KindRole::Overlay)
}

/// The member that stands in for a missing kind: its key in another spelling, or [`TYPE`]. Its value is the name of a kind. If the
/// key is misspelt or is [`TYPE`], the name must not be an everyday word.
#[must_use]
pub fn meant_discriminator<'v, 't>(
    dialect: &Dialect,
    document: &'v SpannedValue<'t>,
) -> Option<&'v SpannedEntry<'t>> {
    let key = dialect.discriminator().filter(|key| document.get(key).is_none())?;
    let is_meant = |member: &&SpannedEntry<'_>| {
        let word = member.value.as_text().filter(|word| dialect.kind(word).is_some());
        let is_near = || member.key == TYPE || suggest::nearest(&member.key, [key]).is_some();
        word.is_some_and(|word| member.key.eq_ignore_ascii_case(key) || is_compound(word) && is_near())
    };
    document.as_map()?.iter().find(is_meant)
}

/// Whether the name of a kind is unlike everyday words, because it has several parts.
pub(super) fn is_compound(word: &str) -> bool {
    word.bytes().filter(u8::is_ascii_uppercase).count() > 1
}

/// The kind that has all of the document's keys as fields and the most required keys, all of which exist. `None` if several
/// kinds are equally good, or if only one key is required.
fn kind_by_keys(dialect: &'static Dialect, document: &SpannedValue<'_>) -> Option<&'static Kind> {
    let keys: Vec<&str> = document.as_map()?.iter().map(|member| member.key.as_ref()).collect();
    let has_all = |kind: &&Kind| keys.iter().all(|key| kind.shape.field(key).is_some());
    let needed = |kind: &'static Kind| {
        let fields = kind.shape.fields.iter().filter(|field| field.required == Required::Yes);
        let mut fields = fields.filter(|field| !matches!(field.ty, Type::Kind));
        fields.clone().all(|field| keys.contains(&field.key)).then(|| (fields.by_ref().count(), kind))
    };
    let kinds = dialect.kinds.iter().filter(|kind| kind.is_declarable()).filter(has_all);
    only_best(kinds.filter_map(needed).filter(|(count, _)| *count > 1))
}

/// The kind of which all marks hold but one.
fn kind_by_marks(dialect: &'static Dialect, document: &SpannedValue<'_>) -> Option<&'static Kind> {
    let holds = |mark: &&Mark| mark_holds(mark, document, get);
    let lacks_one = |marks: &&[Mark]| {
        // That a key is absent says little about a document.
        let (absences, others): (Vec<&Mark>, Vec<&Mark>) =
            marks.iter().partition(|mark| matches!(mark, Mark::Lacks(_)));
        let held = others.iter().copied().filter(holds).count();
        others.len() >= MARKS_MIN && held + 1 == others.len() && absences.iter().all(holds)
    };
    let found = |kind: &'static Kind| {
        let marks = kind.evidence.iter().map(|marks| &**marks).filter(lacks_one);
        Some((marks.map(<[Mark]>::len).max()?, kind))
    };
    only_best(dialect.kinds.iter().filter_map(found))
}

/// The kind with the highest count; `None` if several have it.
fn only_best(kinds: impl Iterator<Item = (usize, &'static Kind)>) -> Option<&'static Kind> {
    let mut best: Option<(usize, &'static Kind)> = None;
    let mut is_only = true;
    for (count, kind) in kinds {
        match best {
            Some((most, _)) if count < most => {}
            Some((most, _)) if count == most => is_only = false,
            _ => (best, is_only) = (Some((count, kind)), true),
        }
    }
    best.filter(|_| is_only).map(|(_, kind)| kind)
}
