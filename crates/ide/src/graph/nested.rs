//! Graphs drawn inside the nodes that run them. In: a graph. Out: the same graph, with the graphs that its nodes run,
//! if known. A graph that runs itself, directly or indirectly, is only named there. The total size is limited.

use nodewise_analysis::facts::DocumentId;
use nodewise_analysis::workspace::Snapshot;
use nodewise_diagram::view::GraphView;

use super::{ProblemCounts, declared};
use crate::names::declaration;

/// The maximum number of nodes.
const NODES_MAX: usize = 2_000;

/// Adds to each node the graph that it runs.
pub fn nest(snapshot: &Snapshot, view: &mut GraphView) {
    nest_with(snapshot, view, ProblemCounts::Counted);
}

/// The same without the numbers of problems of those graphs.
pub fn nest_without_problems(snapshot: &Snapshot, view: &mut GraphView) {
    nest_with(snapshot, view, ProblemCounts::Left);
}

fn nest_with(snapshot: &Snapshot, view: &mut GraphView, counts: ProblemCounts) {
    let Some(at) = view.at else { return };
    let Some(document) = snapshot.file(at.source).and_then(|file| file.document_at(at)) else { return };
    let graphs = declaration(snapshot, document.id).into_iter().flat_map(|found| found.graphs());
    let part =
        graphs.take_while(|graph| graph.head.range.start() <= at.range.start()).count().saturating_sub(1);
    let mut nested = NestedGraphs { snapshot, counts, around: vec![(document.id, part)], left: NODES_MAX };
    nested.fill(document.id, part, view);
}

struct NestedGraphs<'s> {
    snapshot: &'s Snapshot,
    counts: ProblemCounts,
    /// The graphs around, from the outermost to the innermost.
    around: Vec<(DocumentId, usize)>,
    left: usize,
}

impl NestedGraphs<'_> {
    fn fill(&mut self, document: DocumentId, part: usize, view: &mut GraphView) {
        let Some(graph) = declaration(self.snapshot, document).and_then(|found| found.graph(part)) else {
            return;
        };
        // The nodes of the text are contiguous in the view, between its marks.
        let drawn = view.nodes.iter_mut().filter(|node| node.at.is_some());
        for (node, drawn) in graph.nodes.iter().zip(drawn) {
            let Some(call) = node.work.call() else { continue };
            let meant = call.graph.as_ref().and_then(|graph| self.snapshot.index().meant(document, graph));
            let Some(meant) = meant.map(|meant| (meant.document, meant.part())) else { continue };
            if self.around.contains(&meant) {
                continue;
            }
            let Some(mut inner) = declared::view(self.snapshot, meant.0, meant.1, self.counts) else {
                continue;
            };
            if inner.nodes.len() > self.left {
                continue;
            }
            self.left -= inner.nodes.len();
            self.around.push(meant);
            self.fill(meant.0, meant.1, &mut inner);
            self.around.pop();
            drawn.inner = Some(Box::new(inner));
        }
    }
}
