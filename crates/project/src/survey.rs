//! What a folder holds that has no configuration yet: whose declarations, of which release, and how they are formatted.
//!
//! Input: paths and texts. Output: a [`Survey`], and the configuration that fits it. Invariant: the configuration is read
//! without a problem, and formats the texts with the fewest changes that options allow.

use std::sync::Arc;

use nodewise_analysis::facts::kinds;
use nodewise_analysis::settings::Pin;
use nodewise_dialect::table::{Dialect, Field, FieldOrigin, Kind, Shape};
use nodewise_dialect::tables::DIALECTS;
use nodewise_dialect::value::{SpannedEntry, SpannedValue};
use nodewise_dialect::walk::{Visitor, walk};
use nodewise_format::detect_style::{DetectedStyle, detect_style};
use nodewise_model::SourceId;
use nodewise_syntax::{Tree, parse};

/// The maximum number of files whose layout is measured. Of more files, evenly spread ones are measured.
const MEASURED: usize = 1_000;

/// What the files of a folder contain.
#[derive(Debug, Clone)]
pub struct Survey {
    /// The systems with declarations, in the order of the tables.
    pub systems: Vec<SystemSurvey>,
    /// How the files are formatted.
    pub style: DetectedStyle,
    /// How many files the layout was measured on.
    pub measured: usize,
}

/// The declarations of one system.
#[derive(Debug, Clone, Copy)]
pub struct SystemSurvey {
    pub dialect: &'static Dialect,
    /// The number of files with such declarations.
    pub files: usize,
    /// The number of declarations.
    pub declarations: usize,
    /// The newest release that has one of the fields in use. `None` if all fields are in the specification.
    pub release: Option<&'static str>,
}

/// A file with declarations.
struct File {
    tree: Tree,
    kinds: Vec<Option<&'static Kind>>,
}

impl Survey {
    /// Surveys files, given by their paths in the folder and their texts.
    pub fn of<'f>(texts: impl Iterator<Item = (&'f str, Arc<str>)>) -> Survey {
        let file = |(path, text): (&str, Arc<str>)| {
            let tree = parse(text);
            let kinds = kinds(path, &tree, Pin::ByContent)?;
            Some(File { tree, kinds })
        };
        let files: Vec<File> = texts.filter_map(file).collect();
        let system = |dialect: &&'static Dialect| SystemSurvey::of(dialect, &files);
        let step = files.len().div_ceil(MEASURED).max(1);
        let measured: Vec<&File> = files.iter().step_by(step).collect();
        Survey {
            systems: DIALECTS.iter().filter_map(system).collect(),
            style: detect_style(measured.iter().map(|file| (&file.tree, file.kinds.as_slice()))),
            measured: measured.len(),
        }
    }

    /// The declarations of a system. `None` if there are none.
    pub fn system(&self, id: &str) -> Option<&SystemSurvey> {
        self.systems.iter().find(|system| system.dialect.id == id)
    }
}

impl SystemSurvey {
    /// The declarations of a dialect among files. `None` if there are none.
    fn of(dialect: &'static Dialect, files: &[File]) -> Option<SystemSurvey> {
        let mut system = SystemSurvey { dialect, files: 0, declarations: 0, release: None };
        for file in files {
            let is_own = |kind: &Kind| dialect.kinds.iter().any(|own| std::ptr::eq(own, kind));
            let mut declarations = 0;
            for (document, kind) in file.tree.documents().zip(&file.kinds) {
                let (Some(kind), Some(root)) = (kind.filter(|kind| is_own(kind)), document.root()) else {
                    continue;
                };
                declarations += 1;
                let mut releases = Releases { newest: system.release };
                walk(kind, None, &SpannedValue::from_node(root, SourceId(0)), &mut releases);
                system.release = releases.newest;
            }
            system.files += usize::from(declarations > 0);
            system.declarations += declarations;
        }
        (system.files > 0).then_some(system)
    }
}

/// Finds the newest release that a used field comes from.
struct Releases {
    newest: Option<&'static str>,
}

impl<'v, 't> Visitor<'v, 't> for Releases {
    fn key(&mut self, _: &'static Shape, field: Option<&'static Field>, _: &'v SpannedEntry<'t>) {
        if let Some(FieldOrigin::Release(release)) = field.map(|field| field.origin) {
            self.newest = self.newest.max(Some(release));
        }
    }
}
