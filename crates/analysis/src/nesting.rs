//! Which graphs of a project run which others, and which of them come back to themselves. In: all files and the index
//! of their names; out: a group for each graph that runs another. Linear in the nodes of all graphs, without recursion.

use nodewise_model::work::Work;
use nodewise_model::{Declaration, Reference};
use rustc_hash::FxHashMap;

use crate::facts::DocumentId;
use crate::files::Files;
use crate::index::Index;

/// A graph of a project: its document, and which of the document's graphs it is.
pub type GraphId = (DocumentId, usize);

/// Which graphs run which others.
#[derive(Debug, Default)]
pub struct Nesting {
    /// For each graph that runs another, its group: graphs that reach one another have the same.
    groups: FxHashMap<GraphId, usize>,
}

impl Nesting {
    /// The nesting of all graphs.
    #[must_use]
    pub(crate) fn new(files: &Files, index: &Index) -> Nesting {
        let calls = Calls::read(files, index);
        let groups = calls.groups();
        Nesting { groups: calls.graphs.into_iter().zip(groups).collect() }
    }

    /// Whether a graph that runs `child` is run by it again, at any depth.
    #[must_use]
    pub fn comes_back(&self, parent: GraphId, child: GraphId) -> bool {
        let group = self.groups.get(&parent);
        group.is_some() && group == self.groups.get(&child)
    }
}

/// The graphs that run others, numbered, and whom each runs.
#[derive(Default)]
struct Calls {
    graphs: Vec<GraphId>,
    /// For each graph the numbers of those that it runs and that run others themselves.
    run: Vec<Vec<usize>>,
}

impl Calls {
    fn read(files: &Files, index: &Index) -> Calls {
        let mut calls = Calls::default();
        let mut numbers: FxHashMap<GraphId, usize> = FxHashMap::default();
        let mut named: Vec<Vec<GraphId>> = Vec::new();
        for document in files.iter().flat_map(|file| &file.documents) {
            let declaration = index.effective(document).and_then(|effective| effective.declaration.as_ref());
            let graphs = declaration.into_iter().flat_map(Declaration::graphs).enumerate();
            for (part, graph) in graphs {
                let references = graph.nodes.iter().filter_map(|node| child(&node.work));
                let children: Vec<GraphId> = references
                    .filter_map(|reference| index.meant(document.id, reference))
                    .map(|declared| (declared.document, declared.part))
                    .collect();
                if !children.is_empty() {
                    numbers.insert((document.id, part), calls.graphs.len());
                    calls.graphs.push((document.id, part));
                    named.push(children);
                }
            }
        }
        let known = |children: Vec<GraphId>| {
            children.iter().filter_map(|child| numbers.get(child).copied()).collect()
        };
        calls.run = named.into_iter().map(known).collect();
        calls
    }

    /// For each graph the group of those that it reaches and that reach it (Tarjan's strongly connected components,
    /// with a stack of its own).
    fn groups(&self) -> Vec<usize> {
        let mut search = Search {
            order: vec![None; self.graphs.len()],
            low: vec![0; self.graphs.len()],
            group: vec![None; self.graphs.len()],
            open: Vec::new(),
            visited: 0,
        };
        for start in 0..self.graphs.len() {
            search.visit(&self.run, start);
        }
        search.group.into_iter().enumerate().map(|(number, group)| group.unwrap_or(number)).collect()
    }
}

/// The state of the search for groups.
struct Search {
    /// When each graph was entered.
    order: Vec<Option<usize>>,
    /// The earliest open graph that each one leads back to.
    low: Vec<usize>,
    /// The first graph of the group of each one, once that is known.
    group: Vec<Option<usize>>,
    /// Graphs that were entered and have no group yet.
    open: Vec<usize>,
    visited: usize,
}

impl Search {
    fn visit(&mut self, run: &[Vec<usize>], start: usize) {
        let mut path: Vec<(usize, usize)> = Vec::new();
        if self.order[start].is_none() {
            self.enter(start);
            path.push((start, 0));
        }
        while let Some((graph, next)) = path.last_mut() {
            let graph = *graph;
            let Some(child) = run[graph].get(*next).copied() else {
                path.pop();
                self.leave(graph);
                if let Some((parent, _)) = path.last() {
                    self.low[*parent] = self.low[*parent].min(self.low[graph]);
                }
                continue;
            };
            *next += 1;
            match self.order[child] {
                None => {
                    self.enter(child);
                    path.push((child, 0));
                }
                Some(order) if self.group[child].is_none() => {
                    self.low[graph] = self.low[graph].min(order);
                }
                Some(_) => {}
            }
        }
    }

    fn enter(&mut self, graph: usize) {
        self.order[graph] = Some(self.visited);
        self.low[graph] = self.visited;
        self.visited += 1;
        self.open.push(graph);
    }

    /// A graph that leads back to none before it closes a group: itself and all that were opened behind it.
    fn leave(&mut self, graph: usize) {
        if self.order[graph] != Some(self.low[graph]) {
            return;
        }
        while let Some(member) = self.open.pop() {
            self.group[member] = Some(graph);
            if member == graph {
                break;
            }
        }
    }
}

/// The graph that a node runs.
fn child(work: &Work) -> Option<&Reference> {
    match work {
        Work::Subgraph(subgraph) => subgraph.graph.as_ref(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Calls;

    /// The groups of graphs that run each other as `run` says, each named by its least member.
    fn check_groups(run: &[&[usize]], expected: &[usize]) {
        let run: Vec<Vec<usize>> = run.iter().map(|children| children.to_vec()).collect();
        let nothing = crate::facts::DocumentId { source: nodewise_model::SourceId(0), position: 0 };
        let calls = Calls { graphs: vec![(nothing, 0); run.len()], run };
        let groups = calls.groups();
        let least = |group: usize| groups.iter().position(|other| *other == group);
        assert_eq!(groups.iter().map(|group| least(*group).unwrap()).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn graphs_that_reach_one_another() {
        check_groups(&[&[1], &[2], &[]], &[0, 1, 2]);
        check_groups(&[&[0]], &[0]);
        check_groups(&[&[1], &[2], &[0, 3], &[4], &[3]], &[0, 0, 0, 3, 3]);
        check_groups(&[&[1, 2], &[3], &[3], &[]], &[0, 1, 2, 3]);
    }

    #[test]
    fn a_long_chain_needs_no_deep_stack() {
        const LENGTH: usize = 100_000;
        let run: Vec<Vec<usize>> = (0..LENGTH).map(|number| vec![(number + 1) % LENGTH]).collect();
        let nothing = crate::facts::DocumentId { source: nodewise_model::SourceId(0), position: 0 };
        let calls = Calls { graphs: vec![(nothing, 0); LENGTH], run };
        let groups = calls.groups();
        assert!(groups.iter().all(|group| *group == groups[0]));
    }
}
