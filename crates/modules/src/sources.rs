//! The modules that one evaluation reads: the module itself, and each other one when a value first depends on it.
//!
//! Input: a module, and the texts of the project. Output: trees by number, and the paths that were asked for. Invariant: what is not
//! asked for is not parsed, so that a module costs no more for what else it imports.

use std::cell::{Cell, OnceCell, RefCell};

use rustc_hash::FxHashMap;

use crate::Others;
use crate::source::Source;

/// The most modules that are read to evaluate one.
const MODULES_MAX: usize = 200;

/// The modules that an evaluation reads.
pub(crate) struct Sources<'o> {
    others: &'o dyn Others,
    /// The modules by number, in the order in which they were requested.
    slots: Vec<OnceCell<Source>>,
    count: Cell<usize>,
    /// The number of the module at each requested path; `None` if there is no module.
    by_path: RefCell<FxHashMap<String, Option<usize>>>,
    asked: RefCell<Vec<String>>,
}

impl<'o> Sources<'o> {
    /// Starts with one module, which gets the number 0.
    pub(crate) fn new(source: Source, others: &'o dyn Others) -> Sources<'o> {
        let by_path = FxHashMap::from_iter([(source.path.clone(), Some(0))]);
        let mut slots = vec![OnceCell::from(source)];
        slots.resize_with(MODULES_MAX, OnceCell::new);
        let asked = RefCell::default();
        Sources { others, slots, count: Cell::new(1), by_path: RefCell::new(by_path), asked }
    }

    /// The module with a number.
    pub(crate) fn get(&self, number: usize) -> Option<&Source> {
        self.slots.get(number)?.get()
    }

    /// Whether to assume that no environment variable is set.
    pub(crate) fn has_empty_environment(&self) -> bool {
        self.others.has_empty_environment()
    }

    /// The number of a module that was already requested.
    pub(crate) fn known(&self, path: &str) -> Option<usize> {
        self.by_path.borrow().get(path).copied().flatten()
    }

    /// The number of the module at a path. Reads the module on the first request. `None` if there is no module, or if too
    /// many were read.
    pub(crate) fn number(&self, path: &str) -> Option<usize> {
        if let Some(known) = self.by_path.borrow().get(path) {
            return *known;
        }
        self.asked.borrow_mut().push(path.to_owned());
        let found = self.read(path);
        self.by_path.borrow_mut().insert(path.to_owned(), found);
        found
    }

    fn read(&self, path: &str) -> Option<usize> {
        let number = self.count.get();
        let slot = self.slots.get(number)?;
        let source = Source::parse(path, &self.others.text(path)?, self.others.trees())?;
        slot.set(source).ok()?;
        self.count.set(number + 1);
        Some(number)
    }

    /// All requested paths, including those where no module exists.
    pub(crate) fn asked(self) -> Vec<String> {
        self.asked.into_inner()
    }
}
