//! The nodes whose outputs are pinned, until the server ends.
//!
//! Input: pins of the user. Output: what is pinned of a file, and what live runs in a folder take. Invariant: a node of a file has
//! at most one pin, and nothing on disk changes.

#[cfg(feature = "live")]
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[cfg(feature = "live")]
use nodewise_live::pins::PinnedNode;

/// The pinned nodes.
#[derive(Debug, Default)]
pub(crate) struct PinIndex {
    pins: Mutex<Vec<Pin>>,
}

/// A pinned node.
#[derive(Debug)]
pub(crate) struct Pin {
    /// The file.
    pub(crate) uri: String,
    /// The node.
    pub(crate) node: String,
    /// The run whose output is pinned.
    pub(crate) run: String,
    /// The folder of the project.
    #[cfg(feature = "live")]
    pub(crate) folder: PathBuf,
    /// What is pinned.
    #[cfg(feature = "live")]
    pub(crate) output: PinnedNode,
}

impl PinIndex {
    /// Pins a node, in the place of an earlier pin.
    #[cfg(feature = "live")]
    pub(crate) fn put(&self, pin: Pin) {
        let mut pins = self.lock();
        pins.retain(|known| known.uri != pin.uri || known.node != pin.node);
        pins.push(pin);
    }

    /// Removes the pin of a node, or all pins of a file; how many there were.
    #[cfg(feature = "live")]
    pub(crate) fn remove(&self, uri: &str, node: Option<&str>) -> usize {
        let mut pins = self.lock();
        let before = pins.len();
        pins.retain(|known| known.uri != uri || node.is_some_and(|node| known.node != node));
        before - pins.len()
    }

    /// The run whose output of a node is pinned.
    pub(crate) fn run_of(&self, uri: &str, node: &str) -> Option<String> {
        let pins = self.lock();
        pins.iter().find(|pin| pin.uri == uri && pin.node == node).map(|pin| pin.run.clone())
    }

    /// What live runs in a folder take.
    #[cfg(feature = "live")]
    pub(crate) fn of_folder(&self, folder: &Path) -> Vec<PinnedNode> {
        self.lock().iter().filter(|pin| pin.folder == folder).map(|pin| pin.output.clone()).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Pin>> {
        self.pins.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
