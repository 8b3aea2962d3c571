//! The settings of the user's editor, in the section `nodewise`.
//!
//! Input: JSON from the client. Output: options. Invariant: a value of the wrong type is ignored, so one bad setting
//! does not disable the others.

use nodewise_ide::inlay;
use serde_json::Value;

/// The user's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The files whose diagnostics are shown.
    pub diagnostics: Shown,
    /// Whether findings of severity hint are shown.
    pub hints: bool,
    /// Whether renaming also changes comments.
    pub rename_comments: bool,
    /// Which inlay hints are shown.
    pub inlays: inlay::Options,
}

/// The files whose diagnostics are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// Open documents.
    Open,
    /// Every file of the workspace.
    Workspace,
}

/// The section in the editor's settings.
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
    /// Reads the value of the section. Some clients wrap it in an object with the section's name.
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

/// Each kind of inlay hint is off by default.
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
    use nodewise_project::editor_settings::{SETTINGS, Setting, Values};
    use serde_json::{Map, Value, json};

    use super::{Options, Shown};

    const DOCUMENTATION: &str = include_str!("../../../docs/editors.md");

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

    /// The section with one setting.
    fn section(setting: &Setting, value: Value) -> Value {
        let nested = |value: Value, name: &str| Value::Object(Map::from_iter([(name.to_owned(), value)]));
        setting.name.rsplit('.').fold(value, nested)
    }

    fn values(setting: &Setting) -> Vec<Value> {
        match setting.values {
            Values::Flag(default) => vec![json!(default), json!(!default)],
            Values::Choice(words) => words.iter().map(|(word, _)| json!(word)).collect(),
        }
    }

    #[test]
    fn every_setting_is_read_with_the_default_that_it_names() {
        for setting in SETTINGS {
            let read = |value| Options::read(&section(setting, value));
            let mut values = values(setting).into_iter();
            assert_eq!(values.next().map(read), Some(Options::default()), "{}", setting.name);
            for other in values {
                assert_ne!(read(other), Options::default(), "{}", setting.name);
            }
        }
    }

    #[test]
    fn the_documentation_lists_exactly_these() {
        let section = DOCUMENTATION.split("## Settings").nth(1).unwrap_or_default();
        let table = section.split("\n## ").next().unwrap_or_default();
        let documented: Vec<&str> =
            table.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
        let names: Vec<&str> = SETTINGS.iter().map(|setting| setting.name).collect();
        assert_eq!(documented, names);
    }
}
