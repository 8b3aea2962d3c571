//! Call hierarchy: what leads to a node, agent, graph or declaration, and where it leads.
//!
//! Input: a position, or an item of an earlier answer. Output: items with the ranges of the edges. Invariant: the place
//! of its name identifies an item, so the server stores nothing between two requests.

use nodewise_analysis::workspace::Snapshot;
use nodewise_ide::calls::{self, CallItem, HierarchyCall};
use nodewise_ide::names::{Entity, NameKind};
use nodewise_ide::position::FilePosition;
use tower_lsp_server::ls_types::{
    CallHierarchyIncomingCall, CallHierarchyItem, CallHierarchyOutgoingCall, Range, SymbolKind,
    TextDocumentPositionParams,
};

use crate::request::{Asked, File};

/// `textDocument/prepareCallHierarchy`
pub(crate) fn prepare(
    asked: &Asked<'_>,
    parameters: &TextDocumentPositionParams,
) -> Option<Vec<CallHierarchyItem>> {
    let (file, position) = asked.at(parameters)?;
    let found = calls::prepare_calls(file.snapshot(), position)?;
    item(&file, found).map(|item| vec![item])
}

/// `callHierarchy/incomingCalls`
pub(crate) fn incoming(
    asked: &Asked<'_>,
    item: &CallHierarchyItem,
) -> Option<Vec<CallHierarchyIncomingCall>> {
    let calls = ends(asked, item, calls::incoming_calls)?.into_iter();
    Some(calls.map(|(from, from_ranges)| CallHierarchyIncomingCall { from, from_ranges }).collect())
}

/// `callHierarchy/outgoingCalls`
pub(crate) fn outgoing(
    asked: &Asked<'_>,
    item: &CallHierarchyItem,
) -> Option<Vec<CallHierarchyOutgoingCall>> {
    let calls = ends(asked, item, calls::outgoing_calls)?.into_iter();
    Some(calls.map(|(to, from_ranges)| CallHierarchyOutgoingCall { to, from_ranges }).collect())
}

/// The other ends of the edges, with the ranges of the edges.
fn ends(
    asked: &Asked<'_>,
    of: &CallHierarchyItem,
    question: fn(&Snapshot, FilePosition) -> Vec<HierarchyCall>,
) -> Option<Vec<(CallHierarchyItem, Vec<Range>)>> {
    let file = asked.file(&of.uri)?;
    let calls = question(file.snapshot(), file.position(of.selection_range.start));
    let end = |call: HierarchyCall| {
        let ranges = call.ranges.iter().filter_map(|at| file.span(*at)).collect();
        Some((item(&file, call.item)?, ranges))
    };
    Some(calls.into_iter().filter_map(end).collect())
}

fn item(file: &File<'_>, found: CallItem) -> Option<CallHierarchyItem> {
    let (uri, selection_range) = file.place(found.at)?;
    let (detail, name) = named(&found.title);
    Some(CallHierarchyItem {
        name: name.to_owned(),
        kind: kind(&found.entity),
        tags: None,
        detail: (!detail.is_empty()).then(|| detail.to_owned()),
        uri,
        range: file.span(found.whole)?,
        selection_range,
        data: None,
    })
}

/// A title's noun and name: "node `plan`".
fn named(title: &str) -> (&str, &str) {
    match title.split_once(" `") {
        Some((noun, name)) => (noun, name.strip_suffix('`').unwrap_or(name)),
        None => ("", title),
    }
}

fn kind(entity: &Entity) -> SymbolKind {
    match entity {
        Entity::Declaration { .. } => SymbolKind::CLASS,
        Entity::Function { .. } => SymbolKind::FUNCTION,
        Entity::File { .. } => SymbolKind::FILE,
        Entity::Local { kind: NameKind::Node, .. } => SymbolKind::OBJECT,
        Entity::Missing { .. } | Entity::Local { .. } | Entity::Shared { .. } => SymbolKind::VARIABLE,
    }
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn titles_have_a_noun_and_a_name() {
        assert_eq!(named("node `plan`"), ("node", "plan"));
        assert_eq!(named("Graph `a `b` c`"), ("Graph", "a `b` c"));
        assert_eq!(named("LLMNode"), ("", "LLMNode"));
    }
}
