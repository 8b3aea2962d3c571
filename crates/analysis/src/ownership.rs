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

/// Whose file it is.
#[derive(Debug, Clone, Copy)]
pub enum Ownership {
    /// It holds declarations of this dialect.
    Ours(&'static Dialect),
    /// It holds no document at all.
    Empty,
    /// It belongs to another system, or to nobody.
    NotOurs,
}

/// What says whose file it is.
#[derive(Debug, Clone, Copy, Default)]
pub enum Reason {
    /// The user chose the dialect, or none, for the file.
    Chosen,
    /// The file's name ends so.
    Name(&'static str),
    Document(Origin, Evidence),
    /// It is a module that builds documents of this dialect.
    Builders(&'static Dialect),
    #[default]
    NoDocument,
    /// No document is one of a dialect.
    NoDialect,
}

impl Reason {
    /// Why a file is nobody's that no dialect may be in.
    pub(crate) fn of_no_candidates(pin: Pin) -> Reason {
        if pin == Pin::ByContent { Reason::NoDialect } else { Reason::Chosen }
    }
}

/// The dialects that a file may be written in, by its ending and, where the ending is everybody's, its words. Whether one
/// may be is found out when it is asked for: mostly the first one owns the file.
pub(crate) fn candidates<'t>(
    path: &'t str,
    text: &'t str,
    pin: Pin,
) -> impl Iterator<Item = &'static Dialect> + 't {
    let built: Option<Vec<_>> = is_module(path).then(|| nodewise_modules::systems(text).collect());
    let named = named_dialect(path).filter(|_| built.is_none());
    let extension = extension(path).unwrap_or_default();
    let held = HeldWords::of(text);
    // Whether there is any document is not a matter of words.
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

/// Whether a text has more than comments, marks of documents and directives.
fn has_content(text: &str) -> bool {
    let is_content = |line: &str| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with(['#', '%']) && line != "---" && line != "..."
    };
    // Comments that silence rules are found when the text is read.
    text.lines().any(is_content) && memmem::find(text.as_bytes(), MARKER.as_bytes()).is_none()
}

fn extension(path: &str) -> Option<&str> {
    path.rsplit_once('.').map(|(_, extension)| extension)
}

/// Whether the dialect's system does not read the file, for its ending.
pub(crate) fn is_unread(dialect: &Dialect, path: &str, pin: Pin) -> bool {
    let is_other = |extension: &str| is_document_extension(extension) && !dialect.loads(extension);
    pin == Pin::ByContent && extension(path).is_some_and(is_other)
}

/// Whether a text may hold a whole declaration of the dialect: the name of a kind stands in it, in quotes.
fn may_declare(dialect: &Dialect, text: &str) -> bool {
    dialect.kinds.iter().any(|kind| text.contains(&format!("\"{}\"", kind.name)))
}

/// The dialect that the file's name says, and how the name ends.
fn named_dialect(path: &str) -> Option<(&'static Dialect, &'static str)> {
    DIALECTS.iter().find_map(|dialect| Some((*dialect, dialect.file_name(path)?.ending)))
}

/// Whether files of other programs, many and large, have the same ending.
pub(crate) fn is_shared_ending(path: &str) -> bool {
    extension(path).is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

/// By pin, else by content: the first dialect that knows a document of the file.
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
            // Files that the system does not even look for must prove whose they are.
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

/// Whether all required keys are there.
fn is_whole(kind: &Kind, value: &SpannedValue<'_>) -> bool {
    let required = kind.shape.fields.iter().filter(|field| field.required == Required::Yes);
    required.into_iter().all(|field| value.get(field.key).is_some())
}
