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

/// What a live run would do with the world.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Plan {
    /// Each thing once, in order.
    parts: BTreeSet<Part>,
    /// What was allowed instead of things that changed, by their names.
    #[serde(skip)]
    former: BTreeMap<String, String>,
    /// The permission was given to another version, which did not look at files.
    #[serde(skip)]
    is_outdated: bool,
}

/// One thing that a live run would start or call.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// A command that is started.
    Command {
        /// What it is: "MCP server `files`".
        what: String,
        /// The program and its arguments.
        command: Vec<String>,
        /// The variables of the environment that it is given, beside those that every program is.
        variables: Vec<String>,
    },
    /// An address that is called.
    Address {
        /// What it is: "models of `openai`".
        what: String,
        /// The address.
        url: String,
        /// The variable of the environment whose key is sent there.
        key: Option<String>,
        /// Where the values of the headers come from that are sent there, by the names of the headers.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        headers: BTreeMap<String, String>,
    },
    /// A function of the program that is called, as a dotted path.
    Function(String),
    /// What decides which programs are found, or what is sent.
    Setting { name: String, value: String },
    /// A program of the project that is started or imported.
    File {
        /// Its path in the project.
        path: String,
        /// The SHA-256 of its content.
        sha256: String,
    },
}

/// What users allowed.
#[derive(Debug, Clone)]
pub struct Trust {
    file: PathBuf,
}

/// The file with what was allowed.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Allowed {
    version: u32,
    /// By the project's folder.
    folders: BTreeMap<String, Permission>,
}

/// What users allowed in a folder.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Permission {
    /// When they allowed the last of it, in milliseconds since 1970.
    pub when: i64,
    /// What they allowed.
    #[serde(rename = "allowed")]
    pub parts: BTreeSet<Part>,
}

/// The version of the file; another one's is asked again.
const VERSION: u32 = 2;
/// The file's name.
const FILE: &str = "trust.json";
/// What it stores, in errors.
const STORED: &str = "what you allow";

impl Plan {
    /// A plan of these things.
    #[must_use]
    pub fn of(parts: impl IntoIterator<Item = Part>) -> Plan {
        Plan { parts: parts.into_iter().collect(), ..Plan::default() }
    }

    /// Adds a thing.
    pub fn add(&mut self, part: Part) {
        self.parts.insert(part);
    }

    /// Its things: commands, then addresses, then functions.
    pub fn parts(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter()
    }

    /// What of it is not part of another plan, word by word.
    #[must_use]
    pub fn beyond(&self, allowed: &Plan) -> Plan {
        Plan::of(self.parts.iter().filter(|part| !allowed.parts.contains(*part)).cloned())
    }

    /// Reads a plan, as it is written as JSON.
    ///
    /// # Errors
    /// Where it is not one.
    pub fn read(json: &str) -> Result<Plan> {
        let parts: Vec<Part> = serde_json::from_str(json)?;
        Ok(Plan::of(parts))
    }

    /// Whether the run keeps to itself.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The plan for people: what is started comes last, above a count of everything. Long names and lists are cut.
    #[must_use]
    pub fn text(&self) -> String {
        text::plan(self, text::Length::Cut)
    }

    /// The same with each name and list whole.
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

    /// The name and the value of what has one value at a time.
    fn named(&self) -> Option<(&str, &str)> {
        match self {
            Part::Setting { name, value } => Some((name, value)),
            Part::File { path, sha256 } => Some((path, sha256)),
            Part::Command { .. } | Part::Address { .. } | Part::Function(_) => None,
        }
    }
}

impl Trust {
    /// What this user allowed.
    ///
    /// # Errors
    /// Where the user has no folder for state.
    pub fn of_user() -> Result<Trust> {
        Ok(Trust::in_folder(&state_file::folder(STORED)?))
    }

    /// What is allowed by a file in this folder.
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

    /// What of a plan was not allowed yet for a project.
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

    /// What is allowed, by the folders of projects.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub fn given(&self) -> Result<BTreeMap<String, Permission>> {
        Ok(self.read()?.folders)
    }

    /// Takes back what is allowed in a folder, or in all; how many folders that were.
    ///
    /// # Errors
    /// Where the file cannot be read or written.
    pub fn take_back(&self, folder: Option<&Path>) -> Result<usize> {
        let _lock = state_file::lock(&self.file, STORED)?;
        let mut allowed = self.read()?;
        let before = allowed.folders.len();
        match folder {
            None => allowed.folders.clear(),
            // A folder that is gone is known by the name that the list shows.
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

    /// Whether a file of the first version allows something in a folder.
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
        // What another version wrote, or what is damaged, allows nothing.
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
