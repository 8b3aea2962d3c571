//! What the release reports of a run, as events of its own: the entries of its event log, and what its emitter tells
//! listeners. In: what happens; out: native events, in the release's order. Invariant: of a graph inside a node the log
//! has everything, with names that say so, and listeners hear of its nodes alone.

use nodewise_expr::value::Value;
use smol_str::{SmolStr, format_smolstr};

use super::Cycgraph;
use crate::event::EventKind;
use crate::kernel::TaskContext;

/// Reports of one run of a graph.
#[derive(Debug, Clone)]
pub(crate) struct Reporter {
    /// The nodes of other graphs that this graph runs inside.
    prefix: Option<SmolStr>,
}

impl Reporter {
    pub(crate) fn new(prefix: Option<SmolStr>) -> Reporter {
        Reporter { prefix }
    }

    /// The nodes of other graphs that this graph runs inside, and one of its own.
    pub(crate) fn path(&self, node: &SmolStr) -> SmolStr {
        match &self.prefix {
            None => node.clone(),
            Some(prefix) => format_smolstr!("{prefix}/{node}"),
        }
    }

    /// An entry of the event log about a node, or about the run.
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

    /// An entry of the event log about a change that the engine makes to the state.
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

    /// What listeners hear.
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

    /// What listeners hear of the nodes of a graph inside a node.
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
