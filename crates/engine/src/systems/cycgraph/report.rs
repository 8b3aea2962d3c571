//! What the release itself reports about a run, as native events: the entries of its event log, and what its emitter
//! sends to listeners. In: what happens; out: native events, in the release's order. Invariant: the log has
//! everything about an inner graph, with names that show where it is; listeners only get events about its nodes.

use nodewise_expr::value::Value;
use smol_str::{SmolStr, format_smolstr};

use super::Cycgraph;
use crate::event::EventKind;
use crate::kernel::TaskContext;

/// Reports about one run of a graph.
#[derive(Debug, Clone)]
pub(crate) struct Reporter {
    /// The nodes of other graphs that this graph is inside of, as a path.
    prefix: Option<SmolStr>,
}

impl Reporter {
    pub(crate) fn new(prefix: Option<SmolStr>) -> Reporter {
        Reporter { prefix }
    }

    /// The path of one of its nodes, with the nodes of other graphs that it is inside of.
    pub(crate) fn path(&self, node: &SmolStr) -> SmolStr {
        match &self.prefix {
            None => node.clone(),
            Some(prefix) => format_smolstr!("{prefix}/{node}"),
        }
    }

    /// Adds an entry to the event log about a node, or about the run.
    pub(crate) fn entry(
        &self,
        context: &mut TaskContext<'_, Cycgraph>,
        name: &'static str,
        node: Option<&SmolStr>,
    ) {
        let detail = match (node, &self.prefix) {
            (Some(node), _) => Value::Text(self.path(node)),
            (None, Some(prefix)) => Value::Text(prefix.clone()),
            (None, None) => Value::Undefined,
        };
        let name = match self.prefix {
            None => SmolStr::new_static(name),
            Some(_) => format_smolstr!("child_{name}"),
        };
        context.emit(EventKind::Native { name, detail });
    }

    /// Adds an entry to the event log about a change that the engine makes to the state.
    pub(crate) fn change(
        &self,
        context: &mut TaskContext<'_, Cycgraph>,
        name: &'static str,
        detail: impl FnOnce() -> Value,
    ) {
        let (name, detail) = match &self.prefix {
            None => (SmolStr::new_static(name), detail()),
            Some(prefix) => (format_smolstr!("child_{name}"), Value::Text(prefix.clone())),
        };
        context.emit(EventKind::Native { name, detail });
    }

    /// Sends an event to listeners.
    pub(crate) fn emit(
        &self,
        context: &mut TaskContext<'_, Cycgraph>,
        name: &'static str,
        detail: impl FnOnce() -> Value,
    ) {
        if self.prefix.is_none() {
            context.emit(EventKind::Native { name: SmolStr::new_static(name), detail: detail() });
        }
    }

    /// Sends listeners an event about a node of an inner graph.
    pub(crate) fn emit_of_inner(
        &self,
        context: &mut TaskContext<'_, Cycgraph>,
        name: &'static str,
        node: &SmolStr,
    ) {
        if self.prefix.is_some() {
            let detail = Value::Text(self.path(node));
            context.emit(EventKind::Native { name: SmolStr::new_static(name), detail });
        }
    }
}
