//! A node ready for execution. In: a node of the model and its graph; out: a [`NodeProgram`]. Invariant: numbers of the
//! document are in the form in which the run uses them.

use std::sync::Arc;

use nodewise_model::Located;
use nodewise_model::cycgraph::Work;
use nodewise_model::graph::{Graph, GraphNode, MemoryQuery};
use smol_str::{SmolStr, format_smolstr};

use super::super::host::Source;
use super::EdgeProgram;
use super::grants::{self, ALL, Grant};
use crate::policies::backoff::Backoff;
use crate::policies::breaker::Thresholds;
use crate::time::Millis;

/// A node ready for execution.
#[derive(Debug)]
pub struct NodeProgram {
    pub id: SmolStr,
    pub type_word: SmolStr,
    /// The work of a visit.
    pub work: Work,
    /// The agent that it names.
    pub agent: Option<SmolStr>,
    /// Where its tools come from; `None` if it does not say.
    pub tools: Option<Arc<[Source]>>,
    /// What it may read.
    pub reads: Reads,
    /// The keys that its agent may write.
    pub writes: Arc<[SmolStr]>,
    /// What it may do in all.
    pub grant: Grant,
    /// The key that the node names for a plain answer.
    pub default_write: Option<SmolStr>,
    /// The key that a plain answer is written to if the node names none.
    pub output_key: SmolStr,
    /// How many attempts it has.
    pub attempts: u32,
    /// How long it waits between attempts.
    pub waits: Waits,
    /// How long it may take, with waits between attempts.
    pub timeout: Option<Millis>,
    /// When its circuit breaker stops attempts for a while.
    pub breaker: Option<Thresholds>,
    /// The most tokens that a visit may use.
    pub max_tokens: Option<f64>,
    /// The most money that a visit may use, in US dollars.
    pub max_cost_usd: Option<f64>,
    /// What its agents fetch from long-term memory.
    pub memory_query: Option<Arc<Query>>,
    /// Whether the action that undoes its work is kept.
    pub compensated: bool,
    /// Whether a run ends with it.
    pub is_end: bool,
    /// The edges that leave it, in the order in which they are tried.
    pub edges: Vec<EdgeProgram>,
}

/// How long a node waits between attempts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Waits {
    /// How waits grow.
    pub growth: Backoff,
    /// The first wait, in milliseconds.
    pub first_ms: f64,
    /// The longest wait, in milliseconds.
    pub longest_ms: f64,
}

/// What a node may read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reads {
    /// Everything but the engine's own keys.
    All,
    /// The values at these paths. A path of one name is a whole key.
    Paths(Vec<Vec<SmolStr>>),
}

/// What agents fetch from long-term memory before they work.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// What is looked for.
    pub text: Option<SmolStr>,
    /// The entities that facts must be about.
    pub entities: Vec<SmolStr>,
    /// The tags that facts must have.
    pub tags: Vec<SmolStr>,
    /// The greatest number of facts.
    pub max_facts: Option<f64>,
    /// Whether these facts taint what the agent writes.
    pub untrusted: bool,
}

impl Waits {
    /// The wait after an attempt failed; attempts count from 1.
    #[must_use]
    pub fn after(&self, attempt: u32) -> Millis {
        Millis::from_f64(self.growth.wait(self.first_ms, attempt).min(self.longest_ms))
    }
}

impl Reads {
    /// Whether a key is read, in whole or in part.
    #[must_use]
    pub fn touches(&self, key: &str) -> bool {
        match self {
            Reads::All => true,
            Reads::Paths(paths) => paths.iter().any(|path| path.first().is_some_and(|first| first == key)),
        }
    }
}

/// A node ready for execution, without its edges.
pub(super) fn compile(node: &GraphNode, graph: &Graph) -> NodeProgram {
    let id = name_of(node);
    let failure = &node.failure;
    NodeProgram {
        type_word: node.type_word.as_ref().map(|word| word.value.clone()).unwrap_or_default(),
        work: Work::of(node).clone(),
        agent: node.agent.as_ref().map(|agent| agent.name.clone()),
        tools: node
            .tools
            .as_ref()
            .map(|tools| tools.value.iter().map(|tool| Source::from(&tool.kind)).collect()),
        reads: reads(&grants::effective_reads(node, graph)),
        writes: node.access.writes.iter().map(|key| key.value.clone()).collect(),
        grant: grants::grant(node),
        default_write: node.access.default_write.as_ref().map(|key| key.value.clone()),
        output_key: format_smolstr!("{id}_output"),
        attempts: number(failure.attempts.as_ref()).map_or(1, |attempts| (attempts as u32).max(1)),
        waits: Waits {
            growth: failure.backoff.as_ref().map_or(Backoff::Exponential, |word| Backoff::named(&word.value)),
            first_ms: number(failure.first_wait_ms.as_ref()).unwrap_or_default(),
            longest_ms: number(failure.longest_wait_ms.as_ref()).unwrap_or_default(),
        },
        timeout: number(failure.timeout_ms.as_ref()).map(Millis::from_f64),
        breaker: failure.breaker.as_ref().filter(|breaker| breaker.enabled.value).map(|breaker| Thresholds {
            failures: breaker.failures,
            successes: breaker.successes,
            cool_down: Millis::from_f64(breaker.cool_down_ms),
        }),
        max_tokens: number(node.budget.max_tokens.as_ref()),
        max_cost_usd: number(node.budget.max_cost_usd.as_ref()),
        memory_query: node.memory_query.as_ref().map(|query| Arc::new(Query::from(query.as_ref()))),
        compensated: node.execution.compensated,
        is_end: graph.ends.iter().flat_map(|ends| &ends.value).any(|end| end.value == id),
        edges: Vec::new(),
        id,
    }
}

/// The id of a node; empty if it has none.
pub(super) fn name_of(node: &GraphNode) -> SmolStr {
    node.id.as_ref().map(|id| id.value.clone()).unwrap_or_default()
}

fn number(number: Option<&Located<f64>>) -> Option<f64> {
    number.map(|number| number.value)
}

fn reads(keys: &[SmolStr]) -> Reads {
    match keys.iter().any(|key| key == ALL) {
        true => Reads::All,
        false => Reads::Paths(keys.iter().map(|key| key.split('.').map(SmolStr::new).collect()).collect()),
    }
}

impl From<&MemoryQuery> for Query {
    fn from(query: &MemoryQuery) -> Query {
        Query {
            text: query.text.clone(),
            entities: query.entities.clone(),
            tags: query.tags.iter().map(|tag| tag.value.clone()).collect(),
            max_facts: query.max_facts,
            untrusted: query.untrusted,
        }
    }
}
