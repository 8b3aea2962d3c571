//! The decorations of runs, by file: nodes, edges, and errors.
//!
//! Input: what runs reached and what went wrong, and what a view knows about the files. Output: the decorations of each
//! file. Invariant: the decorations of an open file have the version of its text in the view.

use std::collections::BTreeMap;
use std::sync::Arc;

use nodewise_model::Origin;
use nodewise_simulation::chart::SourceLocation;
use nodewise_simulation::coverage::Coverage;
use nodewise_simulation::remarks::Remark;

use super::{EdgeMark, NodeMark, RanFile};
use crate::placed::{FindingSeverity, FindingSource, Placed, RelatedPlace};
use crate::positions::Span;
use crate::view::{Places, View};

/// The decorations of runs, in the order of the files.
pub(crate) fn files(
    view: &View,
    places: &Places<'_>,
    coverage: &Coverage,
    remarks: &[Remark],
) -> Vec<RanFile> {
    let mut files = BTreeMap::new();
    for graph in coverage.graphs() {
        for node in graph.nodes() {
            let Some((file, span)) = place(view, places, &mut files, origin(node.place.as_ref())) else {
                continue;
            };
            file.nodes.push(NodeMark { span, label: node.label.clone(), visits: node.visits });
            *file.lines.entry(span.start.line).or_default() += node.visits;
        }
        for edge in graph.edges() {
            let Some((file, span)) = place(view, places, &mut files, origin(edge.place.as_ref())) else {
                continue;
            };
            let (followed, passed_over) = (edge.followed, edge.passed_over);
            file.edges.push(EdgeMark { span, title: edge.title(), followed, passed_over });
            *file.lines.entry(span.start.line).or_default() += followed;
        }
    }
    for remark in remarks {
        let related = remark.related.and_then(|(at, message)| {
            let (uri, span) = places.place(at)?;
            Some(RelatedPlace { uri, span, message: message.to_owned() })
        });
        let Some((file, span)) = place(view, places, &mut files, Some(remark.at)) else { continue };
        file.failures.push(Placed {
            span,
            severity: if remark.is_fatal { FindingSeverity::Error } else { FindingSeverity::Warning },
            source: FindingSource::Run,
            rule: None,
            message: remark.message.clone(),
            tag: None,
            related: related.into_iter().collect(),
            fixes: Vec::new(),
        });
    }
    files.into_values().collect()
}

fn origin(place: Option<&SourceLocation>) -> Option<Origin> {
    place.map(|place| place.origin)
}

/// The file of an origin, which is added to the files, and the place in it.
fn place<'f>(
    view: &View,
    places: &Places<'_>,
    files: &'f mut BTreeMap<Arc<str>, RanFile>,
    at: Option<Origin>,
) -> Option<(&'f mut RanFile, Span)> {
    let (uri, span) = places.place(at?)?;
    let version = view.documents.get(&uri).map(|document| document.version);
    let file = files.entry(Arc::clone(&uri)).or_insert_with(|| RanFile::new(uri, version));
    Some((file, span))
}
