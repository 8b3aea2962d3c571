//! A node, ready to run: its executor and what surrounds it.
//!
//! Input: a node as model; output: what the runtime reads of it. Invariant: what the runtime ignores is not here, but
//! for the policies that the documentation says more of.

use nodewise_expr::value::Value;
use nodewise_model::graph::GraphNode;
use smol_str::SmolStr;

use super::executors;
use super::machine::Machine;
use super::policies;
use super::reading::Reading;
use crate::policies::backoff::Backoff;
use crate::time::Millis;

/// The number of a name in a graph. The name may be that of a node, of an end, or of nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Id(pub(super) u32);

/// A node, ready to run.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) id: Id,
    pub(super) name: SmolStr,
    /// The machine that each attempt starts as a copy of.
    pub(super) machine: Box<dyn Machine>,
    /// Whether the node's own type is guardrail, whatever its settings run.
    pub(super) is_guardrail: bool,
    pub(super) effect: Value,
    pub(super) saves_before: bool,
    pub(super) saves_after: bool,
    pub(super) timeout: Option<f64>,
    pub(super) retry: Option<Retry>,
    /// The artifact key of its output.
    pub(super) output_key: SmolStr,
    /// The nodes that it leads to, by the reason for which it ended.
    pub(super) exits: Vec<(SmolStr, SmolStr)>,
}

/// When a failed node gets another attempt.
#[derive(Debug)]
pub(super) struct Retry {
    attempts: f64,
    backoff: Backoff,
    first: f64,
    /// Parts of error texts, in lower case, that allow another attempt; empty allows it for every error.
    only_on: Vec<String>,
}

impl Id {
    pub(super) const START: Id = Id(0);
    pub(super) const END: Id = Id(1);

    pub(super) fn place(self) -> usize {
        self.0 as usize
    }
}

impl Node {
    pub(super) fn new(id: Id, node: &GraphNode, reading: Reading) -> Node {
        let name = node.id.as_ref().map_or(SmolStr::from("undefined"), |id| id.value.clone());
        let word =
            |word: &Option<nodewise_model::Located<SmolStr>>| word.as_ref().map(|word| word.value.clone());
        let effect = word(&node.execution.effect);
        let checkpoint = word(&node.execution.checkpoint).unwrap_or_default();
        let exits = node.execution.exits.iter();
        let timeout = node.failure.timeout_ms.as_ref().map(|timeout| timeout.value);
        Node {
            id,
            machine: match reading {
                Reading::Release => executors::of(node),
                Reading::Documented => policies::around(node, executors::of(node)),
            },
            is_guardrail: node.type_word.as_ref().is_some_and(|word| word.value == "guardrail"),
            effect: effect.map_or(Value::Undefined, Value::Text),
            saves_before: matches!(checkpoint.as_str(), "before" | "both"),
            saves_after: matches!(checkpoint.as_str(), "after" | "both"),
            timeout: timeout.filter(|timeout| *timeout != 0.0 && !timeout.is_nan()),
            retry: Retry::of(node),
            output_key: word(&node.execution.output_as).unwrap_or_else(|| name.clone()),
            exits: exits
                .filter_map(|exit| Some((exit.reason.value.clone(), exit.target.as_ref()?.value.clone())))
                .collect(),
            name,
        }
    }

    /// The node that it leads to if it ended for this reason.
    pub(super) fn exit(&self, reason: &str) -> Option<SmolStr> {
        self.exits.iter().find(|(written, _)| written == reason).map(|(_, target)| target.clone())
    }
}

impl Retry {
    fn of(node: &GraphNode) -> Option<Retry> {
        node.failure.at?;
        let only_on = node.failure.only_on.as_ref().map(|texts| texts.value.as_slice()).unwrap_or_default();
        Some(Retry {
            attempts: node.failure.attempts.as_ref()?.value,
            backoff: Backoff::named(node.failure.backoff.as_ref().map_or("", |word| &word.value)),
            first: node.failure.first_wait_ms.as_ref().map_or(0.0, |wait| wait.value),
            only_on: only_on.iter().map(|text| text.value.to_lowercase()).collect(),
        })
    }

    /// How long to wait after failed attempt number `attempt`, from 1; `None` if there is no further attempt.
    pub(super) fn wait(&self, attempt: u32, error: Option<&str>) -> Option<Millis> {
        let error = error.unwrap_or_default().to_lowercase();
        let is_listed = || !error.is_empty() && self.only_on.iter().any(|text| error.contains(text.as_str()));
        let is_wanted = self.only_on.is_empty() || is_listed();
        (f64::from(attempt) < self.attempts && is_wanted)
            .then(|| timer_wait(self.backoff.wait(self.first, attempt)))
    }
}

/// How long a timer takes: at least a millisecond.
pub(super) fn timer_wait(wait: f64) -> Millis {
    Millis::from_f64(wait).max(Millis(1))
}
