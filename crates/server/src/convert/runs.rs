//! Dry runs in the types of the protocol: the decorations that editors show.
//!
//! Input: runs with positions. Output: the parameters of `nodewise/simulated`. Invariant: the decorations of each
//! listed file replace the earlier ones. A file with empty lists is cleared.

use serde_json::{Value, json};

use crate::runs::{EdgeMark, NodeMark, Ran, RanFile};

/// The parameters of `nodewise/simulated`.
pub(crate) fn simulated(ran: &Ran) -> Value {
    json!({
        "trace": ran.trace,
        "title": ran.title,
        "summary": ran.summary,
        "status": ran.status,
        "files": ran.files.iter().map(file).collect::<Vec<_>>(),
    })
}

/// The decorations of a file.
pub(crate) fn file(file: &RanFile) -> Value {
    let failures = file
        .failures
        .iter()
        .map(|failure| json!({"range": super::range(failure.span), "message": failure.message}));
    let lines = file.lines.iter().map(|(line, hits)| json!({"line": line, "hits": hits}));
    json!({
        "uri": &*file.uri,
        "version": file.version,
        "nodes": file.nodes.iter().map(node).collect::<Vec<_>>(),
        "edges": file.edges.iter().map(edge).collect::<Vec<_>>(),
        "lines": lines.collect::<Vec<_>>(),
        "failures": failures.collect::<Vec<_>>(),
    })
}

fn node(node: &NodeMark) -> Value {
    json!({"range": super::range(node.span), "label": node.label.as_str(), "visits": node.visits})
}

fn edge(edge: &EdgeMark) -> Value {
    json!({
        "range": super::range(edge.span), "label": edge.title,
        "followed": edge.followed, "passedOver": edge.passed_over,
    })
}
