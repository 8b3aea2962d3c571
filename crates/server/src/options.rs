//! What the user's editor is configured to want, under the section `nodewise`.
//!
//! Input: JSON from the client. Output: options. Invariant: a value of the wrong type counts as absent, so that one
//! bad setting does not switch the others off.

use nodewise_ide::inlay;
use serde_json::Value;

/// What the user wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Which files have their diagnostics shown.
    pub diagnostics: Shown,
    /// Whether hints are shown, too.
    pub hints: bool,
    /// Whether renaming changes comments, too.
    pub rename_comments: bool,
    /// Which inlay hints are shown.
    pub inlays: inlay::Options,
}

/// Which files have their diagnostics shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// Those of open documents.
    Open,
    /// Those of every file of the workspace.
    Workspace,
}

/// The section of the editor's settings.
pub(crate) const SECTION: &str = "nodewise";

impl Default for Options {
    fn default() -> Options {
        Options {
            diagnostics: Shown::Open,
            hints: true,
            rename_comments: false,
            inlays: inlay::Options::default(),
        }
    }
}

impl Options {
    /// Reads the section's value; some clients wrap it in an object with the section's name.
    #[must_use]
    pub fn read(value: &Value) -> Options {
        let section = value.get(SECTION).unwrap_or(value);
        let defaults = Options::default();
        let diagnostics = match section.get("diagnostics").and_then(Value::as_str) {
            Some("open") => Shown::Open,
            Some("workspace") => Shown::Workspace,
            _ => defaults.diagnostics,
        };
        let flag = |name: &str, default| section.get(name).and_then(Value::as_bool).unwrap_or(default);
        Options {
            diagnostics,
            hints: flag("hints", defaults.hints),
            rename_comments: flag("renameComments", defaults.rename_comments),
            inlays: section.get("inlayHints").map(inlays).unwrap_or(defaults.inlays),
        }
    }
}

/// Each sort of inlay hints is off unless it is wanted.
fn inlays(section: &Value) -> inlay::Options {
    let is_on = |sort: &str| section.get(sort).and_then(Value::as_bool).unwrap_or(false);
    inlay::Options {
        defaults: is_on("defaults"),
        grants: is_on("grants"),
        types: is_on("expressionTypes"),
        kinds: is_on("kinds"),
        overlays: is_on("overlays"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Options, Shown};
    use serde_json::json;

    #[test]
    fn values_are_read_one_by_one() {
        let read = |value| Options::read(&value);
        assert_eq!(
            read(json!({"diagnostics": "workspace"})),
            Options { diagnostics: Shown::Workspace, ..Options::default() }
        );
        assert_eq!(
            read(json!({"nodewise": {"hints": false}})),
            Options { hints: false, ..Options::default() }
        );
        let inlays = read(json!({"inlayHints": {"kinds": true, "expressionTypes": 1}})).inlays;
        assert_eq!((inlays.kinds, inlays.types, inlays.defaults), (true, false, false));
        assert_eq!(read(json!({"diagnostics": 1, "hints": "no"})), Options::default());
        assert_eq!(read(json!(null)), Options::default());
    }
}
