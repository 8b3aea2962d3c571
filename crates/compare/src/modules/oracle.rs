//! The packages as an oracle for modules: Node loads each module, as `nodewise import` does.
//!
//! Input: a folder of modules. Output: what each builds, as JSON without places that depend on the machine. Invariant: modules
//! of the repository are copied beside the installed packages, because Node searches packages from the module upward.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use nodewise_live::modules::answer::ModuleAnswer;
use nodewise_live::modules::declarations::numbered_declarations;
use nodewise_live::modules::{Loading, is_module};
use nodewise_live::tools::NoNotes;
use serde_json::{Value, json};
use xtask::installs::{node, npm_packages};

/// The list of packages.
const MANIFEST: &str = "tests/oracles/modules/package.json";
const INSTALLED: &str = "target/oracle/modules";
/// The folder for copies of the repository's modules, next to the packages.
const COPIES: &str = "modules";
/// The maximum time for a module.
const LIMIT: Duration = Duration::from_secs(60);
/// The maximum length of a recorded text that is not in the module, in bytes. Longer ones are texts of the package.
const LONGEST_TEXT: usize = 120;
/// Folders without modules of the project.
const LEFT_OUT: [&str; 2] = ["node_modules", ".git"];
/// Environment variables that the examples of the packages require. No request is sent, so their values do not matter.
const VARIABLES: [&str; 2] = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"];

/// Node with the packages.
pub(super) struct Installed {
    node: PathBuf,
    folder: PathBuf,
}

/// Installs what is missing.
pub(super) fn install(root: &Path) -> Result<Installed> {
    let folder = root.join(INSTALLED);
    npm_packages(&folder, &std::fs::read_to_string(root.join(MANIFEST))?)?;
    Ok(Installed { node: node(root)?, folder })
}

/// The modules below a folder, by their paths in it, sorted.
pub(super) fn modules(folder: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in std::fs::read_dir(&inner).with_context(|| inner.display().to_string())? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() && !LEFT_OUT.contains(&name.as_str()) {
                folders.push(path);
            } else if path.is_file() && is_module(&path) {
                found.push(path.strip_prefix(folder)?.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.sort();
    Ok(found)
}

impl Installed {
    /// Copies the modules of a folder to a place next to the packages.
    pub(super) fn copied(&self, from: &Path) -> Result<PathBuf> {
        let to = self.folder.join(COPIES);
        if to.exists() {
            std::fs::remove_dir_all(&to)?;
        }
        for path in modules(from)? {
            let copy = to.join(&path);
            std::fs::create_dir_all(copy.parent().unwrap_or(&to))?;
            std::fs::copy(from.join(&path), copy)?;
        }
        Ok(to)
    }

    /// What a module builds. If `is_recorded`, the answer is stored in the repository, so the texts of the package are
    /// removed.
    pub(super) fn ask(&self, folder: &Path, path: &str, is_recorded: bool) -> Result<Value> {
        let loading = Loading {
            node: self.node.clone(),
            module: folder.join(path),
            folder: folder.to_owned(),
            variables: VARIABLES.map(str::to_owned).to_vec(),
            calls: Vec::new(),
            limit: LIMIT,
        };
        let built = match loading.ask(Arc::new(NoNotes)) {
            Ok(built) => built,
            Err(error) => {
                return Ok(json!({"declarations": [], "fault": format!("{error:#}"), "stopped": null}));
            }
        };
        Ok(answer(&loading, &built, is_recorded))
    }
}

/// A value in which each text of the package is replaced with its length.
fn without_own_texts(value: Value, module: &str) -> Value {
    match value {
        Value::String(text) if text.len() > LONGEST_TEXT && !module.contains(&text) => {
            Value::from(format!("{} characters", text.chars().count()))
        }
        Value::Array(items) => items.into_iter().map(|item| without_own_texts(item, module)).collect(),
        Value::Object(members) => {
            let members = members.into_iter().map(|(key, value)| (key, without_own_texts(value, module)));
            Value::Object(members.collect())
        }
        value => value,
    }
}

fn answer(loading: &Loading, built: &ModuleAnswer, is_recorded: bool) -> Value {
    let text = std::fs::read_to_string(&loading.module).unwrap_or_default();
    let declarations = numbered_declarations(built).into_iter().map(|declaration| {
        let here = declaration.place.as_ref().filter(|place| Path::new(&place.file) == loading.module);
        let value = declaration.value;
        let value = if is_recorded { without_own_texts(value, &text) } else { value };
        let is_elsewhere = declaration.place.is_some() && here.is_none();
        json!({
            "system": declaration.dialect.id,
            "kind": declaration.kind.name,
            "builder": declaration.builder,
            "line": here.and_then(|place| place.line),
            "is_elsewhere": is_elsewhere,
            "exports": declaration.exports,
            "value": value,
        })
    });
    let fault = built.fault.as_ref().map(|fault| format!("{}: {}", fault.name, fault.message));
    json!({
        "declarations": declarations.collect::<Vec<Value>>(),
        "fault": fault,
        "stopped": built.stopped.as_ref().map(|stopped| &stopped.what),
    })
}
