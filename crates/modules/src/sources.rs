//! The modules that one evaluation reads: the module itself, and each other one when a value first depends on it.
//!
//! Input: a module, and the texts of the project. Output: trees by number, and the paths that were asked for. Invariant: what is not
//! asked for is not parsed, so that a module costs no more for what else it imports.

use std::cell::{Cell, OnceCell, RefCell};

use rustc_hash::FxHashMap;

use crate::Others;
use crate::source::Source;

/// How many modules are read for one.
const MODULES_MAX: usize = 200;

/// The modules of an evaluation.
pub(crate) struct Sources<'o> {
    others: &'o dyn Others,
    /// The modules that are there, in the order in which they were asked for.
    slots: Vec<OnceCell<Source>>,
    count: Cell<usize>,
    /// The numbers of the modules by path; none where there is no module.
    by_path: RefCell<FxHashMap<String, Option<usize>>>,
    asked: RefCell<Vec<String>>,
}

impl<'o> Sources<'o> {
    /// Begins with one module, which has the number 0.
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

    /// Whether no variable of the environment is set.
    pub(crate) fn has_empty_environment(&self) -> bool {
        self.others.has_empty_environment()
    }

    /// The number of the module at a path that was asked for.
    pub(crate) fn known(&self, path: &str) -> Option<usize> {
        self.by_path.borrow().get(path).copied().flatten()
    }

    /// The number of the module at a path, which is read if it was not. `None` if there is no module, or if too many were read.
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

    /// The paths that were asked for, whether something was there or not.
    pub(crate) fn asked(self) -> Vec<String> {
        self.asked.into_inner()
    }
}
