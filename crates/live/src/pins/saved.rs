//! The pins of a user, by project: they hold until the user removes them.
//!
//! Input: pins; output: what is pinned in a project. Invariant: pins are kept beside the user's other state, so no project brings its
//! own, and nothing but the file of pins is opened to read them.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::state_file::{self, name_of};
use crate::store::NodePin;

/// The pins of this user, in a file in the user's folder for state.
#[derive(Debug, Clone)]
pub struct SavedPins {
    file: PathBuf,
}

/// A pin of one project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedPin {
    /// The file that declares the node, as a path in the project.
    pub file: String,
    /// The node, and the run that has its output.
    #[serde(flatten)]
    pub pin: NodePin,
}

#[derive(Debug, Serialize, Deserialize)]
struct Content {
    version: u32,
    /// The pins by the project's folder.
    folders: BTreeMap<String, Vec<SavedPin>>,
}

/// The version of the file. A file of another version counts as empty.
const VERSION: u32 = 1;
const FILE: &str = "pins.json";
/// What the file stores, for errors.
const STORED: &str = "pinned outputs";

impl SavedPins {
    /// The pins of this user.
    ///
    /// # Errors
    /// Where the user has no folder for state.
    pub fn of_user() -> Result<SavedPins> {
        Ok(SavedPins { file: state_file::folder(STORED)?.join(FILE) })
    }

    /// The pins of a project.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub fn of_folder(&self, folder: &Path) -> Result<Vec<SavedPin>> {
        let name = name_of(folder)?;
        Ok(self.read()?.folders.remove(&name).unwrap_or_default())
    }

    /// Pins a node of a project. An earlier pin of the node is replaced.
    ///
    /// # Errors
    /// Where the file cannot be read or written.
    pub fn put(&self, folder: &Path, pin: SavedPin) -> Result<()> {
        let _lock = state_file::lock(&self.file, STORED)?;
        let mut content = self.read()?;
        let pins = content.folders.entry(name_of(folder)?).or_default();
        pins.retain(|known| !known.is_of(&pin.file, pin.pin.graph.as_deref(), Some(&pin.pin.node)));
        pins.push(pin);
        self.write(&content)
    }

    /// Removes the pin of a node, or all pins of a file. Returns how many pins were removed.
    ///
    /// # Errors
    /// Where the file cannot be read or written.
    pub fn remove(
        &self,
        folder: &Path,
        file: &str,
        graph: Option<&str>,
        node: Option<&str>,
    ) -> Result<usize> {
        let _lock = state_file::lock(&self.file, STORED)?;
        let mut content = self.read()?;
        let name = name_of(folder)?;
        let Some(pins) = content.folders.get_mut(&name) else { return Ok(0) };
        let before = pins.len();
        pins.retain(|known| !known.is_of(file, graph, node));
        let removed = before - pins.len();
        if pins.is_empty() {
            content.folders.remove(&name);
        }
        if removed > 0 {
            self.write(&content)?;
        }
        Ok(removed)
    }

    fn read(&self) -> Result<Content> {
        let none = Content { version: VERSION, folders: BTreeMap::new() };
        let text = match std::fs::read_to_string(&self.file) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(none),
            Err(error) => {
                return Err(error).with_context(|| format!("`{}` cannot be read", self.file.display()));
            }
        };
        let content = serde_json::from_str(&text).ok().filter(|content: &Content| content.version == VERSION);
        Ok(content.unwrap_or(none))
    }

    fn write(&self, content: &Content) -> Result<()> {
        state_file::replace(&self.file, &serde_json::to_string_pretty(content)?, STORED)
    }
}

impl SavedPin {
    /// Whether the pin is of this file, graph and node. A graph or node that is `None` fits each.
    #[must_use]
    pub fn is_of(&self, file: &str, graph: Option<&str>, node: Option<&str>) -> bool {
        let is_graph = match (&self.pin.graph, graph) {
            (Some(own), Some(other)) => own == other,
            _ => true,
        };
        self.file == file && is_graph && node.is_none_or(|node| self.pin.node == node)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    fn pin(file: &str, graph: Option<&str>, node: &str, run: &str) -> SavedPin {
        let pin = NodePin { graph: graph.map(str::to_owned), node: node.to_owned(), run: run.to_owned() };
        SavedPin { file: file.to_owned(), pin }
    }

    #[test]
    fn pins_hold_until_they_are_removed() {
        let folder = std::env::temp_dir().join(format!("nodewise-pins-{}", std::process::id()));
        let (project, other) = (folder.join("project"), folder.join("other"));
        [&project, &other].iter().for_each(|path| std::fs::create_dir_all(path).unwrap());
        let pins = SavedPins { file: folder.join("state/pins.json") };
        let shown = |project: &Path| {
            let pins = pins.of_folder(project).unwrap().into_iter();
            let shown = |SavedPin { file, pin }: SavedPin| {
                format!("{file} {}/{} {}", pin.graph.unwrap_or_default(), pin.node, pin.run)
            };
            pins.map(shown).collect::<Vec<_>>()
        };
        assert!(shown(&project).is_empty());
        for pin in [
            pin("a.yaml", Some("one"), "write", "r1"),
            pin("a.yaml", Some("two"), "write", "r2"),
            pin("b.yaml", None, "write", "r3"),
            pin("a.yaml", Some("one"), "write", "r4"),
            pin("a.yaml", Some("one"), "look", "r5"),
        ] {
            pins.put(&project.join("."), pin).unwrap();
        }
        let all = ["a.yaml two/write r2", "b.yaml /write r3", "a.yaml one/write r4", "a.yaml one/look r5"];
        assert_eq!(shown(&project), all);
        assert!(shown(&other).is_empty());
        assert_eq!(pins.remove(&other, "a.yaml", None, None).unwrap(), 0);
        assert_eq!(pins.remove(&project, "a.yaml", Some("two"), Some("write")).unwrap(), 1);
        assert_eq!(pins.remove(&project, "a.yaml", None, None).unwrap(), 2);
        assert_eq!(shown(&project), ["b.yaml /write r3"]);
        // What cannot be read pins nothing, and is not kept.
        std::fs::write(&pins.file, "{").unwrap();
        assert!(shown(&project).is_empty());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn changes_at_one_time_are_all_kept() {
        let folder = std::env::temp_dir().join(format!("nodewise-pins-at-one-time-{}", std::process::id()));
        let project = folder.join("project");
        std::fs::create_dir_all(&project).unwrap();
        let pins = SavedPins { file: folder.join("state/pins.json") };
        std::thread::scope(|scope| {
            for number in 0..16 {
                let (pins, project) = (&pins, &project);
                let node = format!("node-{number}");
                scope.spawn(move || pins.put(project, pin("a.yaml", None, &node, "run")).unwrap());
            }
        });
        assert_eq!(pins.of_folder(&project).unwrap().len(), 16);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
