//! Where paths lead that rules of the project look for, over nodes that are documents.
//!
//! Input: the id of a rule, and how its paths are found. Output: for each document where the shortest path continues. Invariant: an
//! index in which something is declared, referred to or patched in another way begins without any.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::Index;
use crate::facts::DocumentId;

/// The paths of a rule over documents.
#[derive(Debug, Default)]
pub(crate) struct DocumentLeads {
    /// For each document from which a path arrives, where it continues.
    pub(crate) leads: FxHashMap<DocumentId, DocumentLead>,
    /// Where it is reported that the search took too long: at the first document where a path may begin. Then no path is known.
    pub(crate) stopped_at: Option<DocumentId>,
}

/// Where the shortest path continues.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DocumentLead {
    /// The next document; `None` where the path arrives.
    pub(crate) next: Option<DocumentId>,
    /// How many documents follow.
    pub(crate) length: u32,
}

/// What was worked out for rules.
#[derive(Debug, Default)]
pub(super) struct LeadsOfRules {
    of_rules: Mutex<FxHashMap<&'static str, Arc<DocumentLeads>>>,
}

impl Index {
    /// The paths of a rule; they are worked out if that was not done yet. Several threads may wait for it.
    pub(super) fn document_leads(
        &self,
        rule: &'static str,
        find: impl FnOnce() -> DocumentLeads,
    ) -> Arc<DocumentLeads> {
        let mut of_rules = self.document_leads.of_rules.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(of_rules.entry(rule).or_insert_with(|| Arc::new(find())))
    }
}
