//! The decorations of dry runs, as long as the texts do not change.
//!
//! Input: finished runs, changed texts. Output: the runs in the view. Invariant: no two of them have decorations for
//! the same file, and none has any for a text that has changed.

use std::sync::Arc;

use super::Session;
use crate::runs::Ran;

impl Session {
    /// Shows a run, which replaces those with the same files. A run whose texts have changed is not shown.
    pub(super) fn ran(&mut self, ran: Ran) {
        let is_current = ran.files.iter().all(|file| {
            let open = self.documents.get(&file.uri);
            open.map(|open| open.document.version) == file.version
        });
        if !is_current {
            return;
        }
        // The client paints the files of the new run again. The other files of the replaced runs are cleared.
        self.forget_runs(|other| other.meets(&ran));
        self.editor.simulated(&ran);
        self.view.ran.push(Arc::new(ran));
        self.stale.is_other = true;
    }

    /// Removes the runs for which `is_meant` returns true, and clears their decorations in the client.
    pub(super) fn forget_runs(&mut self, is_meant: impl Fn(&Ran) -> bool) {
        let (gone, stay): (Vec<_>, Vec<_>) = self.view.ran.drain(..).partition(|ran| is_meant(ran));
        self.view.ran = stay;
        for ran in &gone {
            self.editor.simulated(&ran.cleared());
            self.stale.is_other = true;
        }
    }
}
