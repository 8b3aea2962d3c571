//! A run as the trace of another program describes it.
//!
//! The systems read their traces into these types, and [`crate::external`] compares them with graphs. Invariant: a member that
//! the trace does not fill is unknown, and not empty.

use nodewise_engine::time::Millis;
use nodewise_expr::value::Map;
use serde_json::Value as Json;
use smol_str::SmolStr;

/// How the runs of a system continue after a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Routing {
    /// The first edge that holds is followed, in the order of the document.
    FirstEdge,
    /// Every edge that holds is followed, and a node runs when each node before it ran or was skipped.
    EveryEdge,
}

/// A run that another program recorded in a trace.
#[derive(Debug, Clone, Default)]
pub struct ExternalRun {
    /// The id of the run in the trace.
    pub id: SmolStr,
    /// The line of the trace where it begins.
    pub line: u32,
    /// How long it took.
    pub time: Millis,
    /// The graph that ran, then those that ran inside it.
    pub scopes: Vec<ExternalScope>,
}

/// A graph that ran as part of a run.
#[derive(Debug, Clone, Default)]
pub struct ExternalScope {
    /// The id or name of the graph, if the trace has it.
    pub graph: Option<SmolStr>,
    /// The position of the scope that ran it, and the node there; `None` for the main graph.
    pub caller: Option<(usize, SmolStr)>,
    /// Whether the first step is known to be the first of the run.
    pub is_from_start: bool,
    /// The visits, in order.
    pub steps: Vec<ExternalStep>,
    /// The nodes that the run skipped, if the trace says so.
    pub skipped: Option<Vec<SmolStr>>,
}

/// A visit of a node.
#[derive(Debug, Clone, Default)]
pub struct ExternalStep {
    pub node: SmolStr,
    /// The line of the trace.
    pub line: u32,
    /// What conditions see after it, as far as the trace says so.
    pub known: Option<KnownState>,
    /// How the run continues, as far as the trace says so.
    pub next: NextStep,
    /// Whether the run was interrupted before it.
    pub is_resumed: bool,
}

/// What conditions can read after a visit, as far as a trace says so.
#[derive(Debug, Clone, Default)]
pub struct KnownState {
    /// The known values, by the part of the state that they belong to.
    pub visible: Map,
    /// The parts of the state in which every key is known, so that a missing key has no value.
    pub complete: Vec<SmolStr>,
}

/// How a run continues after a visit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum NextStep {
    /// The trace does not say it.
    #[default]
    Unknown,
    /// An edge to the node of this name is followed.
    Edge(SmolStr),
    /// The edges with these ids are followed.
    Edges(Vec<SmolStr>),
    /// The node itself names the next one.
    HandOver(SmolStr),
    /// The run waits.
    Wait,
    /// The run is complete.
    End,
    /// The run stops for another reason.
    Stop,
}

/// The names that a runtime gives to the attributes of its spans.
#[derive(Debug, Clone, Copy)]
pub struct SpanNames {
    /// The attribute with the graph that runs.
    pub graph: &'static str,
    /// The attribute with the node that is visited.
    pub node: &'static str,
    pub run: &'static str,
}

#[derive(Debug, Clone)]
pub struct TraceEntry {
    pub value: Json,
    /// Its line, from 1.
    pub line: u32,
}

impl TraceEntry {
    /// A text member; empty if there is none.
    #[must_use]
    pub fn text(&self, key: &str) -> &str {
        self.value.get(key).and_then(Json::as_str).unwrap_or_default()
    }
}
