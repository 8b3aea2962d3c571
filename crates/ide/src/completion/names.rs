//! Names that documents declare for all files. In: a scope and the index. Out: offers, near ones first: this document,
//! its folder, the project. Invariant: a name is offered once, for the declaration that it refers to.

use std::borrow::Cow;

use nodewise_analysis::facts::{DocumentId, FileFacts};
use nodewise_analysis::index::Declared;
use nodewise_dialect::table::{KindRole, Outside};
use nodewise_model::{NameScope, SourceId};
use rustc_hash::FxHashSet;

use super::docs::Handle;
use super::offer::{FITS, Offer, Offers, fit};
use super::wanted::Wanted;
use super::{ITEMS_MAX, ItemKind};
use crate::cursor_context::CursorContext;
use crate::names::shown_name;

/// The maximum number of nearby files in the folder.
const NEAR_FILES_MAX: usize = 500;
/// The maximum number of names with the typed beginning that are checked first.
const FIRST_MAX: usize = 1_000;

/// The rank of a name in the folder.
const RANK_FOLDER: u8 = 2;
/// The rank of a name elsewhere in the project.
const RANK_FAR: u8 = 3;

/// Offers the names of a scope. With a separator, each has its kind before it.
pub(super) fn offer<'s>(
    wanted: &Wanted<'s>,
    scope: &'static NameScope,
    separator: Option<char>,
    offers: &mut Offers,
) {
    let spot = wanted.spot;
    let near = Near::new(spot);
    let is_qualified =
        separator.is_some() || scope.kinds.iter().any(|kind| offers.prefix().starts_with(kind));
    let separator = separator.or(is_qualified.then_some('/'));
    let meant = |name| {
        means(name, scope, &near, separator).filter(|(label, _)| !wanted.is_taken(label)).collect::<Vec<_>>()
    };
    let index = spot.snapshot.index();
    let first = near_names(spot, offers.prefix());
    let mut found: Vec<_> = first.iter().flat_map(|name| meant((name, index.declared(name)))).collect();
    // If the names with the typed beginning fill a list, the search skips tens of thousands of others.
    let begins = |(name, _): &(&str, &[Declared])| name.starts_with(offers.prefix());
    for named in index.declared_from(offers.prefix()).take_while(begins).take(FIRST_MAX) {
        if found.len() >= ITEMS_MAX {
            break;
        }
        if !first.contains(named.0) {
            found.extend(meant(named));
        }
    }
    match (found.len() >= ITEMS_MAX, separator) {
        (true, _) => offers.incomplete = true,
        // The letters may be those of a kind.
        (false, Some(_)) => found = index.each_declared().flat_map(meant).collect(),
        (false, None) => {
            found = fitting((spot, scope), &near, offers, |name| meant((name, index.declared(name))));
        }
    }
    offers.add_best(
        found.into_iter(),
        |(_, declared)| near.rank(declared),
        |(label, _)| label,
        |(label, declared)| {
            let place = match spot.snapshot.file(declared.document.source) {
                Some(file) if Some(declared.document) != near.document => &*file.path,
                _ => "this document",
            };
            let shown = shown_name(spot.snapshot, declared.document, declared.kind, declared.part());
            let detail = match shown.filter(|shown| *shown != label) {
                Some(shown) => format!("{} `{shown}` in {place}", declared.kind),
                None => format!("{} in {place}", declared.kind),
            };
            let tier = near.rank(&declared);
            Offer::text(label, ItemKind::Declaration, tier)
                .with_detail(detail)
                .with_documentation(Handle::declaration(spot.snapshot, declared))
        },
    );
    for (list, name) in outside(spot, scope) {
        for kind in list.kinds.iter().filter(|kind| scope.kinds.contains(kind)).take(1) {
            let label = label(name, kind, separator);
            if !wanted.is_taken(&label) && !offers.has(&label) {
                offers.add(Offer::text(label, ItemKind::Provided, 4).with_detail("provided by the program"));
            }
        }
    }
}

/// A name in the form that a scope uses: with a separator, its kind comes first.
fn label<'n>(name: &'n str, kind: &str, separator: Option<char>) -> Cow<'n, str> {
    match separator {
        Some(separator) => Cow::Owned(format!("{kind}{separator}{name}")),
        None => Cow::Borrowed(name),
    }
}

/// What a name can refer to in a scope, each with its label.
fn means<'n>(
    (name, declared): (&'n str, &[Declared]),
    scope: &NameScope,
    near: &Near,
    separator: Option<char>,
) -> impl Iterator<Item = (Cow<'n, str>, Declared)> {
    let kinds = scope.kinds.iter().filter_map(|kind| near.best(declared, kind));
    // Without a kind, a name refers to the first kind that declares it.
    let meant = kinds.take(if separator.is_some() { usize::MAX } else { 1 });
    meant.map(move |declared| (label(name, declared.kind, separator), declared))
}

/// The targets of all names that match the typed letters, as far as they can be among the best of a list. The letters
/// are compared first, because looking up declarations takes longer.
fn fitting<'s, L: AsRef<str>>(
    (spot, scope): (&CursorContext<'s>, &NameScope),
    near: &Near,
    offers: &Offers,
    meant: impl Fn(&'s str) -> Vec<(L, Declared)>,
) -> Vec<(L, Declared)> {
    let mut by_fit: [Vec<&str>; FITS] = Default::default();
    for name in spot.snapshot.index().declared_with_letters(offers.prefix(), scope.kinds) {
        if let Some(names) = fit(name, offers.prefix()).and_then(|fit| by_fit.get_mut(usize::from(fit))) {
            names.push(name);
        }
    }
    let close = CloseNames::new(spot);
    let mut found = Vec::new();
    for names in by_fit {
        // Other names come in alphabetical order. If many have the same rank, the first ones fill the list.
        let mut counted = 0;
        for name in names {
            let is_close = close.names.contains(name);
            if !is_close && counted > ITEMS_MAX {
                continue;
            }
            let mut means = meant(name);
            means.retain(|(label, _)| !offers.has(label.as_ref()));
            let counts = |(_, declared): &&(L, Declared)| near.rank(declared) <= close.next_rank;
            counted += if is_close { 0 } else { means.iter().filter(counts).count() };
            found.append(&mut means);
        }
        if found.len() > ITEMS_MAX {
            break;
        }
    }
    found
}

/// The names in the file, and those in the folder if it does not have too many files.
struct CloseNames<'s> {
    names: FxHashSet<&'s str>,
    /// The best rank of all other names.
    next_rank: u8,
}

impl<'s> CloseNames<'s> {
    fn new(spot: &CursorContext<'s>) -> CloseNames<'s> {
        let is_whole = folder_files(spot).nth(NEAR_FILES_MAX).is_none() && spot.file.path.contains('/');
        let names = match is_whole {
            true => folder_files(spot).flat_map(names_in).collect(),
            false => names_in(spot.file).collect(),
        };
        CloseNames { names, next_rank: if is_whole { RANK_FAR } else { RANK_FOLDER } }
    }
}

/// Names of near files that begin with the typed letters.
fn near_names<'s>(spot: &CursorContext<'s>, prefix: &str) -> FxHashSet<&'s str> {
    let begins = |name: &&str| name.starts_with(prefix);
    folder_files(spot).take(NEAR_FILES_MAX).flat_map(names_in).filter(begins).collect()
}

/// The files in the folder of the cursor's file, and in the folders inside it.
fn folder_files<'s>(spot: &CursorContext<'s>) -> impl Iterator<Item = &'s FileFacts> + use<'s> {
    let own = spot.file.path.rsplit_once('/').map(|(folder, _)| format!("{folder}/")).unwrap_or_default();
    let files = spot.snapshot.files().from_path(&own).map(AsRef::as_ref);
    files.take_while(move |file: &&FileFacts| file.path.starts_with(&own))
}

/// The names that a file declares.
fn names_in(file: &FileFacts) -> impl Iterator<Item = &str> {
    let declarations =
        file.documents.iter().filter_map(|document| document.effective.as_ref()?.declaration.as_ref());
    let declared = declarations.flat_map(|declaration| {
        declaration.name.iter().chain(declaration.packed().filter_map(|(_, name)| name))
    });
    declared.map(|name| name.value.as_str())
}

/// The names that programs provide for a scope, from the project's configuration.
fn outside<'s>(
    spot: &CursorContext<'s>,
    scope: &'static NameScope,
) -> impl Iterator<Item = (&'static Outside, &'s str)> + use<'s> {
    let file = spot.file;
    let dialect = spot.dialect;
    let lists = dialect.map(|dialect| dialect.outside).unwrap_or_default();
    let fitting = lists.iter().filter(|list| list.kinds.iter().any(|kind| scope.kinds.contains(kind)));
    fitting.flat_map(move |list| {
        let names = dialect.and_then(|dialect| file.settings.outside(dialect, list.key));
        names.unwrap_or_default().iter().map(move |name| (list, name.as_str()))
    })
}

/// What is near the cursor.
struct Near {
    document: Option<DocumentId>,
    /// Whether the document contains several declarations, which can refer to each other.
    is_packed: bool,
    source: SourceId,
    /// The first and the last file of the folder, which follow one another in load order.
    folder: (SourceId, SourceId),
}

impl Near {
    fn new(spot: &CursorContext<'_>) -> Near {
        let source = spot.file.source;
        let folder = match spot.file.path.rsplit_once('/') {
            // At the root, everything is near.
            None => (SourceId(0), SourceId(u32::MAX)),
            Some((own, _)) => {
                let files = spot.snapshot.files();
                let first = files.from_path(&format!("{own}/")).next().map(|file| file.source);
                let last = files.last_below(own).map(|file| file.source);
                (first.unwrap_or(source), last.unwrap_or(source))
            }
        };
        Near {
            document: spot.document.map(|document| document.id),
            is_packed: spot.kind.is_some_and(|kind| kind.role == KindRole::Bundle),
            source,
            folder,
        }
    }

    /// The declaration of a kind that a name refers to here: the one in this document, else the first.
    fn best(&self, declared: &[Declared], kind: &str) -> Option<Declared> {
        let mut fitting = declared.iter().filter(|declared| declared.kind == kind);
        let own = fitting.clone().find(|declared| Some(declared.document) == self.document);
        own.or_else(|| fitting.next()).copied()
    }

    /// 0 for declarations packed in this document, then the file, the folder, the project, and last the document
    /// itself.
    fn rank(&self, declared: &Declared) -> u8 {
        let document = &declared.document;
        let is_own = Some(*document) == self.document;
        match () {
            () if is_own && self.is_packed => 0,
            () if is_own => 5,
            () if document.source == self.source => 1,
            () if self.folder.0 <= document.source && document.source <= self.folder.1 => RANK_FOLDER,
            () => RANK_FAR,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]
mod tests;
