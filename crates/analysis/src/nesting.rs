//! Which graphs of a project run which others, and which of them come back to themselves. In: documents that may run
//! others than before, and whom they run; out: groups of graphs that reach one another. Linear in the calls of
//! all graphs where some call changed, without recursion.

use std::sync::Arc;

use nodewise_platform::threads::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::DocumentId;
use crate::persistent_map::Shards;

/// From this many documents on, several threads read them.
const MANY: usize = 1 << 10;

/// Identifies a graph of a project: its document, and the graph's position in it.
pub type ProjectGraphId = (DocumentId, usize);

/// Which graphs run which other graphs.
#[derive(Debug, Clone, Default)]
pub struct Nesting {
    /// For each document, its graphs that run others.
    calls: Shards<DocumentId, Vec<GraphCalls>>,
    /// For each graph that runs itself through others, the first graph of its group. All graphs of a group run one another.
    groups: Arc<FxHashMap<ProjectGraphId, ProjectGraphId>>,
    /// Increases whenever `groups` changes.
    revision: u64,
    /// The graphs that some graph runs.
    run: Arc<FxHashSet<ProjectGraphId>>,
    /// Increases whenever some graph runs other graphs than before.
    runs_revision: u64,
}

/// A graph of a document, and the graphs that it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GraphCalls {
    /// The position of the graph in the document.
    pub(crate) part: usize,
    /// The graphs that it runs.
    pub(crate) children: Vec<ProjectGraphId>,
}

impl Nesting {
    /// The nesting after a change. `documents` are those whose graphs may run others than before; `calls_of` returns what
    /// they run now.
    #[must_use]
    pub(crate) fn updated(
        &self,
        documents: &[DocumentId],
        calls_of: impl Fn(DocumentId) -> Vec<GraphCalls> + Sync,
    ) -> Nesting {
        let mut calls = self.calls.clone();
        let read = |id: &DocumentId| {
            let run = calls_of(*id);
            let is_same = self.calls.get(id).map(Vec::as_slice).unwrap_or_default() == run;
            (!is_same).then_some((*id, run))
        };
        let changed: Vec<(DocumentId, Vec<GraphCalls>)> = match documents.len() {
            0..MANY => documents.iter().filter_map(read).collect(),
            _ => documents.par_iter().filter_map(read).collect(),
        };
        let is_changed = !changed.is_empty();
        for (id, run) in changed {
            if run.is_empty() {
                calls.remove(&id);
            } else {
                calls.insert(id, run);
            }
        }
        if !is_changed {
            return Nesting { calls, ..self.clone() };
        }
        let groups = Calls::new(&calls).circles();
        let run = calls.iter().flat_map(|(_, calls)| calls.iter().flat_map(|call| &call.children)).copied();
        let run = Arc::new(run.collect());
        let runs_revision = self.runs_revision + 1;
        // Equal groups keep their revision, so that files are not checked again without need.
        let is_same = groups == *self.groups;
        let groups = if is_same { Arc::clone(&self.groups) } else { Arc::new(groups) };
        Nesting { calls, groups, revision: self.revision + u64::from(!is_same), run, runs_revision }
    }

    /// Whether some graph runs this one.
    #[must_use]
    pub fn is_run(&self, graph: ProjectGraphId) -> bool {
        self.run.contains(&graph)
    }

    /// A number that changes whenever some graph runs other graphs than before.
    pub(crate) fn runs_revision(&self) -> u64 {
        self.runs_revision
    }

    /// Whether `child`, which the graph `parent` runs, runs `parent` again, directly or through others.
    #[must_use]
    pub fn comes_back(&self, parent: ProjectGraphId, child: ProjectGraphId) -> bool {
        let runs = |call: &GraphCalls| call.part == parent.1;
        if parent == child {
            return self.calls.get(&parent.0).is_some_and(|calls| calls.iter().any(runs));
        }
        let group = self.groups.get(&parent);
        group.is_some() && group == self.groups.get(&child)
    }

    /// A number that changes whenever graphs start or stop running themselves through others.
    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }
}

/// The graphs that run others, numbered by position, and the graphs that each runs.
#[derive(Default)]
struct Calls {
    graphs: Vec<ProjectGraphId>,
    /// For each graph, the numbers of the graphs that it runs. Graphs that run nothing have no number and are left out.
    run: Vec<Vec<usize>>,
}

impl Calls {
    fn new(calls: &Shards<DocumentId, Vec<GraphCalls>>) -> Calls {
        let mut named: Vec<(ProjectGraphId, &[ProjectGraphId])> = calls
            .iter()
            .flat_map(|(id, calls)| calls.iter().map(|call| ((*id, call.part), call.children.as_slice())))
            .collect();
        named.sort_unstable_by_key(|(graph, _)| *graph);
        let numbers: FxHashMap<ProjectGraphId, usize> =
            named.iter().enumerate().map(|(number, (graph, _))| (*graph, number)).collect();
        let known = |(_, children): &(ProjectGraphId, &[ProjectGraphId])| {
            children.iter().filter_map(|child| numbers.get(child).copied()).collect()
        };
        let run = named.iter().map(known).collect();
        Calls { graphs: named.into_iter().map(|(graph, _)| graph).collect(), run }
    }

    /// For each graph in a group of more than one, the first graph of the group.
    fn circles(&self) -> FxHashMap<ProjectGraphId, ProjectGraphId> {
        let groups = self.groups();
        let mut members: Vec<usize> = vec![0; groups.len()];
        let mut first: Vec<Option<ProjectGraphId>> = vec![None; groups.len()];
        for (graph, group) in self.graphs.iter().zip(&groups) {
            // INVARIANT: a group has the number of one of the graphs.
            members[*group] += 1;
            first[*group] = first[*group].or(Some(*graph));
        }
        let circles = self.graphs.iter().zip(&groups).filter(|(_, group)| members[**group] > 1);
        circles.filter_map(|(graph, group)| Some((*graph, first[*group]?))).collect()
    }

    /// For each graph, the number of its group: the graphs that it reaches and that reach it. This is Tarjan's algorithm
    /// for strongly connected components, with an explicit stack, because graphs may be nested deeply.
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

/// The state of Tarjan's algorithm.
struct Search {
    /// For each graph, when it was visited first.
    order: Vec<Option<usize>>,
    /// For each graph, the earliest visited graph on the stack to which it leads back.
    low: Vec<usize>,
    /// For each graph, the number of its group, once it is known.
    group: Vec<Option<usize>>,
    /// The stack: visited graphs without a group.
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

    /// If `graph` leads back to no earlier graph, it and all graphs above it on the stack form a group.
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
