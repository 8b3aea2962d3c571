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

/// How a system's runs are understood: their conditions, their states, and traces of its own release.
pub trait RunSemantics: Sync {
    /// The dialect of its declarations.
    fn dialect(&self) -> &'static Dialect;

    /// Whether runs can follow the documentation where the release behaves differently.
    fn has_documented_reading(&self) -> bool {
        false
    }

    /// What conditions see at a moment of a run.
    fn visible_state(&self, moment: &ConditionContext<'_>) -> Value;

    /// The state after a run, with the names that expectations use for its members.
    fn final_state(&self, state: &Map) -> Map {
        state.clone()
    }

    /// The prefixes that are tried in front of a key that an expectation names, in this order.
    fn key_prefixes(&self) -> &'static [&'static str] {
        &[""]
    }

    /// Where the start of a run sets what conditions read by this path. `None` if it cannot be set there.
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

    /// The attributes of the spans that its release sends. `None` if it sends no spans for runs of graphs.
    fn span_names(&self) -> Option<SpanNames> {
        None
    }

    /// Whether all nodes of a project form one graph, wherever a run begins.
    fn nodes_are_one_graph(&self) -> bool {
        false
    }

    /// Whether an edge's condition was evaluated even if the run gives another reason for not following the edge.
    fn evaluates_before_reasons(&self) -> bool {
        false
    }
}

/// Where the start of a run sets a value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum StartPlace {
    /// In the input, at this path.
    Input(Vec<SmolStr>),
    /// In the state at the beginning: under this key of the log, at this path in its value.
    State(SmolStr, Vec<SmolStr>),
}

/// What conditions can read at a moment of a run.
#[derive(Debug, Clone, Copy)]
pub struct ConditionContext<'m> {
    /// The time that conditions read, in seconds.
    pub now: f64,
    /// The state of the graph after all writes up to the moment.
    pub state: &'m Map,
    /// What conditions can read besides the state.
    pub beside: &'m Map,
    /// What conditions see, if the system itself reports it.
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
