//! The differences from Liman's packages that we keep.
//!
//! Input is a disagreement. Output is whether an entry explains it. Invariant: an entry matches only cases that its
//! reason explains.

mod bundles;
mod documents;
mod runs;

pub(super) use bundles::BUNDLES;
pub(super) use documents::DOCUMENTS;
pub(super) use runs::RUNS;

use crate::oracle::subject::Entry;

pub(super) const EXPRESSIONS: &[Entry] = &[];
