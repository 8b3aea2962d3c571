//! What the files of a project have to do with one another, kept on disk, so that an editor knows a large project before
//! it has read the files again.
//!
//! Input: a project that was read; later, the state of each of its files. Output: the files that have not changed since,
//! each with its links. Invariant: links that are damaged, or of another program or configuration, are never used.
//!
//! The first line has the hash of the second, which has the lengths and the hashes of the parts behind it. A part is JSON, and
//! has the links of a few thousand files, so that several threads can read and write.

use std::borrow::Cow;
use std::ops::Range;

use nodewise_analysis::TextMark;
use nodewise_analysis::facts::{FileFacts, Ownership};
use nodewise_analysis::links::{DeclaredName, FileLinks};
use nodewise_dialect::tables::{DIALECTS, scopes};
use nodewise_model::{Origin, Reference, SourceId};
use nodewise_platform::threads::prelude::*;
use nodewise_syntax::{TextRange, TextSize};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use tracing::{debug, info_span};

use super::stamp::{CheckTime, FileState};
use super::{CheckCache, CheckKey, hash_of};

/// How many files a part has.
const PART: usize = 2_048;
/// How long a line with a hash is, in bytes.
const LINE: usize = 17;

/// A file that was read before.
#[derive(Debug)]
pub struct KnownFile {
    /// The path relative to the project.
    pub path: String,
    /// Its state when it was read.
    pub state: FileState,
    /// What tells its text from others.
    pub mark: TextMark,
    /// Whose file it is.
    pub ownership: Ownership,
    /// What it has to do with other files.
    pub links: FileLinks,
}

#[derive(Serialize, Deserialize)]
struct Head {
    /// The program and the configuration.
    basis: u64,
    /// For each part its length and its hash.
    parts: Vec<(usize, u64)>,
}

/// The links of some files.
#[derive(Default, Serialize, Deserialize)]
struct Part<'p> {
    /// The names of all files, each once.
    #[serde(borrow)]
    names: Vec<Cow<'p, str>>,
    #[serde(borrow)]
    files: Vec<FileRow<'p>>,
}

/// A file as it is written, without names.
#[derive(Serialize, Deserialize)]
struct FileRow<'p>(
    /// The path.
    #[serde(borrow)]
    Cow<'p, str>,
    FileState,
    /// The hash and the length of the text.
    (u64, usize),
    /// Whose file it is: 0 for nobody's, 1 for an empty one, and the position of the dialect from 2 on.
    usize,
    /// See [`FileLinks::agents`], [`FileLinks::is_readable`] and [`FileLinks::is_lettered`].
    (u32, bool, bool),
    Vec<NameRow>,
    Vec<ReferenceRow>,
    /// See [`FileLinks::reference_ends`].
    Vec<u32>,
);

/// The document, the position of the kind, the part, the position of the name, and where it stands.
type NameRow = (u32, usize, usize, u32, u32, u32);
/// The position of the name, that of the kind in front of it from 1 on, that of the scope, and where it stands.
type ReferenceRow = (u32, usize, usize, u32, u32);

impl CheckCache {
    /// The files of a project that were read before and whose state, which is asked for by their paths, is the same.
    #[must_use]
    pub fn known_files(&self, key: &CheckKey) -> Option<Vec<KnownFile>> {
        let _entered = info_span!("look for known files").entered();
        let bytes = std::fs::read(self.folder.join(&key.name)).ok()?;
        let found = read_head(&bytes).filter(|(head, _)| head.basis == key.basis);
        let Some((head, body)) = found else {
            debug!(name = key.name, "the known files are of another program or configuration, or damaged");
            return None;
        };
        let kinds = kinds();
        let ranges = ranges(&head.parts);
        let read = |(range, (_, hash)): (Range<usize>, &(usize, u64))| {
            let part = body.get(range).filter(|part| hash_of(part) == *hash)?;
            files_of(&serde_json::from_slice(part).ok()?, &kinds)
        };
        let parts: Option<Vec<Vec<KnownFile>>> = ranges.into_par_iter().zip(&head.parts).map(read).collect();
        Some(parts?.into_iter().flatten().collect())
    }

    /// Keeps the links of files that were read, each with its state when it was read. A file that was written just before
    /// `began`, or whose links do not say enough, is left out.
    pub fn keep_files(&self, key: &CheckKey, began: CheckTime, files: &[(&FileFacts, FileState)]) {
        let _entered = info_span!("keep known files", files = files.len()).entered();
        let kinds = kinds();
        let positions = kinds.iter().enumerate().map(|(position, kind)| (*kind, position)).collect();
        let written = |files: &[(&FileFacts, FileState)]| {
            let kept = files.iter().filter(|(_, state)| state.is_older_than(began));
            let part = part_of(kept, &positions);
            let bytes = serde_json::to_vec(&part).unwrap_or_default();
            let hash = hash_of(&bytes.as_slice());
            (bytes, hash)
        };
        let parts: Vec<&[(&FileFacts, FileState)]> = files.chunks(PART).collect();
        let parts: Vec<(Vec<u8>, u64)> = parts.into_par_iter().map(written).collect();
        let lengths = parts.iter().map(|(bytes, hash)| (bytes.len(), *hash)).collect();
        let head = serde_json::to_vec(&Head { basis: key.basis, parts: lengths }).unwrap_or_default();
        let mut bytes = format!("{:016x}\n", hash_of(&head.as_slice())).into_bytes();
        bytes.extend(head);
        bytes.push(b'\n');
        parts.into_iter().for_each(|(part, _)| bytes.extend(part));
        self.write(key, &bytes);
        self.delete_old();
    }
}

fn read_head(bytes: &[u8]) -> Option<(Head, &[u8])> {
    let (line, rest) = bytes.split_at_checked(LINE)?;
    let hash = u64::from_str_radix(std::str::from_utf8(line).ok()?.trim_end(), 16).ok()?;
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    let (head, body) = (rest.get(..end)?, rest.get(end + 1..)?);
    let head: Head = if hash == hash_of(&head) { serde_json::from_slice(head).ok()? } else { return None };
    Some((head, body))
}

fn ranges(parts: &[(usize, u64)]) -> Vec<Range<usize>> {
    let mut start = 0_usize;
    let range = |(length, _): &(usize, u64)| {
        let end = start.saturating_add(*length);
        std::mem::replace(&mut start, end)..end
    };
    parts.iter().map(range).collect()
}

/// The kinds of all dialects, in the order of the tables.
fn kinds() -> Vec<&'static str> {
    DIALECTS.iter().flat_map(|dialect| dialect.kinds).map(|kind| kind.name).collect()
}

/// What is written of these files. Files of which something has no number are left out.
fn part_of<'f>(
    files: impl Iterator<Item = &'f (&'f FileFacts, FileState)>,
    kinds: &FxHashMap<&str, usize>,
) -> Part<'f> {
    let mut part = Part::default();
    let mut numbers: FxHashMap<SmolStr, u32> = FxHashMap::default();
    for (file, state) in files {
        let row = FileLinks::of(file).and_then(|links| {
            let mut number = |name: &SmolStr| {
                let next = u32::try_from(part.names.len()).ok()?;
                Some(*numbers.entry(name.clone()).or_insert_with(|| {
                    part.names.push(Cow::Owned(name.to_string()));
                    next
                }))
            };
            row_of(file, *state, &links, kinds, &mut number)
        });
        part.files.extend(row);
    }
    part
}

fn row_of<'f>(
    file: &'f FileFacts,
    state: FileState,
    links: &FileLinks,
    kinds: &FxHashMap<&str, usize>,
    number: &mut dyn FnMut(&SmolStr) -> Option<u32>,
) -> Option<FileRow<'f>> {
    let mut names = Vec::with_capacity(links.declared.len());
    for DeclaredName { document, kind, part, name, at } in &links.declared {
        let (start, end) = (at.range.start().into(), at.range.end().into());
        names.push((*document, *kinds.get(kind)?, *part, number(name)?, start, end));
    }
    let mut references = Vec::with_capacity(links.references.len());
    for reference in &links.references {
        let (range, in_front) = (reference.at.range, reference.kind());
        let kind = match in_front {
            Some(kind) => reference.scope.kinds.iter().position(|known| *known == kind)? + 1,
            None => 0,
        };
        let scope = scopes().iter().position(|known| std::ptr::eq(*known, reference.scope))?;
        references.push((number(&reference.name)?, kind, scope, range.start().into(), range.end().into()));
    }
    let owner = match file.ownership {
        Ownership::NotOurs => 0,
        Ownership::Empty => 1,
        Ownership::Ours(dialect) => DIALECTS.iter().position(|known| known.id == dialect.id)? + 2,
    };
    let mark = file.text.mark();
    Some(FileRow(
        Cow::Borrowed(&file.path),
        state,
        (mark.hash(), mark.length()),
        owner,
        (links.agents, links.is_readable, links.is_lettered),
        names,
        references,
        links.reference_ends.to_vec(),
    ))
}

/// The files that a part has; `None` if it has something that this program has not written.
fn files_of(part: &Part<'_>, kinds: &[&'static str]) -> Option<Vec<KnownFile>> {
    let names: Vec<SmolStr> = part.names.iter().map(SmolStr::new).collect();
    part.files.iter().map(|row| file_of(row, &names, kinds)).collect()
}

fn file_of(row: &FileRow<'_>, names: &[SmolStr], kinds: &[&'static str]) -> Option<KnownFile> {
    let FileRow(
        path,
        state,
        (hash, length),
        owner,
        (agents, is_readable, is_lettered),
        declared,
        references,
        ends,
    ) = row;
    let name = |number: u32| names.get(number as usize).cloned();
    let declared = declared.iter().map(|(document, kind, part, number, start, end)| {
        let kind = *kinds.get(*kind)?;
        Some(DeclaredName {
            document: *document,
            kind,
            part: *part,
            name: name(*number)?,
            at: place(*start, *end)?,
        })
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
    let mark = TextMark::new(*hash, *length);
    Some(KnownFile { path: path.to_string(), state: *state, mark, ownership, links })
}

/// A place in a file whose number is not known yet.
fn place(start: u32, end: u32) -> Option<Origin> {
    let range = (start <= end).then(|| TextRange::new(TextSize::from(start), TextSize::from(end)))?;
    Some(Origin { source: SourceId(0), range })
}
