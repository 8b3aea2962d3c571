//! The facts of a file without what no rule asks for, for a check of many files, which holds the facts of all at once.
//!
//! Input: the facts of a file. Output: facts from which every rule has the same findings. Invariant: what is dropped is either
//! read again where a rule asks for it, or asked for only by editors and runs; the tests of the rules check both
//! forms.

use std::sync::Arc;

use nodewise_dialect::tight::tight;
use nodewise_model::{Body, Node, SourceId};
use thin_vec::ThinVec;

use crate::conditions::{ConditionFacts, always_holds};
use crate::facts::{DocumentFacts, DocumentRole, FileFacts, Ownership};
use crate::file_text::TextSource;
use crate::settings::Profile;

impl FileFacts {
    /// Reduces the facts to what rules need. `texts` must return the text of this file for `number`.
    #[must_use]
    pub fn condensed(mut self, number: SourceId, texts: &Arc<dyn TextSource>) -> FileFacts {
        if !self.may_be_quoted() {
            self.text.drop_text(number, texts);
        }
        let profile = match self.ownership {
            Ownership::Ours(dialect) => self.settings.profile(dialect),
            Ownership::Empty | Ownership::NotOurs => Profile::default(),
        };
        let documents = self.content.get_mut().map(|content| content.documents.iter_mut());
        documents.into_iter().flatten().for_each(|document| document.condense(profile));
        self
    }

    /// Whether a rule may need the text of this file because of something in the file itself.
    fn may_be_quoted(&self) -> bool {
        // A module is read again together with the modules that it imports, and the syntax of JSON is checked on the text.
        if self.is_module() || self.keeps_tree() {
            return true;
        }
        match self.ownership {
            Ownership::NotOurs if !self.must_parse() => false,
            Ownership::Empty => true,
            Ownership::NotOurs | Ownership::Ours(_) => {
                let is_clean = self.problems.is_empty() && self.suppressions.comments.is_empty();
                let is_plain = is_clean && self.secrets.is_empty() && !self.path.ends_with(".json");
                !is_plain || !self.documents.iter().all(DocumentFacts::is_plain)
            }
        }
    }
}

impl DocumentFacts {
    /// Whether the document has no fault of its own, that is, none that rules report whatever other files contain.
    fn is_plain(&self) -> bool {
        let lacks = self.effective.as_ref().is_some_and(|effective| !effective.faults.absences.is_empty());
        matches!(self.role, DocumentRole::Kind(_))
            && self.faults.issues.is_empty()
            && self.faults.mistakes.is_empty()
            && self.faults.bundle_problems.is_empty()
            && self.faults.lone_braces.is_empty()
            && !lacks
    }

    /// Removes the facts that only editors and runs need.
    fn condense(&mut self, profile: Profile) {
        let Some(effective) = &mut self.effective else { return };
        let written = effective.faults.get_mut().and_then(|faults| faults.written.as_mut()?.as_mut());
        let mut nodes =
            effective.declaration.iter_mut().chain(written).filter_map(|declaration| match &mut declaration
                .body
            {
                Body::Node(node) => Some(node),
                _ => None,
            });
        // Rules need all conditions of graphs. Of the conditions of a single node, they only report faulty ones.
        if let Some(node) = nodes.next() {
            condense_node(node);
            nodes.for_each(|node| condense_node(node));
            let conditions = std::mem::take(&mut self.conditions).into_iter();
            let conditions = conditions.filter(|one| one.may_be_reported(profile));
            self.conditions = tight(conditions);
            self.conditions.iter_mut().for_each(|one| one.keys = ThinVec::new());
        }
    }
}

/// Removes the texts of a node. Of its conditions, rules only need to know whether they always hold.
fn condense_node(node: &mut Node) {
    node.drop_texts();
    let conditions = node.edges.iter_mut().filter_map(|edge| edge.condition.as_mut());
    conditions.filter(|one| !always_holds(one)).for_each(|one| one.text = Box::default());
}

impl ConditionFacts {
    /// Whether a rule may report something about the condition, under the specification or under a release.
    fn may_be_reported(&self, profile: Profile) -> bool {
        profile != Profile::Specification || !self.findings.is_empty() || self.trap.is_some()
    }
}
