//! Where paths lead that rules of the project look for, over nodes that are documents.
//!
//! Input: the id of a rule, and how its paths are found. Output: for each document where the shortest path continues. Invariant: an
//! index in which something is declared, referred to or patched in another way begins without any.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::Index;
use crate::facts::DocumentId;

/// The result of searching a project rule's paths over nodes that are documents.
#[derive(Debug, Default)]
pub(crate) struct DocumentLeads {
    /// For each document on a path that gets to an end: the next step of the shortest such path.
    pub(crate) leads: FxHashMap<DocumentId, DocumentLead>,
    /// If the search exceeded its limit: the first document where a path may begin, where this is reported. `leads` is then
    /// empty.
    pub(crate) stopped_at: Option<DocumentId>,
}

/// The next step of the shortest path from a document to an end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DocumentLead {
    /// The next document; `None` if this document is the end.
    pub(crate) next: Option<DocumentId>,
    /// How many documents follow on the path.
    pub(crate) length: u32,
}

/// The search results of the project rules, computed when needed.
#[derive(Debug, Default)]
pub(super) struct LeadsOfRules {
    of_rules: Mutex<FxHashMap<&'static str, Arc<DocumentLeads>>>,
}

impl Index {
    /// The search result for a rule; `find` computes it on first use. Other threads wait for the result instead of
    /// computing it again.
    pub(super) fn document_leads(
        &self,
        rule: &'static str,
        find: impl FnOnce() -> DocumentLeads,
    ) -> Arc<DocumentLeads> {
        let mut of_rules = self.document_leads.of_rules.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(of_rules.entry(rule).or_insert_with(|| Arc::new(find())))
    }
}
