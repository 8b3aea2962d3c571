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
    /// The ids that stand for the start and the end of a run; `None` where keys of the graph name those nodes.
    pub terminals: Option<Terminals>,
    /// The keys under which a graph names its start and end nodes; `None` where edges say it.
    pub terminal_keys: Option<TerminalKeys>,
    /// The parts of a run's state; `None` where all state keys are on one level.
    pub parts: Option<StateParts>,
    /// The language of the conditions of edges.
    pub conditions: Option<Language>,
    /// How nodes read and write the state.
    pub state: &'static dyn StateModel,
    /// Which node an id means if several nodes have it.
    pub repeated_id: RepeatedId,
    /// Whether nodes wait for one another and run in batches. Otherwise they run one after the other.
    pub runs_in_batches: bool,
}

/// Which of several nodes with the same id the id means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepeatedId {
    First,
    Last,
}

/// The ids that stand for the start and the end of a run.
#[derive(Debug)]
pub struct Terminals {
    /// Where a run begins.
    pub start: &'static str,
    /// Where it ends.
    pub end: &'static str,
    /// Ids of targets that the runtime chooses.
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

/// The parts of a run's state that contain its keys: `scratch.count` is the key `count` in the part `scratch`.
#[derive(Debug)]
pub struct StateParts {
    /// The part with the input of the run.
    pub input: &'static str,
    /// The part in which nodes keep values while they run.
    pub scratch: &'static str,
    /// The part in which nodes leave their results.
    pub artifacts: &'static str,
    /// The parts whose keys a graph can declare.
    pub declared: &'static [&'static str],
    /// Keys of the scratch part that the host program writes.
    pub host_keys: &'static [&'static str],
}

impl Conventions {
    /// The conventions of a system that gives no name a special meaning.
    pub const NONE: Conventions = Conventions {
        terminals: None,
        terminal_keys: None,
        parts: None,
        conditions: None,
        state: &NoState,
        repeated_id: RepeatedId::Last,
        runs_in_batches: false,
    };

    /// The names of nodes that a condition can return.
    #[must_use]
    pub fn routes(&self, condition: &Condition) -> Routes {
        self.conditions.map_or_else(Routes::unknown, |language| language.routes(&condition.text))
    }

    /// Whether the id has a meaning even if no node has it: a start, an end or a placeholder.
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
    /// Removes the name of a part from the front of a path: `count` for `scratch.count`. A path without it stays as it
    /// is.
    #[must_use]
    pub fn without_part<'p>(part: &str, path: &'p str) -> &'p str {
        path.strip_prefix(part).and_then(|rest| rest.strip_prefix('.')).unwrap_or(path)
    }
}
