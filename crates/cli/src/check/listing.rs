//! `nodewise check --list-files`: which files are read, as which system and why, and which are skipped.
//!
//! Input: the files that discovery found. Output: a line for each file, or one JSON document. Invariant: the reasons
//! are the ones that discovery and recognition used (`discovery::left_out`, `FileFacts::reason`). The files are not
//! checked, so findings do not hide any.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use nodewise_analysis::facts::{DocumentRole, FileFacts, Ownership, Reason};
use nodewise_analysis::settings::Pin;
use nodewise_dialect::recognise::Evidence;
use nodewise_dialect::table::Mark;
use nodewise_model::Origin;
use nodewise_project::config::FILE_NAME;
use nodewise_project::discovery::{Discovery, DiscoveryRequest, Project, left_out};
use nodewise_syntax::LineIndex;
use serde::Serialize;

use crate::notices;
use crate::outcome::Outcome;
use crate::output::{Output, is_quiet};
use crate::print::count;
use crate::screen;
use crate::workspace::{Loaded, load};

/// The options of the command line, without the paths.
pub(super) struct Chosen<'c> {
    /// The dialect of all files.
    pub(super) forced: Option<Pin>,
    /// The configuration of all projects.
    pub(super) config: Option<&'c Path>,
    /// Whether the list is JSON.
    pub(super) is_json: bool,
}

/// A file, or a folder that is skipped.
#[derive(Debug, Serialize)]
struct Listed {
    file: String,
    /// The system of its declarations. `None` if it is skipped or has none.
    system: Option<&'static str>,
    /// Its documents, by kind.
    kinds: Vec<String>,
    /// Why it is skipped, or why it belongs to its system.
    why: String,
    /// The project that reads it. `None` if it is skipped before it is read.
    project: Option<ListedProject>,
    /// Whether it is read only as context for other files.
    context: bool,
}

/// A project, as shown.
#[derive(Debug, Clone, Serialize)]
struct ListedProject {
    folder: String,
    config: Option<String>,
}

/// The list as JSON.
#[derive(Serialize)]
struct List<'l> {
    version: u32,
    files: &'l [Listed],
}

/// Lists the files that a request finds.
pub(super) fn run(
    request: &DiscoveryRequest,
    found: Discovery,
    chosen: &Chosen<'_>,
    output: &mut Output,
) -> Result<Outcome> {
    let mut listed: Vec<Listed> = Vec::new();
    for project in &found.projects {
        of_project(project, request, chosen, &mut listed);
    }
    listed.extend(left_out(request, &found, chosen.config).into_iter().map(|left_out| Listed {
        file: left_out.shown,
        system: None,
        kinds: Vec::new(),
        why: left_out.why.to_string(),
        project: None,
        context: false,
    }));
    listed.sort_by(|one, other| one.file.cmp(&other.file));
    if chosen.is_json {
        output.line(&serde_json::to_string_pretty(&List { version: 1, files: &listed })?)?;
    } else {
        for one in &listed {
            output.line(&screen::line(&one.line()))?;
        }
        let read = listed.iter().filter(|one| one.system.is_some()).count();
        if !is_quiet() {
            output.line(&format!("{} read, {} skipped", count(read, "file"), listed.len() - read))?;
        }
    }
    output.finish()?;
    Ok(if notices::print_all(found.notices) { Outcome::Failed } else { Outcome::Clean })
}

/// The files of a project.
fn of_project(project: &Project, request: &DiscoveryRequest, chosen: &Chosen<'_>, listed: &mut Vec<Listed>) {
    let config = match chosen.config {
        Some(config) => Some(config.display().to_string()),
        None => project.has_config.then(|| project.shown.join(FILE_NAME).display().to_string()),
    };
    let folder = project.shown.display().to_string();
    let folder = if folder.is_empty() { ".".to_owned() } else { folder };
    let home = ListedProject { folder, config };
    let Loaded { workspace, texts, unreadable } = load(project, chosen.forced, request.stdin.as_ref());
    let snapshot = workspace.snapshot();
    for (file, _) in texts {
        let Some(facts) = snapshot.source(&file.relative).and_then(|source| snapshot.file(source)) else {
            continue;
        };
        listed.push(Listed {
            file: project.shown_path(file),
            system: match facts.ownership {
                Ownership::Ours(dialect) => Some(dialect.id),
                Ownership::Empty | Ownership::NotOurs => None,
            },
            kinds: kinds(facts),
            why: reason(facts, chosen, &home),
            project: Some(home.clone()),
            context: !file.is_reported,
        });
    }
    listed.extend(unreadable.into_iter().map(|(file, unreadable)| Listed {
        file: project.shown_path(file),
        system: None,
        kinds: Vec::new(),
        why: unreadable.reason,
        project: Some(home.clone()),
        context: !file.is_reported,
    }));
}

impl Listed {
    fn line(&self) -> String {
        let Listed { file, kinds, why, .. } = self;
        let Some(system) = self.system else { return format!("{file}: skipped: {why}") };
        let kinds = if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
        let project = self.project.as_ref().map(|home| match &home.config {
            Some(config) => format!("; project {} by {config}", home.folder),
            None => format!("; project {}", home.folder),
        });
        let context = if self.context { ", read as context" } else { "" };
        format!("{file}: {system}{kinds}: {why}{}{context}", project.unwrap_or_default())
    }
}

/// The documents of a file: their kinds, with numbers if there are several.
fn kinds(facts: &FileFacts) -> Vec<String> {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for document in &facts.documents {
        let kind = match &document.role {
            DocumentRole::Kind(kind) | DocumentRole::Unread(kind) => kind.name,
            DocumentRole::Empty => continue,
            DocumentRole::Foreign => "another system's document",
            _ => "document of unknown kind",
        };
        *kinds.entry(kind).or_default() += 1;
    }
    let counted = |(kind, number): (&str, usize)| match number {
        1 => kind.to_owned(),
        _ => format!("{number} {kind}"),
    };
    kinds.into_iter().map(counted).collect()
}

/// The reason for the system of a file.
fn reason(facts: &FileFacts, chosen: &Chosen<'_>, home: &ListedProject) -> String {
    match facts.reason {
        Reason::Chosen if chosen.forced.is_some() => "chosen by `--dialect`".to_owned(),
        Reason::Chosen => {
            format!("chosen by `[dialect]` in {}", home.config.as_deref().unwrap_or(FILE_NAME))
        }
        Reason::Name(ending) => format!("the name ends with `{ending}`"),
        Reason::Builders(dialect) => {
            let packages = dialect.builders.map(|builders| builders.packages).unwrap_or_default();
            format!("it builds its documents with `{}`", packages.join("` or `"))
        }
        Reason::NoDocument => "it has no document".to_owned(),
        Reason::NoDialect => "no known system has such documents".to_owned(),
        Reason::Document(at, evidence) => of_document(facts, at, evidence),
    }
}

fn of_document(facts: &FileFacts, at: Origin, evidence: Evidence) -> String {
    let line = LineIndex::new(&facts.text).line_col(at.range.start()).line;
    match evidence {
        Evidence::Word(key) => {
            let kind = facts.document_at(at).and_then(|document| match &document.role {
                DocumentRole::Kind(kind) => Some(kind.name),
                _ => None,
            });
            let kind = kind.unwrap_or_default();
            format!("`{key}: {kind}` in the document at line {line}")
        }
        Evidence::NearWord(key) => {
            format!("`{key}` in the document at line {line} is close to a known value")
        }
        Evidence::Keys(key) => {
            format!("the document at line {line} has its keys, although `{key}` has an unknown value")
        }
        Evidence::Marks(marks) => {
            let marks: Vec<String> = marks.iter().map(Mark::words).collect();
            format!("the document at line {line} has {}", marks.join(", "))
        }
    }
}
