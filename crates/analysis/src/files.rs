//! The files of a project in load order. In: facts, in the order of their numbers; out: a file by its number.
//! The numbers rise and may have gaps: a file that comes later gets one between its neighbours'.

use std::sync::Arc;

use nodewise_model::SourceId;

use crate::facts::FileFacts;

/// The files of a project in load order.
#[derive(Debug, Clone, Default)]
pub struct Files {
    /// The numbers, rising; beside the facts, so that a search touches little memory.
    numbers: Vec<SourceId>,
    facts: Vec<Arc<FileFacts>>,
}

impl Files {
    /// The file of that number.
    #[must_use]
    pub fn get(&self, source: SourceId) -> Option<&FileFacts> {
        self.position(source).and_then(|position| self.facts.get(position)).map(Arc::as_ref)
    }

    /// The files in load order.
    pub fn iter(&self) -> std::slice::Iter<'_, Arc<FileFacts>> {
        self.facts.iter()
    }

    /// The files in load order, to be shared out to threads.
    #[must_use]
    pub fn as_slice(&self) -> &[Arc<FileFacts>] {
        &self.facts
    }

    /// How many files there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// Where the file of that number stands among the files.
    #[must_use]
    pub fn position(&self, SourceId(number): SourceId) -> Option<usize> {
        // A batch numbers its files without gaps.
        match self.numbers.get(number as usize) {
            Some(SourceId(found)) if *found == number => Some(number as usize),
            _ => self.numbers.binary_search(&SourceId(number)).ok(),
        }
    }
}

impl FromIterator<FileFacts> for Files {
    /// The files, in whatever order they come.
    fn from_iter<I: IntoIterator<Item = FileFacts>>(files: I) -> Files {
        let mut facts: Vec<Arc<FileFacts>> = files.into_iter().map(Arc::new).collect();
        facts.sort_by_key(|file| file.source);
        Files { numbers: facts.iter().map(|file| file.source).collect(), facts }
    }
}

impl<'a> IntoIterator for &'a Files {
    type Item = &'a Arc<FileFacts>;
    type IntoIter = std::slice::Iter<'a, Arc<FileFacts>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
