//! What the user allowed live runs of a project to start and to call.
//!
//! Input: a plan of what a run would do; output: whether all of it was allowed, and what was not. Invariant: what was allowed is
//! kept beside the user's other state, never in the project, and only what is in the record word by word counts as allowed.

#![allow(clippy::disallowed_methods, reason = "what was allowed is kept in a file")]

mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

pub use self::text::one_line;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::state_file::{self, name_of};
use crate::store::Moment;

/// Everything that a live run would start, call or read from outside, for the user to allow.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Plan {
    /// The parts, each once, in the order in which they are compared.
    parts: BTreeSet<Part>,
    /// The former values of settings and files that changed since they were allowed, by name.
    #[serde(skip)]
    former: BTreeMap<String, String>,
    /// Whether the earlier permission comes from a version that did not check settings and files.
    #[serde(skip)]
    is_outdated: bool,
}

/// One thing that a live run needs permission for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// A command that the run starts.
    Command {
        /// A description, such as "MCP server `files`".
        what: String,
        /// The program and its arguments.
        command: Vec<String>,
        /// The variables of the environment that it gets besides the essential ones.
        variables: Vec<String>,
    },
    /// An address that the run calls.
    Address {
        /// A description, such as "models of `openai`".
        what: String,
        url: String,
        /// The variable of the environment with the key that is sent there.
        key: Option<String>,
        /// The headers that are sent there: by name, where the value comes from.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        headers: BTreeMap<String, String>,
    },
    /// A Python function that the run calls, as a dotted path.
    Function(String),
    /// A setting that decides which programs are found, or what is sent.
    Setting { name: String, value: String },
    /// A program or a file of the project that the run starts, imports or reads.
    File {
        /// The path in the project.
        path: String,
        /// The SHA-256 of its content.
        sha256: String,
    },
}

/// The permissions of this user, in a file in the user's folder for state.
#[derive(Debug, Clone)]
pub struct Trust {
    file: PathBuf,
}

/// The content of the file.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Allowed {
    version: u32,
    /// The permissions by the project's folder.
    folders: BTreeMap<String, Permission>,
}

/// What the user allowed for one project.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Permission {
    /// When the user allowed something last, in milliseconds since 1970.
    pub when: i64,
    /// Everything that the user allowed.
    #[serde(rename = "allowed")]
    pub parts: BTreeSet<Part>,
}

/// The version of the file. A file of another version allows nothing, so the user is asked again.
const VERSION: u32 = 2;
const FILE: &str = "trust.json";
/// What the file stores, for errors.
const STORED: &str = "what you allow";

impl Plan {
    /// A plan with these parts.
    #[must_use]
    pub fn of(parts: impl IntoIterator<Item = Part>) -> Plan {
        Plan { parts: parts.into_iter().collect(), ..Plan::default() }
    }

    /// Adds a part.
    pub fn add(&mut self, part: Part) {
        self.parts.insert(part);
    }

    /// The parts: commands first, then addresses, functions, settings and files.
    pub fn parts(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter()
    }

    /// The parts that are not in the plan `allowed`, word by word.
    #[must_use]
    pub fn beyond(&self, allowed: &Plan) -> Plan {
        Plan::of(self.parts.iter().filter(|part| !allowed.parts.contains(*part)).cloned())
    }

    /// Reads a plan from JSON, as `nodewise run --dry-run --format json` writes it.
    ///
    /// # Errors
    /// Where the text is not a plan.
    pub fn read(json: &str) -> Result<Plan> {
        let parts: Vec<Part> = serde_json::from_str(json)?;
        Ok(Plan::of(parts))
    }

    /// Whether the run needs no permission.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The plan for people. Commands come last, followed by a count of everything. Long names and lists are cut.
    #[must_use]
    pub fn text(&self) -> String {
        text::plan(self, text::Length::Cut)
    }

    /// The plan for people, with nothing cut.
    #[must_use]
    pub fn whole_text(&self) -> String {
        text::plan(self, text::Length::Whole)
    }
}

impl Part {
    #[must_use]
    pub fn setting(name: &str, value: &str) -> Part {
        Part::Setting { name: name.to_owned(), value: value.to_owned() }
    }

    /// The name and the value of a part that has one value at a time, so that a new value replaces the old one.
    fn named(&self) -> Option<(&str, &str)> {
        match self {
            Part::Setting { name, value } => Some((name, value)),
            Part::File { path, sha256 } => Some((path, sha256)),
            Part::Command { .. } | Part::Address { .. } | Part::Function(_) => None,
        }
    }
}

impl Trust {
    /// The permissions of this user.
    ///
    /// # Errors
    /// Where the user has no folder for state.
    pub fn of_user() -> Result<Trust> {
        Ok(Trust::in_folder(&state_file::folder(STORED)?))
    }

    /// The permissions in a file in this folder.
    #[must_use]
    pub fn in_folder(state: &Path) -> Trust {
        Trust { file: state.join(FILE) }
    }

    /// Whether everything in a plan was allowed for a project.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub fn is_given(&self, folder: &Path, plan: &Plan) -> Result<bool> {
        Ok(self.missing(folder, plan)?.is_empty())
    }

    /// The parts of a plan that are not allowed for a project yet.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub fn missing(&self, folder: &Path, plan: &Plan) -> Result<Plan> {
        let allowed = self.read()?;
        let name = name_of(folder)?;
        let known = allowed.folders.get(&name).map(|permission| &permission.parts);
        let is_new = |part: &&Part| known.is_none_or(|known| !known.contains(part));
        let parts: BTreeSet<Part> = plan.parts.iter().filter(is_new).cloned().collect();
        let known = || known.into_iter().flatten().filter_map(Part::named);
        let former = parts.iter().filter_map(Part::named).filter_map(|(name, _)| {
            let (_, value) = known().find(|(known, _)| *known == name)?;
            Some((name.to_owned(), value.to_owned()))
        });
        let former = former.collect();
        let is_outdated = !parts.is_empty() && known().next().is_none() && self.is_outdated(&name);
        Ok(Plan { parts, former, is_outdated })
    }

    /// Allows everything in a plan for a project. A setting or a file that changed replaces what was allowed before.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub fn give(&self, folder: &Path, plan: &Plan) -> Result<()> {
        let _lock = state_file::lock(&self.file, STORED)?;
        let mut allowed = self.read()?;
        let permission = allowed.folders.entry(name_of(folder)?).or_default();
        let names: BTreeSet<&str> = plan.parts.iter().filter_map(Part::named).map(|(name, _)| name).collect();
        permission.parts.retain(|part| part.named().is_none_or(|(name, _)| !names.contains(name)));
        permission.parts.extend(plan.parts.iter().cloned());
        permission.when = Moment::now().0;
        self.write(&allowed)
    }

    /// All permissions, by the project's folder.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub fn given(&self) -> Result<BTreeMap<String, Permission>> {
        Ok(self.read()?.folders)
    }

    /// Removes the permission of a project, or of all projects. Returns how many permissions were removed.
    ///
    /// # Errors
    /// Where the file cannot be read or written.
    pub fn take_back(&self, folder: Option<&Path>) -> Result<usize> {
        let _lock = state_file::lock(&self.file, STORED)?;
        let mut allowed = self.read()?;
        let before = allowed.folders.len();
        match folder {
            None => allowed.folders.clear(),
            // A folder that was deleted cannot be resolved, so use the name that the list shows.
            Some(folder) => {
                let name = name_of(folder).unwrap_or_else(|_| folder.to_string_lossy().into_owned());
                allowed.folders.remove(&name);
            }
        }
        let removed = before - allowed.folders.len();
        if removed > 0 {
            self.write(&allowed)?;
        }
        Ok(removed)
    }

    /// Whether a file of version 1 allows something for a folder.
    fn is_outdated(&self, folder: &str) -> bool {
        let text = std::fs::read_to_string(&self.file).unwrap_or_default();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        json["version"] == 1 && json["folders"].get(folder).is_some()
    }

    fn read(&self) -> Result<Allowed> {
        let shown = self.file.display();
        let text = match std::fs::read_to_string(&self.file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Allowed::new()),
            Err(error) => return Err(error).with_context(|| format!("`{shown}` cannot be read")),
        };
        // A file that is damaged, or that another version wrote, allows nothing.
        let allowed = serde_json::from_str(&text).ok().filter(|allowed: &Allowed| allowed.version == VERSION);
        Ok(allowed.unwrap_or_else(Allowed::new))
    }

    fn write(&self, allowed: &Allowed) -> Result<()> {
        state_file::replace(&self.file, &serde_json::to_string_pretty(allowed)?, STORED)
    }
}

impl Allowed {
    fn new() -> Allowed {
        Allowed { version: VERSION, folders: BTreeMap::new() }
    }
}

#[cfg(test)]
mod tests;
