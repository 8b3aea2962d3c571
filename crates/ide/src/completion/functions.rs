//! Functions of the project's programs, by the dotted paths that declarations name them with. In: what is typed of a
//! path; out: offers of whole paths, each with the file that defines it.

use nodewise_analysis::workspace::Snapshot;

use super::offer::{Offer, Offers};
use super::{ITEMS_MAX, ItemKind};

/// Functions come behind the names of an expression.
const FUNCTION: u8 = 3;

/// Offers the functions whose path the typed letters may mean.
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

/// Offers what follows a begun path: the rest of each function's path.
pub(super) fn offer_below(snapshot: &Snapshot, above: &str, offers: &mut Offers) {
    let begun = format!("{above}.");
    for (path, module, _) in snapshot.functions().beginning_with(&begun).take(ITEMS_MAX) {
        if let Some(rest) = path.strip_prefix(&begun) {
            offers.add(Offer::text(rest, ItemKind::Function, FUNCTION).with_detail(module.path.as_str()));
        }
    }
}
