//! What the logs and states of a system mean: what conditions and expectations see of a run.
//!
//! A system implements [`RunSemantics`] in its module below [`crate::systems`], and [`crate::runtime::Runtime`] beside it.
//! Everything else asks a [`RunnableSystem`], and knows none by name. Invariant: a system has one dialect, and two systems
//! are equal if their dialects are.

use std::fmt;
use std::ops::Deref;

use nodewise_dialect::table::Dialect;
use nodewise_expr::value::{Map, Value};
use smol_str::SmolStr;

use crate::external_run::{ExternalRun, Routing, SpanNames, TraceEntry};

/// A system whose graphs run, as recordings and charts refer to it.
#[derive(Clone, Copy)]
pub struct RunnableSystem(&'static dyn RunSemantics);

/// What the runs of a system mean.
pub trait RunSemantics: Sync {
    /// The dialect of its declarations.
    fn dialect(&self) -> &'static Dialect;

    /// Whether runs can follow its documentation where its release does something else.
    fn has_documented_reading(&self) -> bool {
        false
    }

    /// What conditions see at a moment of a run.
    fn visible_state(&self, moment: &ConditionContext<'_>) -> Value;

    /// The state after a run, as expectations name its members.
    fn final_state(&self, state: &Map) -> Map {
        state.clone()
    }

    /// What can stand before a key that an expectation names, in the order of search.
    fn key_prefixes(&self) -> &'static [&'static str] {
        &[""]
    }

    /// Where the beginning of a run says what conditions read by this path, if it does.
    fn start_place(&self, _path: &[SmolStr]) -> Option<StartPlace> {
        None
    }

    /// How a run continues after a node; `None` if runs of other programs cannot be compared with its graphs.
    fn routing(&self) -> Option<Routing> {
        None
    }

    /// The runs that a trace of its release describes; `None` if the entries are no such trace.
    fn external_runs(&self, _entries: &[TraceEntry]) -> Option<Vec<ExternalRun>> {
        None
    }

    /// The attributes of the spans that its release sends; `None` if it sends none of runs of graphs.
    fn span_names(&self) -> Option<SpanNames> {
        None
    }

    /// Whether the nodes of a project are one graph, wherever a run begins.
    fn nodes_are_one_graph(&self) -> bool {
        false
    }

    /// Whether a condition was evaluated even if the run gives another reason why its edge was not followed.
    fn evaluates_before_reasons(&self) -> bool {
        false
    }
}

/// Where the beginning of a run says something.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum StartPlace {
    /// In what the run is given.
    Input(Vec<SmolStr>),
    /// In what the state holds already, under the key that the log gives it.
    State(SmolStr, Vec<SmolStr>),
}

/// A moment of a run, as far as conditions see it.
#[derive(Debug, Clone, Copy)]
pub struct ConditionContext<'m> {
    /// The time that conditions read, in seconds.
    pub now: f64,
    /// The folded state of the graph.
    pub state: &'m Map,
    /// What is seen beside the state.
    pub beside: &'m Map,
    /// What the system says that its conditions see, where it does.
    pub native: Option<&'m Value>,
    /// The type of the error that is active.
    pub error: Option<&'m SmolStr>,
}

impl RunnableSystem {
    /// A system whose runs mean this.
    #[must_use]
    pub const fn new(semantics: &'static dyn RunSemantics) -> RunnableSystem {
        RunnableSystem(semantics)
    }
}

impl Deref for RunnableSystem {
    type Target = dyn RunSemantics;

    fn deref(&self) -> &Self::Target {
        self.0
    }
}

impl PartialEq for RunnableSystem {
    fn eq(&self, other: &Self) -> bool {
        self.dialect().id == other.dialect().id
    }
}

impl Eq for RunnableSystem {}

impl fmt::Debug for RunnableSystem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "System({})", self.dialect().id)
    }
}
