//! The settings of the user's editor, in the section `nodewise`.
//!
//! Input: JSON from the client. Output: options. Invariant: a value of the wrong type is ignored, so one bad setting
//! does not disable the others.

use nodewise_ide::inlay;
use nodewise_ide::lenses::LensSettings;
use serde_json::Value;

/// The user's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UserSettings {
    /// The files whose diagnostics are shown.
    pub diagnostics: DiagnosticsScope,
    /// Whether findings of severity hint are shown.
    pub hints: bool,
    /// Whether renaming also changes comments.
    pub rename_comments: bool,
    /// Which lenses are shown, besides those for requests.
    pub lenses: LensSettings,
    /// Whether nodes have a lens for what they would send to their models.
    pub request_lenses: bool,
    /// Which inlay hints are shown.
    pub inlays: inlay::InlayHintSettings,
}

/// The files whose diagnostics are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiagnosticsScope {
    /// Open documents.
    Open,
    /// Every file of the workspace.
    Workspace,
}

/// The section in the editor's settings.
pub(crate) const SECTION: &str = "nodewise";

impl Default for UserSettings {
    fn default() -> UserSettings {
        UserSettings {
            diagnostics: DiagnosticsScope::Open,
            hints: true,
            rename_comments: false,
            lenses: LensSettings::ALL,
            request_lenses: false,
            inlays: inlay::InlayHintSettings::default(),
        }
    }
}

impl UserSettings {
    /// Reads the value of the section. Some clients wrap it in an object with the section's name.
    #[must_use]
    pub fn read(value: &Value) -> UserSettings {
        let section = value.get(SECTION).unwrap_or(value);
        let defaults = UserSettings::default();
        let diagnostics = match section.get("diagnostics").and_then(Value::as_str) {
            Some("open") => DiagnosticsScope::Open,
            Some("workspace") => DiagnosticsScope::Workspace,
            _ => defaults.diagnostics,
        };
        let flag = |name: &str, default| section.get(name).and_then(Value::as_bool).unwrap_or(default);
        let of_lenses = section.get("codeLens");
        let lens = |name: &str, default| {
            of_lenses.and_then(|lenses| lenses.get(name)).and_then(Value::as_bool).unwrap_or(default)
        };
        UserSettings {
            diagnostics,
            hints: flag("hints", defaults.hints),
            rename_comments: flag("renameComments", defaults.rename_comments),
            lenses: LensSettings {
                simulate: lens("simulate", defaults.lenses.simulate),
                run_node: lens("runNode", defaults.lenses.run_node),
                run_live: lens("runNodeLive", defaults.lenses.run_live),
                scenarios: lens("scenarios", defaults.lenses.scenarios),
                references: lens("references", defaults.lenses.references),
            },
            request_lenses: lens("request", defaults.request_lenses),
            inlays: section.get("inlayHints").map(inlays).unwrap_or(defaults.inlays),
        }
    }
}

/// Each kind of inlay hint is off by default.
fn inlays(section: &Value) -> inlay::InlayHintSettings {
    let is_on = |sort: &str| section.get(sort).and_then(Value::as_bool).unwrap_or(false);
    inlay::InlayHintSettings {
        defaults: is_on("defaults"),
        grants: is_on("grants"),
        types: is_on("expressionTypes"),
        kinds: is_on("kinds"),
        overlays: is_on("overlays"),
    }
}

#[cfg(test)]
mod tests {
    use nodewise_project::editor_settings::{EditorSetting, SETTINGS, Values};
    use serde_json::{Map, Value, json};

    use super::{DiagnosticsScope, UserSettings};

    const DOCUMENTATION: &str = include_str!("../../../docs/editors.md");

    #[test]
    fn values_are_read_one_by_one() {
        let read = |value| UserSettings::read(&value);
        assert_eq!(
            read(json!({"diagnostics": "workspace"})),
            UserSettings { diagnostics: DiagnosticsScope::Workspace, ..UserSettings::default() }
        );
        assert_eq!(
            read(json!({"nodewise": {"hints": false}})),
            UserSettings { hints: false, ..UserSettings::default() }
        );
        let inlays = read(json!({"inlayHints": {"kinds": true, "expressionTypes": 1}})).inlays;
        assert_eq!((inlays.kinds, inlays.types, inlays.defaults), (true, false, false));
        assert_eq!(read(json!({"diagnostics": 1, "hints": "no"})), UserSettings::default());
        assert_eq!(read(json!(null)), UserSettings::default());
    }

    /// The section with one setting.
    fn section(setting: &EditorSetting, value: Value) -> Value {
        let nested = |value: Value, name: &str| Value::Object(Map::from_iter([(name.to_owned(), value)]));
        setting.name.rsplit('.').fold(value, nested)
    }

    fn values(setting: &EditorSetting) -> Vec<Value> {
        match setting.values {
            Values::Flag(default) => vec![json!(default), json!(!default)],
            Values::Choice(words) => words.iter().map(|(word, _)| json!(word)).collect(),
        }
    }

    #[test]
    fn every_setting_is_read_with_the_default_that_it_names() {
        for setting in SETTINGS {
            let read = |value| UserSettings::read(&section(setting, value));
            let mut values = values(setting).into_iter();
            assert_eq!(values.next().map(read), Some(UserSettings::default()), "{}", setting.name);
            for other in values {
                assert_ne!(read(other), UserSettings::default(), "{}", setting.name);
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
