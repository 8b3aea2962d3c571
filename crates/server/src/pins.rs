//! The nodes whose outputs are pinned, as lenses show them.
//!
//! Input: a file of a project, a node. Output: the run whose output is pinned. Invariant: only the user's own file of pins is read.

use crate::view::ProjectView;

#[derive(Debug, Default)]
pub(crate) struct FilePins {
    #[cfg(feature = "live")]
    pins: Vec<nodewise_live::pins::SavedPin>,
}

impl FilePins {
    /// The pins of a file. If they cannot be read, there are none.
    #[cfg(feature = "live")]
    pub(crate) fn of(project: &ProjectView, path: &str) -> FilePins {
        let Some(folder) = &project.root else { return FilePins::default() };
        let pins = nodewise_live::pins::SavedPins::of_user().and_then(|pins| pins.of_folder(folder));
        let mut pins = pins.unwrap_or_default();
        pins.retain(|pin| pin.file == path);
        FilePins { pins }
    }

    /// Without live runs there are none.
    #[cfg(not(feature = "live"))]
    pub(crate) fn of(_project: &ProjectView, _path: &str) -> FilePins {
        FilePins::default()
    }

    /// The run whose output of a node is pinned.
    #[cfg(feature = "live")]
    pub(crate) fn run_of(&self, graph: Option<&str>, node: &str) -> Option<&str> {
        let pin = self.pins.iter().find(|pin| pin.is_of(&pin.file, graph, Some(node)))?;
        Some(&pin.pin.run)
    }

    /// Without live runs there is none.
    #[cfg(not(feature = "live"))]
    pub(crate) fn run_of(&self, _graph: Option<&str>, _node: &str) -> Option<&str> {
        None
    }
}
