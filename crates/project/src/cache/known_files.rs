//! What the files of a project have to do with one another, kept on disk, so that an editor knows a large project before
//! it has read the files again.
//!
//! Input: a project that was read; later, the state of each of its files. Output: the files that have not changed since,
//! each with its links. Invariant: links that are damaged, or of another program or configuration, are never used.
//!
//! Each part of the file is JSON, and has the links of a few thousand files.

use std::borrow::Cow;
use std::sync::Arc;

use nodewise_analysis::TextMark;
use nodewise_analysis::facts::{FileFacts, Ownership};
use nodewise_analysis::links::{DeclaredName, FileLinks};
use nodewise_dialect::tables::{self, DIALECTS, scopes};
use nodewise_model::{Origin, Reference, SourceId};
use nodewise_platform::threads::prelude::*;
use nodewise_syntax::{TextRange, TextSize};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use tracing::{debug, info_span};

use super::parts::{self, PartsWriter, WrittenPart};
use super::stamp::{CheckTime, FileState};
use super::{CheckCache, CheckKey};

/// The number of files in one part of the stored file.
const PART: usize = 2_048;

/// A file that was read earlier, with its links.
#[derive(Debug)]
pub struct KnownFile {
    /// The path relative to the project.
    pub path: Arc<str>,
    /// Its state when it was read.
    pub state: FileState,
    /// Its links to other files.
    pub links: KnownLinks,
}

/// The stored form of some files.
#[derive(Default, Serialize, Deserialize)]
struct Part<'p> {
    /// The names that occur in these files, each once.
    #[serde(borrow)]
    names: Vec<Cow<'p, str>>,
    #[serde(borrow)]
    files: Vec<FileRow<'p>>,
}

/// A file as it is stored, an array without member names: its path, its state, its links.
#[derive(Serialize, Deserialize)]
struct FileRow<'p>(#[serde(borrow)] Cow<'p, str>, FileState, LinkRow);

/// The links of a file as they are stored, an array without member names.
#[derive(Serialize, Deserialize)]
pub(super) struct LinkRow(
    /// The hash and the length of the text.
    (u64, usize),
    /// The owner: 0 if the file belongs to no system, 1 if it is empty, else the position of the dialect plus 2.
    usize,
    /// See [`FileLinks::agents`], [`FileLinks::is_readable`] and [`FileLinks::is_lettered`].
    (u32, bool, bool),
    Vec<NameRow>,
    Vec<ReferenceRow>,
    /// See [`FileLinks::reference_ends`].
    Vec<u32>,
);

/// The document, the position of the kind, the part, the position of the name, and the range.
type NameRow = (u32, usize, usize, u32, u32, u32);
/// The position of the name, the position of the kind in front of it plus 1 (0 if there is none), the position of the
/// scope, and the range.
type ReferenceRow = (u32, usize, usize, u32, u32);

impl CheckCache {
    /// All files that were read earlier, each with its state at that time. The caller compares the states.
    #[must_use]
    pub fn known_files(&self, key: &CheckKey) -> Option<Vec<KnownFile>> {
        let _entered = info_span!("look for known files").entered();
        let bytes = std::fs::read(self.folder.join(&key.name)).ok()?;
        let Some(parts) = parts::read(&bytes, key.basis) else {
            debug!(name = key.name, "the known files are of another program or configuration, or damaged");
            return None;
        };
        let kinds = Kinds::all();
        let read = |part: parts::Part<'_>| files_of(&serde_json::from_slice(part.bytes()?).ok()?, &kinds);
        let parts: Option<Vec<Vec<KnownFile>>> = parts.into_par_iter().map(read).collect();
        Some(parts?.into_iter().flatten().collect())
    }

    /// Stores the links of files, each with its state when it was read. Left out are files that were written just before
    /// `began`, and files whose links do not say enough.
    pub fn keep_files(&self, key: &CheckKey, began: CheckTime, files: &[(&FileFacts, FileState)]) {
        let _entered = info_span!("keep known files", files = files.len()).entered();
        let kinds = Kinds::all();
        let written = |files: &[(&FileFacts, FileState)]| {
            let kept = files.iter().filter(|(_, state)| state.is_older_than(began));
            WrittenPart::from(serde_json::to_vec(&part_of(kept, &kinds)).unwrap_or_default())
        };
        let chunks: Vec<&[(&FileFacts, FileState)]> = files.chunks(PART).collect();
        self.write_with(key, |file| {
            let mut writer = PartsWriter::new(file, key.basis);
            for chunks in chunks.chunks(parts::TOGETHER) {
                let written: Vec<WrittenPart> = chunks.to_vec().into_par_iter().map(written).collect();
                written.iter().try_for_each(|part| writer.add(part))?;
            }
            writer.end()
        });
        self.delete_old();
    }
}

/// The kinds of all dialects, by their positions in the tables.
pub(super) struct Kinds {
    all: Vec<&'static str>,
    positions: FxHashMap<&'static str, usize>,
}

impl Kinds {
    pub(super) fn all() -> Kinds {
        let all: Vec<&'static str> =
            DIALECTS.iter().flat_map(|dialect| dialect.kinds).map(|kind| kind.name).collect();
        let positions = all.iter().enumerate().map(|(position, kind)| (*kind, position)).collect();
        Kinds { all, positions }
    }
}

/// Numbers names, each once.
#[derive(Default)]
pub(super) struct Names<'n> {
    pub(super) all: Vec<Cow<'n, str>>,
    numbers: FxHashMap<SmolStr, u32>,
}

impl Names<'_> {
    fn number(&mut self, name: &SmolStr) -> Option<u32> {
        let next = u32::try_from(self.all.len()).ok()?;
        Some(*self.numbers.entry(name.clone()).or_insert_with(|| {
            self.all.push(Cow::Owned(name.to_string()));
            next
        }))
    }
}

/// The stored form of these files. A file is left out if something in it has no number.
fn part_of<'f>(files: impl Iterator<Item = &'f (&'f FileFacts, FileState)>, kinds: &Kinds) -> Part<'f> {
    let mut names = Names::default();
    let row = |(file, state): &'f (&'f FileFacts, FileState)| {
        Some(FileRow(Cow::Borrowed(&file.path), *state, LinkRow::of(file, kinds, &mut names)?))
    };
    let files = files.filter_map(row).collect();
    Part { names: names.all, files }
}

/// Reads the files of a part. `None` if it contains something that this program does not write.
fn files_of(part: &Part<'_>, kinds: &Kinds) -> Option<Vec<KnownFile>> {
    let names: Vec<SmolStr> = part.names.iter().map(SmolStr::new).collect();
    let file = |FileRow(path, state, row): &FileRow<'_>| {
        Some(KnownFile { path: path.as_ref().into(), state: *state, links: row.links(&names, kinds)? })
    };
    part.files.iter().map(file).collect()
}

/// The links of a file, as they were stored.
#[derive(Debug, Clone)]
pub struct KnownLinks {
    /// Identifies the text that the links were read from.
    pub mark: TextMark,
    /// Which system the file belongs to.
    pub ownership: Ownership,
    /// Its links to other files.
    pub links: FileLinks,
}

impl LinkRow {
    /// The stored form of a file. `None` if something in it has no number, or if its links do not say enough.
    pub(super) fn of(file: &FileFacts, kinds: &Kinds, known: &mut Names<'_>) -> Option<LinkRow> {
        let links = FileLinks::of(file)?;
        let mut names = Vec::with_capacity(links.declared.len());
        for DeclaredName { document, kind, part, name, at } in &links.declared {
            let (start, end) = (at.range.start().into(), at.range.end().into());
            let kind = *kinds.positions.get(kind)?;
            names.push((*document, kind, *part, known.number(name)?, start, end));
        }
        let mut references = Vec::with_capacity(links.references.len());
        for reference in &links.references {
            let (range, in_front) = (reference.at.range, reference.kind());
            let kind = match in_front {
                Some(kind) => reference.scope.kinds.iter().position(|known| *known == kind)? + 1,
                None => 0,
            };
            let scope = scopes().iter().position(|known| std::ptr::eq(*known, reference.scope))?;
            let number = known.number(&reference.name)?;
            references.push((number, kind, scope, range.start().into(), range.end().into()));
        }
        let owner = match file.ownership {
            Ownership::NotOurs => 0,
            Ownership::Empty => 1,
            Ownership::Ours(dialect) => tables::position(dialect)? + 2,
        };
        let mark = file.text.mark();
        let all = (links.agents, links.is_readable, links.is_lettered);
        let ends = links.reference_ends.to_vec();
        Some(LinkRow((mark.hash(), mark.length()), owner, all, names, references, ends))
    }

    /// Reads the links. Their places get the number of the file later.
    pub(super) fn links(&self, names: &[SmolStr], kinds: &Kinds) -> Option<KnownLinks> {
        let LinkRow((hash, length), owner, (agents, is_readable, is_lettered), declared, references, ends) =
            self;
        let name = |number: u32| names.get(number as usize).cloned();
        let declared = declared.iter().map(|(document, kind, part, number, start, end)| {
            let kind = *kinds.all.get(*kind)?;
            let at = place(*start, *end)?;
            Some(DeclaredName { document: *document, kind, part: *part, name: name(*number)?, at })
        });
        let references = references.iter().map(|(number, kind, scope, start, end)| {
            let scope = *scopes().get(*scope)?;
            let reference = Reference::new(name(*number)?, place(*start, *end)?, scope);
            Some(match kind.checked_sub(1) {
                Some(kind) => reference.of_kind(scope.kinds.get(kind)?),
                None => reference,
            })
        });
        let links = FileLinks {
            declared: declared.collect::<Option<_>>()?,
            references: references.collect::<Option<_>>()?,
            reference_ends: ends.as_slice().into(),
            agents: *agents,
            is_readable: *is_readable,
            is_lettered: *is_lettered,
        };
        let ownership = match owner {
            0 => Ownership::NotOurs,
            1 => Ownership::Empty,
            _ => Ownership::Ours(DIALECTS.get(owner - 2)?),
        };
        Some(KnownLinks { mark: TextMark::new(*hash, *length), ownership, links })
    }
}

/// A place in a file whose number is not known yet.
fn place(start: u32, end: u32) -> Option<Origin> {
    let range = (start <= end).then(|| TextRange::new(TextSize::from(start), TextSize::from(end)))?;
    Some(Origin { source: SourceId(0), range })
}
