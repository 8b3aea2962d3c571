//! What dry runs said about texts, as long as it holds.
//!
//! Input: runs that ended, texts that changed. Output: the runs that the view shows. Invariant: no two of them are about
//! the same file, and none is about a text that changed since.

use std::sync::Arc;

use super::Session;
use crate::runs::Ran;

impl Session {
    /// Shows a run in the place of those about the same files; one about texts that changed meanwhile is not shown.
    pub(super) fn ran(&mut self, ran: Ran) {
        let is_current = ran.files.iter().all(|file| {
            let open = self.documents.get(&file.uri);
            open.map(|open| open.document.version) == file.version
        });
        if !is_current {
            return;
        }
        // Whoever shows runs paints the files of this one anew; those that it is not about are cleared.
        self.forget_runs(|other| other.meets(&ran));
        self.editor.simulated(&ran);
        self.view.ran.push(Arc::new(ran));
        self.stale.is_other = true;
    }

    /// Shows some runs no more.
    pub(super) fn forget_runs(&mut self, is_meant: impl Fn(&Ran) -> bool) {
        let (gone, stay): (Vec<_>, Vec<_>) = self.view.ran.drain(..).partition(|ran| is_meant(ran));
        self.view.ran = stay;
        for ran in &gone {
            self.editor.simulated(&ran.cleared());
            self.stale.is_other = true;
        }
    }
}
