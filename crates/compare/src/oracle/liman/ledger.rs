//! The disagreements with Liman's packages that we mean to keep.
//!
//! Input is a disagreement; output is whether an entry explains it. Invariant: an entry looks at the one case, and says
//! no more than its reason covers.

mod bundles;
mod documents;
mod runs;

pub(super) use bundles::BUNDLES;
pub(super) use documents::DOCUMENTS;
pub(super) use runs::RUNS;

use crate::oracle::subject::Entry;

pub(super) const EXPRESSIONS: &[Entry] = &[];
