//! The manifest of the VS Code extension, with the settings of the server, the keys of debug configurations, and the packages
//! that start it.
//!
//! Input is the committed manifest, and the lists of settings and keys. Output is the manifest with the lists in it.
//! Invariant: everything else in the manifest stays the same.

use nodewise_dialect::tables::DIALECTS;
use nodewise_project::debug_configuration::{DebugRequest, attributes};
use nodewise_project::editor_settings::SETTINGS;
use serde_json::{Map, Value, json};

use super::GeneratedFile;

const PATH: &str = "editors/vscode/package.json";
const MANIFEST: &str = include_str!("../../../../editors/vscode/package.json");
/// The first group has the server's settings. The others have those of the extension.
const PROPERTIES: &str = "/contributes/configuration/0/properties";
/// The events that start the extension.
const EVENTS: &str = "/activationEvents";
/// The beginning of an event for an installed package. The path has no wildcard, so VS Code does not search for it.
const PACKAGE_EVENT: &str = "workspaceContains:node_modules/";
/// The keys of debug configurations.
const ATTRIBUTES: &str = "/contributes/debuggers/0/configurationAttributes";

pub(super) fn files() -> Vec<GeneratedFile> {
    vec![GeneratedFile { path: PATH.to_owned(), text: with_settings(MANIFEST) }]
}

/// The events that start the extension for a folder with a package whose builders modules import.
fn package_events() -> impl Iterator<Item = String> {
    let packages =
        DIALECTS.iter().filter_map(|dialect| dialect.builders).flat_map(|builders| builders.packages);
    packages.map(|package| format!("{PACKAGE_EVENT}{package}/package.json"))
}

/// A manifest without the group does not change. The tests of the extension check the settings.
fn with_settings(manifest: &str) -> String {
    let Ok(mut value) = serde_json::from_str::<Value>(manifest) else { return manifest.to_owned() };
    if let Some(properties) = value.pointer_mut(PROPERTIES) {
        let settings = SETTINGS.iter().enumerate().map(|(order, setting)| {
            let mut schema = setting.schema();
            schema["order"] = Value::from(order);
            (format!("nodewise.{}", setting.name), schema)
        });
        *properties = Value::Object(settings.collect::<Map<String, Value>>());
    }
    if let Some(events) = value.pointer_mut(EVENTS).and_then(Value::as_array_mut) {
        let is_of_package =
            |event: &Value| event.as_str().is_some_and(|event| event.starts_with(PACKAGE_EVENT));
        events.retain(|event| !is_of_package(event));
        events.extend(package_events().map(Value::from));
    }
    if let Some(found) = value.pointer_mut(ATTRIBUTES) {
        *found = json!({
            "launch": attributes(DebugRequest::Launch), "attach": attributes(DebugRequest::Attach),
        });
    }
    format!("{value:#}\n")
}

#[cfg(test)]
mod tests {
    use super::with_settings;

    #[test]
    fn settings_are_put_in_and_the_rest_stays() {
        let manifest = r#"{"name": "x", "activationEvents": ["onLanguage:yaml", "workspaceContains:node_modules/old/package.json"], "contributes": {"configuration": [{"properties": {"nodewise.old": {}}}, {"title": "own"}]}}"#;
        let text = with_settings(manifest);
        assert!(
            text.contains("\"nodewise.diagnostics\": {\n") && text.contains("\"title\": \"own\""),
            "{text}"
        );
        assert!(!text.contains("nodewise.old") && !text.contains("node_modules/old"));
        assert!(
            text.contains("onLanguage:yaml") && text.contains("workspaceContains:node_modules/@"),
            "{text}"
        );
        assert_eq!(with_settings(&text), text);
    }
}
