//! Names that documents declare for all files. In: a scope and the index; out: offers, what is near first: the own
//! document's, the own folder's, the project's. Invariant: a name is offered once, as the declaration that it means.

use std::borrow::Cow;

use nodewise_analysis::facts::DocumentId;
use nodewise_analysis::index::Declared;
use nodewise_dialect::table::{Outside, Role};
use nodewise_model::{Scope, SourceId};

use super::ItemKind;
use super::docs::Handle;
use super::offer::{Offer, Offers};
use super::values::Wanted;
use crate::spot::Spot;

/// Offers the names that a scope holds; with a separator, each with its kind in front.
pub(super) fn offer(
    wanted: &Wanted<'_>,
    scope: &'static Scope,
    separator: Option<char>,
    offers: &mut Offers,
) {
    let spot = wanted.spot;
    let near = Near::new(spot);
    let is_qualified =
        separator.is_some() || scope.kinds.iter().any(|kind| offers.prefix().starts_with(kind));
    let separator = separator.or(is_qualified.then_some('/'));
    fn label<'n>(name: &'n str, kind: &str, separator: Option<char>) -> Cow<'n, str> {
        match separator {
            Some(separator) => Cow::Owned(format!("{kind}{separator}{name}")),
            None => Cow::Borrowed(name),
        }
    }
    let candidates = spot.snapshot.index().each_declared().flat_map(|(name, declared)| {
        let kinds = scope.kinds.iter().filter_map(|kind| near.best(declared, kind));
        // Without a kind in front, the first kind that declares the name is meant.
        kinds.take(if is_qualified { usize::MAX } else { 1 }).map(move |declared| (name, declared))
    });
    let candidates = candidates
        .map(|(name, declared)| (label(name, declared.kind, separator), declared))
        .filter(|(label, _)| !wanted.is_taken(label));
    offers.add_best(
        candidates,
        |(_, declared)| near.rank(declared),
        |(label, _)| label,
        |(label, declared)| {
            let place = match spot.snapshot.file(declared.document.source) {
                Some(file) if Some(declared.document) != near.document => file.path.as_str(),
                _ => "this document",
            };
            let detail = format!("{} in {place}", declared.kind);
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

/// The names that programs provide for a scope, as the project's configuration lists them.
fn outside<'s>(
    spot: &Spot<'s>,
    scope: &'static Scope,
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
    /// Whether the document packs several things, so that they are there for one another.
    is_packed: bool,
    source: SourceId,
    /// The first and the last file of the folder: load order is the order of paths.
    folder: (SourceId, SourceId),
}

impl Near {
    fn new(spot: &Spot<'_>) -> Near {
        let source = spot.file.source;
        let folder = match spot.file.path.rsplit_once('/') {
            // At the root everything is near.
            None => (SourceId(0), SourceId(u32::MAX)),
            // Load order is the order of paths, in which `0` comes right behind `/`.
            Some((own, _)) => {
                let files = spot.snapshot.files();
                let first = files.from_path(&format!("{own}/")).next().map(|file| file.source);
                let last = files.before_path(&format!("{own}0")).map(|file| file.source);
                (first.unwrap_or(source), last.unwrap_or(source))
            }
        };
        Near {
            document: spot.document.map(|document| document.id),
            is_packed: spot.kind.is_some_and(|kind| kind.role == Role::Bundle),
            source,
            folder,
        }
    }

    /// The declaration of a kind that a name means here: the own document's, else the first.
    fn best(&self, declared: &[Declared], kind: &str) -> Option<Declared> {
        let mut fitting = declared.iter().filter(|declared| declared.kind == kind);
        let own = fitting.clone().find(|declared| Some(declared.document) == self.document);
        own.or_else(|| fitting.next()).copied()
    }

    /// 0 for what the own document packs, then the own file, folder, project; last the document itself.
    fn rank(&self, declared: &Declared) -> u8 {
        let document = &declared.document;
        let is_own = Some(*document) == self.document;
        match () {
            () if is_own && self.is_packed => 0,
            () if is_own => 5,
            () if document.source == self.source => 1,
            () if self.folder.0 <= document.source && document.source <= self.folder.1 => 2,
            () => 3,
        }
    }
}
