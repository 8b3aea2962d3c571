//! The files of a project in load order. In: facts, in the order of their numbers; out: a file by its number or path. The
//! numbers rise in [`load_order`] and may have gaps: a file that comes later gets one between its neighbours'. Copies share what
//! they have in common.

use std::cmp::Ordering;
use std::sync::Arc;

use nodewise_model::SourceId;
use nodewise_platform::sorting::Sorting;

use crate::facts::FileFacts;

/// How many files a chunk has when it is made. A chunk of twice as many is split.
const CHUNK: usize = 64;

/// The order in which files are loaded: paths relative to the project, compared component by component, bytes in order. So
/// the files of a folder and of its subfolders are next to one another.
#[must_use]
pub fn load_order(one: &str, other: &str) -> Ordering {
    // Most paths share a long beginning, so compare eight bytes at a time.
    let [bytes, of_other] = [one, other].map(str::as_bytes);
    let eights = bytes.as_chunks::<8>().0.iter().zip(of_other.as_chunks::<8>().0);
    let alike = 8 * eights.take_while(|(one, other)| one == other).count();
    let [rest, of_other] = [bytes, of_other].map(|bytes| bytes.get(alike..).unwrap_or_default());
    let differing = rest.iter().zip(of_other).find(|(one, other)| one != other);
    // `/` sorts before every other character.
    let key = |byte: u8| (byte != b'/', byte);
    differing.map_or_else(|| one.len().cmp(&other.len()), |(one, other)| key(*one).cmp(&key(*other)))
}

/// The files of a project in load order.
#[derive(Debug, Clone, Default)]
pub struct Files {
    /// The number of each chunk's first file. Kept apart from the chunks, so that a binary search touches little memory.
    firsts: Vec<SourceId>,
    /// The chunks in order; none is empty.
    chunks: Vec<Arc<Chunk>>,
    len: usize,
}

/// A run of files with consecutive positions.
#[derive(Debug, Clone)]
struct Chunk {
    /// The files' numbers, ascending.
    numbers: Vec<SourceId>,
    facts: Vec<Arc<FileFacts>>,
}

/// An iterator over files in load order.
#[derive(Debug, Clone)]
pub struct FilesIter<'a> {
    chunks: std::slice::Iter<'a, Arc<Chunk>>,
    files: std::slice::Iter<'a, Arc<FileFacts>>,
}

impl Files {
    /// The file with this number.
    #[must_use]
    pub fn get(&self, source: SourceId) -> Option<&FileFacts> {
        self.shared(source).map(Arc::as_ref)
    }

    /// The shared pointer to the file with this number.
    #[must_use]
    pub fn shared(&self, source: SourceId) -> Option<&Arc<FileFacts>> {
        let chunk = self.chunks.get(self.chunk_of(source))?;
        chunk.facts.get(chunk.position(source).ok()?)
    }

    /// The file at a path relative to the project.
    #[must_use]
    pub fn at_path(&self, path: &str) -> Option<&Arc<FileFacts>> {
        self.from_path(path).next().filter(|file| *file.path == *path)
    }

    /// The files at or after a path, in load order.
    #[must_use]
    pub fn from_path(&self, path: &str) -> FilesIter<'_> {
        let starts_before = |chunk: &Arc<Chunk>| {
            chunk.facts.first().is_some_and(|first| load_order(&first.path, path).is_le())
        };
        let position = self.chunks.partition_point(starts_before).saturating_sub(1);
        let mut chunks = self.chunks.get(position..).unwrap_or_default().iter();
        let files = chunks.next().map(|chunk| chunk.facts.as_slice()).unwrap_or_default();
        let before = files.partition_point(|file| load_order(&file.path, path).is_lt());
        FilesIter { chunks, files: files.get(before..).unwrap_or_default().iter() }
    }

    /// The last file before a path, in load order.
    #[must_use]
    pub fn before_path(&self, path: &str) -> Option<&Arc<FileFacts>> {
        let starts_before = |chunk: &Arc<Chunk>| {
            chunk.facts.first().is_some_and(|first| load_order(&first.path, path).is_lt())
        };
        let position = self.chunks.partition_point(starts_before).checked_sub(1)?;
        let files = &self.chunks.get(position)?.facts;
        files.get(files.partition_point(|file| load_order(&file.path, path).is_lt()).checked_sub(1)?)
    }

    /// The last file, in load order, that is in a folder or in one of its subfolders.
    #[must_use]
    pub fn last_below(&self, folder: &str) -> Option<&Arc<FileFacts>> {
        // `\0` sorts directly after `/`, so this is the last path that begins with the folder and `/`.
        self.before_path(&format!("{folder}\0"))
    }

    /// The files in load order.
    #[must_use]
    pub fn iter(&self) -> FilesIter<'_> {
        FilesIter { chunks: self.chunks.iter(), files: [].iter() }
    }

    /// The number of files.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Inserts a file at the position of its number. Replaces the file with the same number.
    pub(crate) fn insert(&mut self, file: Arc<FileFacts>) {
        let place = self.chunk_of(file.source);
        let Some(chunk) = self.chunks.get_mut(place) else {
            *self = Files::in_order(vec![file]);
            return;
        };
        let chunk = Arc::make_mut(chunk);
        match chunk.position(file.source) {
            // INVARIANT: a number and its file have the same position.
            Ok(position) => chunk.facts[position] = file,
            Err(position) => {
                chunk.numbers.insert(position, file.source);
                chunk.facts.insert(position, file);
                self.len += 1;
                let behind = (chunk.numbers.len() >= 2 * CHUNK).then(|| Chunk {
                    numbers: chunk.numbers.split_off(CHUNK),
                    facts: chunk.facts.split_off(CHUNK),
                });
                // INVARIANT: each chunk has a first number, and it is not empty.
                self.firsts[place] = chunk.numbers[0];
                if let Some(behind) = behind {
                    // INVARIANT: half of the files went here.
                    self.firsts.insert(place + 1, behind.numbers[0]);
                    self.chunks.insert(place + 1, Arc::new(behind));
                }
            }
        }
    }

    /// Removes the file with this number, if it exists.
    pub(crate) fn remove(&mut self, source: SourceId) {
        let place = self.chunk_of(source);
        let Some(chunk) = self.chunks.get_mut(place) else { return };
        let Ok(position) = chunk.position(source) else { return };
        let chunk = Arc::make_mut(chunk);
        chunk.numbers.remove(position);
        chunk.facts.remove(position);
        self.len -= 1;
        match chunk.numbers.first() {
            // INVARIANT: each chunk has a first number.
            Some(first) => self.firsts[place] = *first,
            None => {
                self.firsts.remove(place);
                self.chunks.remove(place);
            }
        }
    }

    /// Makes chunks of files that are sorted by number.
    fn in_order(facts: Vec<Arc<FileFacts>>) -> Files {
        let len = facts.len();
        let chunk = |facts: &[Arc<FileFacts>]| {
            let numbers = facts.iter().map(|file| file.source).collect();
            Arc::new(Chunk { numbers, facts: facts.to_vec() })
        };
        let chunks: Vec<Arc<Chunk>> = facts.chunks(CHUNK).map(chunk).collect();
        let firsts = chunks.iter().filter_map(|chunk| chunk.numbers.first().copied()).collect();
        Files { firsts, chunks, len }
    }

    /// The index of the chunk that has, or would have, the file with this number.
    fn chunk_of(&self, source: SourceId) -> usize {
        // A batch numbers its files without gaps, so the guess is usually right.
        let guess = source.0 as usize / CHUNK;
        match (self.firsts.get(guess), self.firsts.get(guess + 1)) {
            (Some(first), None) if *first <= source => guess,
            (Some(first), Some(next)) if *first <= source && source < *next => guess,
            _ => self.firsts.partition_point(|first| *first <= source).saturating_sub(1),
        }
    }
}

impl Chunk {
    /// The position in the chunk of the file with this number, or where it would be inserted.
    fn position(&self, source: SourceId) -> Result<usize, usize> {
        let guess = source.0 as usize % CHUNK;
        match self.numbers.get(guess) {
            Some(found) if *found == source => Ok(guess),
            _ => self.numbers.binary_search(&source),
        }
    }
}

impl FromIterator<FileFacts> for Files {
    /// Collects files in any order.
    fn from_iter<I: IntoIterator<Item = FileFacts>>(files: I) -> Files {
        files.into_iter().map(Arc::new).collect()
    }
}

impl FromIterator<Arc<FileFacts>> for Files {
    /// Collects files in any order.
    fn from_iter<I: IntoIterator<Item = Arc<FileFacts>>>(files: I) -> Files {
        let mut facts: Vec<Arc<FileFacts>> = files.into_iter().collect();
        facts.arrange_by_key(|file| file.source);
        Files::in_order(facts)
    }
}

impl<'a> Iterator for FilesIter<'a> {
    type Item = &'a Arc<FileFacts>;

    fn next(&mut self) -> Option<&'a Arc<FileFacts>> {
        loop {
            if let Some(file) = self.files.next() {
                return Some(file);
            }
            self.files = self.chunks.next()?.facts.iter();
        }
    }
}

impl<'a> IntoIterator for &'a Files {
    type Item = &'a Arc<FileFacts>;
    type IntoIter = FilesIter<'a>;

    fn into_iter(self) -> FilesIter<'a> {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use nodewise_model::SourceId;

    use super::{CHUNK, Files, load_order};
    use crate::facts::FileFacts;
    use crate::settings::Settings;

    fn file(number: u32) -> FileFacts {
        let settings = Arc::new(Settings::default());
        FileFacts::new(SourceId(number), format!("{number:05}.yaml").into(), "".into(), settings)
    }

    #[test]
    fn files_come_and_go() {
        let mut files = Files::default();
        let numbers: Vec<u32> = (0..1_000u32).map(|number| number * 7_919 % 1_000 * 3).collect();
        numbers.iter().for_each(|number| files.insert(Arc::new(file(*number))));
        files.insert(Arc::new(file(9)));
        let before = files.clone();
        (0..500).for_each(|number| files.remove(SourceId(number * 3)));
        let sources = |files: &Files| files.iter().map(|file| file.source.0).collect::<Vec<_>>();
        assert_eq!(sources(&before), (0..1_000).map(|number| number * 3).collect::<Vec<_>>());
        assert_eq!(sources(&files), (500..1_000).map(|number| number * 3).collect::<Vec<_>>());
        assert_eq!((before.len(), files.len()), (1_000, 500));
        assert!(files.get(SourceId(9)).is_none() && before.get(SourceId(10)).is_none());
        assert_eq!(before.get(SourceId(999 * 3)).unwrap().source, SourceId(999 * 3));
    }

    #[test]
    fn load_order_compares_parts() {
        let mut paths = ["a.yaml", "b/x.yaml", "a/tool.yaml", "Z.yaml", "a-b/x.yaml"];
        paths.sort_by(|one, other| load_order(one, other));
        let expected = ["Z.yaml", "a/tool.yaml", "a-b/x.yaml", "a.yaml", "b/x.yaml"];
        assert_eq!(paths, expected);
        for length in 1..20 {
            let below = |path: &str| format!("{}{path}", "y".repeat(length));
            let mut paths = paths.map(below);
            paths.reverse();
            paths.sort_by(|one, other| load_order(one, other));
            assert_eq!(paths, expected.map(below));
        }
    }

    #[test]
    fn files_in_folders_with_one_beginning_are_found() {
        let mut paths: Vec<String> = (0..CHUNK).map(|number| format!("a-b/{number:03}.yaml")).collect();
        paths.extend(["a.yaml", "a/b/x.yaml", "a/b-c/x.yaml", "a/x.yaml", "a/z/y.yaml"].map(str::to_owned));
        paths.sort_by(|one, other| load_order(one, other));
        let facts = |(number, path): (u32, &String)| {
            FileFacts::new(SourceId(number), path.as_str().into(), "".into(), Arc::new(Settings::default()))
        };
        let files: Files = (0..).zip(&paths).map(facts).collect();
        for path in &paths {
            assert_eq!(files.at_path(path).map(|file| &*file.path), Some(path.as_str()));
        }
        let below = |folder: &str| {
            let first = files.from_path(&format!("{folder}/")).next().unwrap();
            (&*first.path, &*files.last_below(folder).unwrap().path)
        };
        assert_eq!(below("a"), ("a/b/x.yaml", "a/z/y.yaml"));
        assert_eq!(below("a/b"), ("a/b/x.yaml", "a/b/x.yaml"));
        assert_eq!(below("a-b"), ("a-b/000.yaml", "a-b/063.yaml"));
    }

    #[test]
    fn files_are_found_by_path() {
        let files: Files = (0..3 * CHUNK as u32).map(|number| file(2 * number)).collect();
        for number in 0..6 * CHUNK as u32 {
            let path = format!("{number:05}.yaml");
            let found = files.at_path(&path).map(|file| file.source.0);
            assert_eq!(found, Some(number).filter(|number| number % 2 == 0));
            let before = files.before_path(&path).map(|file| file.source.0);
            assert_eq!(before, number.checked_sub(1).map(|before| before - before % 2));
        }
        assert_eq!(files.from_path("00003.yaml").next().unwrap().source, SourceId(4));
        assert!(files.from_path("9").next().is_none() && files.before_path("").is_none());
    }
}
