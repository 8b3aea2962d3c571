//! What a document is to its dialect: a declaration of some kind, another system's, or a mapping whose kind nobody knows.
//!
//! Input: a value and its dialect; output: a role. Invariant: a misspelt kind counts as the one that was meant, unless the
//! document is taken as it is written.

use nodewise_dialect::recognise::{Recognised, meant_kind, recognise};
use nodewise_dialect::suggest;
use nodewise_dialect::table::{Dialect, Kind, KindRole};
use nodewise_dialect::value::{SpannedEntry, SpannedValue};
use nodewise_model::Origin;

/// What a document is in its dialect. There are many documents, so the data of rare variants is boxed.
#[derive(Debug, Clone)]
pub enum DocumentRole {
    /// A declaration, or an overlay.
    Kind(&'static Kind),
    /// A mapping whose kind does not exist: the word and its place.
    UnknownKind(Box<(Box<str>, Origin)>),
    /// A mapping whose kind is not a text: a description of the value, and its place.
    BadKind(Box<(&'static str, Origin)>),
    /// A mapping without a kind.
    MissingKind,
    /// A mapping that resembles none of the dialect's kinds.
    Shapeless,
    /// Not a mapping: a description of the value.
    NotAMapping(Box<&'static str>),
    /// An empty document.
    Empty,
    /// A document of another system.
    Foreign,
    /// A declaration in a file whose ending the system does not load.
    Unread(&'static Kind),
}

/// Determines the role of a document. `named` is the kind that the file's name implies. If `is_literal`, a misspelt kind
/// counts as unknown.
pub(crate) fn role(
    dialect: &'static Dialect,
    named: Option<&'static Kind>,
    value: Option<&SpannedValue<'_>>,
    is_literal: bool,
) -> DocumentRole {
    let Some(value) = value.filter(|value| !value.is_null()) else { return DocumentRole::Empty };
    if value.as_map().is_none() {
        return DocumentRole::NotAMapping(Box::new(value.describe()));
    }
    if let Some(kind) = named {
        return DocumentRole::Kind(kind);
    }
    // [`recover`](nodewise_dialect::recovery::recover) reports what is wrong with the document then.
    let meant = || meant_kind(dialect, value).filter(|_| !is_literal).map(DocumentRole::Kind);
    match recognise(dialect, value) {
        Recognised::Declaration(kind) => DocumentRole::Kind(kind),
        Recognised::Foreign => DocumentRole::Foreign,
        Recognised::Resembles | Recognised::Undecided => match dialect.discriminator() {
            Some(key) => {
                let misspelt = value.get(key).filter(|_| !is_literal);
                misspelt_kind(dialect, misspelt)
                    .or_else(meant)
                    .unwrap_or_else(|| unknown_role(value.get(key)))
            }
            None => meant().unwrap_or(DocumentRole::Shapeless),
        },
    }
}

/// The kind that was probably meant by a misspelt word. [`recover`] reports the word itself.
fn misspelt_kind(dialect: &'static Dialect, kind: Option<&SpannedEntry<'_>>) -> Option<DocumentRole> {
    let names: Vec<&'static str> = dialect.kinds.iter().map(|kind| kind.name).collect();
    let meant = suggest::meant_word(kind?.value.as_text()?, &names)?;
    dialect.kind(meant).filter(|kind| kind.role != KindRole::Overlay).map(DocumentRole::Kind)
}

fn unknown_role(kind: Option<&SpannedEntry<'_>>) -> DocumentRole {
    match kind {
        None => DocumentRole::MissingKind,
        Some(member) if member.value.is_null() => DocumentRole::MissingKind,
        Some(member) => match member.value.as_text() {
            Some(word) => DocumentRole::UnknownKind(Box::new((word.into(), member.value.at))),
            None => DocumentRole::BadKind(Box::new((member.value.describe(), member.value.at))),
        },
    }
}
