//! Files of the project, as paths in scripts and scenarios. In: the kind of file. Out: offers of paths, relative to the
//! current file.

use nodewise_analysis::facts::{DocumentFacts, FileFacts};
use nodewise_analysis::scenario_target::{folder_of, relative};
use nodewise_dialect::table::FileContent;
use nodewise_dialect::tables::scenario::SCRIPT_KIND;
use nodewise_model::{Body, Declaration};

use super::ItemKind;
use super::offer::{Offer, Offers};
use crate::cursor_context::CursorContext;

/// Offers the files of the wanted kind, nearby ones first.
pub(super) fn offer(spot: &CursorContext<'_>, holds: FileContent, offers: &mut Offers) {
    let folder = folder_of(&spot.file.path);
    let is_wanted = |file: &&FileFacts| {
        let mut declared = file.documents.iter().filter_map(declaration);
        file.source != spot.file.source && declared.any(|declaration| fits(declaration, holds))
    };
    let files = spot.snapshot.files().iter().map(AsRef::as_ref).filter(is_wanted);
    let paths: Vec<String> = files.map(|file| relative(folder, &file.path)).collect();
    offers.add_best(
        paths.iter(),
        |path| u8::from(path.starts_with("..")),
        |path| path.as_str(),
        |path| Offer::text(path.as_str(), ItemKind::File, 0),
    );
}

fn declaration(document: &DocumentFacts) -> Option<&Declaration> {
    document.effective.as_ref()?.declaration.as_ref()
}

fn fits(declaration: &Declaration, holds: FileContent) -> bool {
    match holds {
        FileContent::Scripts => declaration.kind == SCRIPT_KIND,
        FileContent::Declarations => !matches!(declaration.body, Body::Scenario(_)),
    }
}
