//! What all graphs of a system have in common: names to which its runtime gives a meaning.
//!
//! A dialect has these names as data, and each graph refers to those of its dialect. Invariant: code that reads a graph
//! finds such a name here, and knows none by itself.

use nodewise_expr::language::{Language, Routes};

use crate::condition::Condition;
use crate::state::{NoState, StateModel};

/// The names to which a system's runtime gives a meaning.
#[derive(Debug)]
pub struct Conventions {
    /// The ids that mean where a run begins and ends; `None` where graphs name nodes for that.
    pub terminals: Option<Terminals>,
    /// The keys under which a graph names the nodes where runs begin and end; `None` where edges say it.
    pub terminal_keys: Option<TerminalKeys>,
    /// The parts of a run's state; `None` where its keys stand side by side.
    pub parts: Option<StateParts>,
    /// The language of the conditions of edges.
    pub conditions: Option<Language>,
    /// What nodes read and write of the state.
    pub state: &'static dyn StateModel,
    /// Which of several nodes with the same id its id means.
    pub repeated_id: RepeatedId,
    /// Whether nodes wait for one another and run in batches, instead of one after the other.
    pub runs_in_batches: bool,
}

/// Which of several nodes with the same id the id means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepeatedId {
    First,
    Last,
}

/// The ids that mean where a run begins and ends.
#[derive(Debug)]
pub struct Terminals {
    /// Where a run begins.
    pub start: &'static str,
    /// Where it ends.
    pub end: &'static str,
    /// Targets that the runtime decides.
    pub placeholders: &'static [&'static str],
}

/// The keys of a graph that name the nodes where runs begin and end.
#[derive(Debug)]
pub struct TerminalKeys {
    /// The key of the node where a run begins.
    pub start: &'static str,
    /// The key of the list of nodes where it ends.
    pub ends: &'static str,
}

/// The parts of a run's state that hold its keys, open to every node: `scratch.count`.
#[derive(Debug)]
pub struct StateParts {
    /// What the run was given.
    pub input: &'static str,
    /// What nodes write while they run.
    pub scratch: &'static str,
    /// What nodes leave behind.
    pub artifacts: &'static str,
    /// The parts that a graph declares.
    pub declared: &'static [&'static str],
    /// Keys of the scratch part that a host writes.
    pub host_keys: &'static [&'static str],
}

impl Conventions {
    /// No name has a meaning of its own.
    pub const NONE: Conventions = Conventions {
        terminals: None,
        terminal_keys: None,
        parts: None,
        conditions: None,
        state: &NoState,
        repeated_id: RepeatedId::Last,
        runs_in_batches: false,
    };

    /// The names that a condition can come to.
    #[must_use]
    pub fn routes(&self, condition: &Condition) -> Routes {
        self.conditions.map_or_else(Routes::unknown, |language| language.routes(&condition.text))
    }

    /// Whether an id means something without a node of that id.
    #[must_use]
    pub fn is_reserved(&self, id: &str) -> bool {
        let Some(terminals) = &self.terminals else { return false };
        id == terminals.start || id == terminals.end || terminals.placeholders.contains(&id)
    }

    /// Whether the id means where a run begins.
    #[must_use]
    pub fn is_start(&self, id: &str) -> bool {
        self.terminals.as_ref().is_some_and(|terminals| terminals.start == id)
    }

    /// Whether the id means where a run ends.
    #[must_use]
    pub fn is_end(&self, id: &str) -> bool {
        self.terminals.as_ref().is_some_and(|terminals| terminals.end == id)
    }
}

impl StateParts {
    /// The key of a path that begins with a part: `count` of `scratch.count`; the path itself if it begins with none.
    #[must_use]
    pub fn without_part<'p>(part: &str, path: &'p str) -> &'p str {
        path.strip_prefix(part).and_then(|rest| rest.strip_prefix('.')).unwrap_or(path)
    }
}
