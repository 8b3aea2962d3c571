//! A folder with an agent: its declarations as the releases load them, and the results of the functions in its modules.
//!
//! Input is files. Output is declarations in load order, and results by dotted path. Invariant: a file that is not
//! valid YAML gives no declaration, as in the releases.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use nodewise_analysis::facts::FileFacts;
use nodewise_analysis::settings::{Pin, Settings};
use nodewise_dialect::tables::liman::LIMAN;
use nodewise_engine::systems::liman::LimanProfile;
use nodewise_model::{Declaration, SourceId};
use serde_json::Value;

use super::refused::{Refused, refused};

pub(crate) struct Agent {
    /// The files, each with the documents that loaders reject.
    files: Vec<(FileFacts, Vec<Refused>)>,
    /// The results of functions. `None` for a function that raises.
    pub(crate) functions: BTreeMap<String, Option<Value>>,
}

impl Agent {
    /// Reads the files below a folder.
    pub(super) fn read(folder: &Path) -> Result<Agent> {
        let mut texts = Vec::new();
        for entry in ignore::WalkBuilder::new(folder).standard_filters(false).build() {
            let entry = entry?;
            if entry.file_type().is_some_and(|kind| kind.is_file()) {
                let text = std::fs::read_to_string(entry.path());
                let text = text.with_context(|| entry.path().display().to_string())?;
                let path = entry.path().strip_prefix(folder)?.to_string_lossy().into_owned();
                texts.push((path, text));
            }
        }
        Ok(Agent::of(texts))
    }

    /// An agent with these files, each a path and a text.
    pub(crate) fn of(mut texts: Vec<(String, String)>) -> Agent {
        texts.sort_by(|(one, _), (other, _)| one.split('/').cmp(other.split('/')));
        let settings = Arc::new(Settings { dialect: Pin::Dialect(LIMAN.id), ..Settings::default() });
        let mut agent = Agent { files: Vec::new(), functions: BTreeMap::new() };
        for (path, text) in texts {
            if let Some(module) = path.strip_suffix(".py") {
                agent.functions.extend(functions(&module.replace('/', "."), &text));
            } else if path.ends_with(".yaml") || path.ends_with(".yml") {
                let source = SourceId(u32::try_from(agent.files.len()).unwrap_or(u32::MAX));
                let refused = refused(&path, &text, &settings);
                agent
                    .files
                    .push((FileFacts::new(source, path.into(), text.into(), settings.clone()), refused));
            }
        }
        agent
    }

    /// The declarations that a line loads. Overlays are not applied, because the releases do not know them.
    pub(super) fn declarations(&self, profile: LimanProfile) -> impl Iterator<Item = &Declaration> {
        let files = self.files.iter().filter(|(file, _)| file.problems.is_empty());
        let loaded = files.flat_map(move |(file, refused)| {
            let is_refused =
                move |place| refused.iter().any(|refused| refused.document == place && refused.by(profile));
            file.documents.iter().filter(move |document| !is_refused(document.range.range))
        });
        loaded.filter_map(|document| document.effective.as_ref()?.declaration.as_ref())
    }
}

/// The functions of a module that return a constant, or a variable with a constant, and those that raise. A function
/// with required arguments raises when a condition calls it.
fn functions(module: &str, text: &str) -> Vec<(String, Option<Value>)> {
    let mut found = Vec::new();
    let mut open: Option<&str> = None;
    let mut constants: BTreeMap<&str, Option<Value>> = BTreeMap::new();
    for line in text.lines() {
        let mut statement = line.trim();
        if let Some(definition) = line.strip_prefix("def ").or_else(|| line.strip_prefix("async def ")) {
            let Some((head, body)) = definition.split_once(':') else { continue };
            let (name, parameters) = head.split_once('(').unwrap_or((head, ""));
            let parameters = parameters.split(')').next().unwrap_or_default().split(',').map(str::trim);
            let is_wanted = |one: &str| !(one.is_empty() || one.contains('=') || one.starts_with('*'));
            open = Some(name.trim());
            if parameters.into_iter().any(is_wanted) {
                found.push((format!("{module}.{name}"), None));
                open = None;
            }
            statement = body.trim();
        }
        if let Some((name, value)) = statement.split_once(" = ")
            && let Some(value) = constant(value)
        {
            constants.insert(name, value);
        }
        let result = match (statement.strip_prefix("return"), statement.starts_with("raise")) {
            (Some(value), _) => {
                let value = value.trim();
                constants.get(value).cloned().or_else(|| constant(value))
            }
            (None, true) => Some(None),
            (None, false) => continue,
        };
        if let (Some(name), Some(result)) = (open.take(), result) {
            found.push((format!("{module}.{name}"), result));
        }
    }
    found
}

/// A constant of Python. `None` if it is not a constant.
fn constant(text: &str) -> Option<Option<Value>> {
    let value = match text {
        "" | "None" => Value::Null,
        "True" => Value::Bool(true),
        "False" => Value::Bool(false),
        "()" => Value::Array(Vec::new()),
        text => {
            let quoted = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\''));
            match quoted {
                Some(inner) => Value::from(inner.replace("\\'", "'")),
                None => serde_json::from_str(text).ok()?,
            }
        }
    };
    Some(Some(value))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::functions;

    #[test]
    fn functions_give_their_constants() {
        let text = "import os\n\ndef one():\n    \"\"\"doc\"\"\"\n    return 1\n\ndef no():\n    return ''\n\n\
                    def bad():\n    raise ValueError('x')\n\ndef other():\n    return os.name\n";
        let expected = [
            ("rules.one".to_owned(), Some(json!(1))),
            ("rules.no".to_owned(), Some(json!(""))),
            ("rules.bad".to_owned(), None),
        ];
        assert_eq!(functions("rules", text), expected);
    }
}
