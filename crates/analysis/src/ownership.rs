//! Whose file it is, and what says so.
//!
//! Input: a path, what is configured for it, its documents. Output: an [`Ownership`] and its [`Reason`]. Invariant: the reason
//! is what decided, noted where it decided; a file of no system is ignored.

use std::cell::LazyCell;

use memchr::memmem;
use nodewise_dialect::recognise::{Evidence, HeldWords, Recognised, recognise_by};
use nodewise_dialect::table::{Dialect, Kind, Required};
use nodewise_dialect::tables::{DIALECTS, is_document_extension};
use nodewise_dialect::value::SpannedValue;
use nodewise_model::Origin;
use nodewise_modules::is_module;

use crate::settings::Pin;
use crate::suppress::MARKER;

/// The system to which a file belongs.
#[derive(Debug, Clone, Copy)]
pub enum Ownership {
    /// A supported system: the file contains declarations of this dialect.
    Ours(&'static Dialect),
    /// The file contains no document.
    Empty,
    /// No supported system.
    NotOurs,
}

/// Why a file belongs, or does not belong, to a system.
#[derive(Debug, Clone, Copy, Default)]
pub enum Reason {
    /// The user chose the dialect, or chose to ignore the file.
    Chosen,
    /// The file's name has this ending, which only one system uses.
    Name(&'static str),
    Document(Origin, Evidence),
    /// It is a module that builds documents of this dialect.
    Builders(&'static Dialect),
    #[default]
    NoDocument,
    /// No document of the file is recognised.
    NoDialect,
}

impl Reason {
    /// The reason for a file that cannot be written in any dialect.
    pub(crate) fn of_no_candidates(pin: Pin) -> Reason {
        if pin == Pin::ByContent { Reason::NoDialect } else { Reason::Chosen }
    }
}

/// The dialects in which a file may be written: by its ending and, if the ending is a common one, by its words. Each
/// dialect is tested only when the iterator gets to it, because usually the first one owns the file.
pub(crate) fn candidates<'t>(
    path: &'t str,
    text: &'t str,
    pin: Pin,
) -> impl Iterator<Item = &'static Dialect> + 't {
    let built: Option<Vec<_>> = is_module(path).then(|| nodewise_modules::systems(text).collect());
    let named = named_dialect(path).filter(|_| built.is_none());
    let extension = extension(path).unwrap_or_default();
    let held = HeldWords::of(text);
    // A text without content is not recognised by words: it may be an empty document of any dialect.
    let has_content = LazyCell::new(move || has_content(text));
    let by_content = move |dialect: &'static Dialect| match named {
        Some((named, _)) => dialect.id == named.id,
        None if !is_document_extension(extension) => true,
        None => {
            let is_own = dialect.has_extension(extension);
            (held.may_be(dialect) || !*has_content)
                && (is_own || !dialect.loads(extension) && may_declare(dialect, text))
        }
    };
    DIALECTS.iter().copied().filter(move |dialect| match (pin, &built) {
        (Pin::None, _) => false,
        (Pin::Dialect(id), None) => dialect.id == id,
        (Pin::Dialect(id), Some(built)) => dialect.id == id && built.iter().any(|one| one.id == id),
        (Pin::ByContent, None) => by_content(dialect),
        (Pin::ByContent, Some(built)) => built.iter().any(|one| one.id == dialect.id),
    })
}

/// Whether a text has more than comments, document markers and directives.
fn has_content(text: &str) -> bool {
    let is_content = |line: &str| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with(['#', '%']) && line != "---" && line != "..."
    };
    // A text with a comment that silences rules counts as empty here, so that it is read and the comment is found.
    text.lines().any(is_content) && memmem::find(text.as_bytes(), MARKER.as_bytes()).is_none()
}

fn extension(path: &str) -> Option<&str> {
    path.rsplit_once('.').map(|(_, extension)| extension)
}

/// Whether the dialect's system does not load files with this ending.
pub(crate) fn is_unread(dialect: &Dialect, path: &str, pin: Pin) -> bool {
    let is_other = |extension: &str| is_document_extension(extension) && !dialect.loads(extension);
    pin == Pin::ByContent && extension(path).is_some_and(is_other)
}

/// Whether a text may contain a whole declaration of the dialect: it contains the name of a kind in double quotes.
fn may_declare(dialect: &Dialect, text: &str) -> bool {
    dialect.kinds.iter().any(|kind| text.contains(&format!("\"{}\"", kind.name)))
}

/// The dialect to which the file's name belongs, and the ending of the name that says so.
fn named_dialect(path: &str) -> Option<(&'static Dialect, &'static str)> {
    DIALECTS.iter().find_map(|dialect| Some((*dialect, dialect.file_name(path)?.ending)))
}

/// Whether other programs use the same ending for many, possibly large, files.
pub(crate) fn is_shared_ending(path: &str) -> bool {
    extension(path).is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

/// Determines the owner of a file: the dialect that the user chose, or the one to which the file's name belongs, or the
/// first candidate that recognises a document.
pub(crate) fn ownership<'v, 't: 'v, I: Iterator<Item = &'v SpannedValue<'t>>>(
    path: &str,
    is_empty: bool,
    values: impl Fn() -> I,
    pin: Pin,
    candidates: impl Iterator<Item = &'static Dialect>,
) -> (Ownership, Reason) {
    match pin {
        Pin::None => return (Ownership::NotOurs, Reason::Chosen),
        Pin::Dialect(id) => {
            if let Some(dialect) = DIALECTS.iter().find(|dialect| dialect.id == id) {
                return (Ownership::Ours(dialect), Reason::Chosen);
            }
        }
        Pin::ByContent => {}
    }
    if is_empty {
        return (Ownership::Empty, Reason::NoDocument);
    }
    if let Some((dialect, ending)) = named_dialect(path) {
        return (Ownership::Ours(dialect), Reason::Name(ending));
    }
    for dialect in candidates {
        let is_unread = is_unread(dialect, path, pin);
        let says = |value: &'v SpannedValue<'t>| match recognise_by(dialect, value) {
            // If the system does not even load files with this ending, only a complete declaration proves that the file
            // belongs to it.
            (Recognised::Declaration(kind), _) if is_unread && !is_whole(kind, value) => None,
            (Recognised::Resembles, _) if is_unread => None,
            (Recognised::Declaration(_) | Recognised::Resembles, Some(evidence)) => {
                Some(Reason::Document(value.head(), evidence))
            }
            _ => None,
        };
        if let Some(reason) = values().find_map(says) {
            return (Ownership::Ours(dialect), reason);
        }
    }
    (Ownership::NotOurs, Reason::NoDialect)
}

/// Whether all required keys are present.
fn is_whole(kind: &Kind, value: &SpannedValue<'_>) -> bool {
    let required = kind.shape.fields.iter().filter(|field| field.required == Required::Yes);
    required.into_iter().all(|field| value.get(field.key).is_some())
}
