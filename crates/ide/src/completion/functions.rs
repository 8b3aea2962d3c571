//! Functions of the project's programs, as dotted paths. In: the typed part of a path. Out: offers of whole paths, each
//! with the file of the function.

use nodewise_analysis::workspace::Snapshot;

use super::offer::{Offer, Offers};
use super::{ITEMS_MAX, ItemKind};

/// Functions come after the names of an expression.
const FUNCTION: u8 = 3;

/// Offers the functions whose path fits the typed letters.
pub(super) fn offer(snapshot: &Snapshot, offers: &mut Offers) {
    let paths = snapshot.functions().beginning_with("");
    let functions = paths.map(|(path, module, _)| (path, module.path.as_str()));
    offers.add_best(
        functions,
        |_| 0,
        |(path, _)| path,
        |(path, file)| Offer::text(path, ItemKind::Function, FUNCTION).with_detail(file),
    );
}

/// Offers the rest of each function's path after a typed beginning.
pub(super) fn offer_below(snapshot: &Snapshot, above: &str, offers: &mut Offers) {
    let begun = format!("{above}.");
    for (path, module, _) in snapshot.functions().beginning_with(&begun).take(ITEMS_MAX) {
        if let Some(rest) = path.strip_prefix(&begun) {
            offers.add(Offer::text(rest, ItemKind::Function, FUNCTION).with_detail(module.path.as_str()));
        }
    }
}
