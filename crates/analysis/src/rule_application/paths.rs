//! Paths that a rule forbids: from one node to another, without some nodes between.
//!
//! Input: a graph, or a node that is a document; a pattern of paths. Output: for each end of such a path one finding, with the
//! shortest path. Each search visits a node once. Invariant: a path is reported only if the declarations prove it. A node that runs
//! a graph which may have one of the nodes between counts as one of them.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use nodewise_model::graph::{EndpointRole, Graph};
use nodewise_model::project_rule::{PartPattern, PathEnd, PathPattern};
use nodewise_model::{Body, Located, Node, Origin, Reference};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::Application;
use super::fit::Truth;
use super::part::{self, Part, Place, Scene};
use super::wording::Words;
use crate::basis::{Basis, Needs};
use crate::facts::{DocumentId, Effective};
use crate::graphs::{GraphFacts, leads_to_the_end};
use crate::index::{DocumentLead, DocumentLeads, Resolution};
use crate::rule::Context;
use crate::steps::StepBudget;

/// Graphs that are nested deeper than this count as unknown.
const DEPTH_MAX: usize = 8;

/// The most steps of a search over the documents of all files. Smaller in tests, so that they are fast.
const DOCUMENT_STEPS_MAX: u32 = if cfg!(test) { 1_000_000 } else { 20_000_000 };

/// The most nodes of a path that a finding points at.
const SHOWN_MAX: usize = 12;

/// A path that was found: the nodes from its beginning to its end.
struct FoundPath<'a> {
    nodes: Vec<Part<'a>>,
    from: PathPoint,
    to: PathPoint,
}

/// The search over the documents of all files exceeded its limit, and this document must report it.
struct DocumentSearchStopped;

/// Whether a path ends at a node or at the start or end of runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PathPoint {
    Terminal,
    Node,
}

impl<'a> Application<'_, 'a> {
    /// Reports the paths of the rule that begin in a document.
    pub(super) fn paths(&mut self, path: &PathPattern, place: Place<'a>, effective: &'a Effective) {
        let (Some(from), Some(to)) = (&path.from, &path.to) else { return };
        let ends = (&from.value, &to.value);
        if let Some(declaration) = &effective.declaration
            && let Body::Node(node) = &declaration.body
        {
            let start = Part::Document(declaration, node);
            match self.document_path(path, ends, place, start) {
                Ok(found) => found.into_iter().for_each(|found| self.report_path(found)),
                Err(DocumentSearchStopped) => self.report_stop(start.at_name()),
            }
        }
        for (part, (graph, facts)) in self.context.facts_of(effective).enumerate() {
            let is_run = || self.context.index.is_run_by_another((place.document.id, part));
            // If another graph runs this one, runs begin and end in that graph.
            let is_partial = *ends.0 == PathEnd::Start || *ends.1 == PathEnd::End;
            if graph.is_fragment || is_partial && is_run() {
                continue;
            }
            let search = GraphSearch { application: self, place, graph, facts, path };
            let found = search.run(ends);
            found.into_iter().for_each(|found| self.report_path(found));
        }
    }

    fn report_path(&mut self, found: FoundPath<'a>) {
        let FoundPath { nodes, from, to } = found;
        let (Some(first), Some(last)) = (nodes.first(), nodes.last()) else { return };
        // For nodes that are documents, the end of the path is in another file, so the finding is at its beginning.
        let is_document = matches!(first, Part::Document(..));
        let at = if to == PathPoint::Terminal || is_document { first.at_name() } else { last.at_name() };
        let name = |part: &Part<'a>| part.id().map_or("?", |id| id.value.as_str()).to_owned();
        let ends = (
            if from == PathPoint::Terminal { "the start".to_owned() } else { name(first) },
            if to == PathPoint::Terminal { "the end".to_owned() } else { name(last) },
        );
        let words = Words::of_path(ends, &nodes.iter().map(name).collect::<Vec<_>>());
        let mut related: Vec<(Origin, String)> = Vec::new();
        if nodes.len() > 1 {
            let shown = nodes.iter().take(SHOWN_MAX);
            related.extend(shown.map(|part| (part.at_name(), format!("the path visits `{}`", name(part)))));
        }
        let basis = Basis { needs: Needs::Edges, ..Basis::default() };
        let texts = self.texts(&words);
        self.report(at, texts, related, basis);
    }

    /// Reports that the search over the documents of all files exceeded its limit.
    fn report_stop(&mut self, at: Origin) {
        let message = format!(
            "the rule stopped: it takes more than {DOCUMENT_STEPS_MAX} steps for the nodes of all files"
        );
        let help = "make its patterns smaller, or turn it off in `nodewise.toml`".to_owned();
        let rule = (self.active.rule.head, "the rule".to_owned());
        self.report(at, (message, Some(help)), vec![rule], Basis::default());
    }

    /// The shortest path from a node that is a document, along the edges between documents.
    fn document_path(
        &self,
        path: &PathPattern,
        (from, to): (&PathEnd, &PathEnd),
        place: Place<'a>,
        start: Part<'a>,
    ) -> Result<Option<FoundPath<'a>>, DocumentSearchStopped> {
        // The program decides where runs of documents begin.
        let PathEnd::Node(from_pattern) = from else { return Ok(None) };
        let scene = start.at(self.context, place, &self.steps);
        if scene.fits(from_pattern) != Truth::Yes || is_between(scene, path.without.as_ref()) {
            return Ok(None);
        }
        let all = self.context.index.document_leads(self.active.id, || self.leads(path, from_pattern, to));
        if all.stopped_at == Some(place.document.id) {
            return Err(DocumentSearchStopped);
        }
        Ok(self.along(&all.leads, (from, to), place, start))
    }

    /// The path that begins at a document, read from `leads`.
    fn along(
        &self,
        leads: &FxHashMap<DocumentId, DocumentLead>,
        (from, to): (&PathEnd, &PathEnd),
        place: Place<'a>,
        start: Part<'a>,
    ) -> Option<FoundPath<'a>> {
        let own = leads.get(&place.document.id)?;
        let first = match own.next {
            // If both ends are the same pattern, a path of a single node would be trivial, so take at least one edge.
            None if from == to => {
                let Part::Document(_, node) = start else { return None };
                let next = self.next_documents(node).into_iter();
                let next =
                    next.filter_map(|(_, place)| Some((place.document.id, leads.get(&place.document.id)?)));
                Some(next.min_by_key(|(_, lead)| lead.length)?.0)
            }
            next => next,
        };
        let mut nodes = vec![start];
        let mut at = first;
        while let Some(id) = at {
            nodes.push(self.document_at(id)?.0);
            at = leads.get(&id)?.next;
        }
        let to = if *to == PathEnd::End { PathPoint::Terminal } else { PathPoint::Node };
        Some(FoundPath { nodes, from: PathPoint::Node, to })
    }

    /// For each document from which a path gets to an end, the next step of the shortest one. Computed for all files at
    /// once, backwards from the ends: a search from each node would visit the whole project each time.
    fn leads(&self, path: &PathPattern, from: &PartPattern, to: &PathEnd) -> DocumentLeads {
        let context = self.context.without_notes();
        let steps = StepBudget::new(DOCUMENT_STEPS_MAX);
        let all: Vec<(Part<'a>, Place<'a>)> =
            context.every_document().filter_map(|id| self.document_in(&context, id)).collect();
        let positions: FxHashMap<DocumentId, usize> =
            (0..).zip(&all).map(|(position, (_, place))| (place.document.id, position)).collect();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); all.len()];
        let (mut is_allowed, mut nearest) = (Vec::with_capacity(all.len()), VecDeque::new());
        let mut leads: FxHashMap<DocumentId, DocumentLead> = FxHashMap::default();
        for (position, (part, place)) in all.iter().enumerate() {
            let scene = part.at(context, *place, &steps);
            let allowed = !is_between(scene, path.without.as_ref());
            is_allowed.push(allowed);
            let Part::Document(_, node) = part else { continue };
            let targets = node.edges.iter().flat_map(|edge| &edge.targets);
            for target in targets.filter_map(|target| declared(&context, target)) {
                if let Some(next) = positions.get(&target) {
                    before[*next].push(position);
                }
            }
            let arrives = match to {
                PathEnd::End => node.edges.is_empty(),
                PathEnd::Node(to) => scene.fits(to) == Truth::Yes,
                PathEnd::Start => false,
            };
            if allowed && arrives {
                leads.insert(place.document.id, DocumentLead { next: None, length: 0 });
                nearest.push_back((position, 0));
            }
        }
        while let Some((position, length)) = nearest.pop_front() {
            let next = Some(all[position].1.document.id);
            for position in before[position].iter().filter(|position| is_allowed[**position]) {
                if let Entry::Vacant(free) = leads.entry(all[*position].1.document.id) {
                    free.insert(DocumentLead { next, length: length + 1 });
                    nearest.push_back((*position, length + 1));
                }
            }
        }
        if !steps.is_out() {
            return DocumentLeads { leads, stopped_at: None };
        }
        let begins = |(part, place): &&(Part<'a>, Place<'a>)| {
            let scene = part.at(context, *place, &self.steps);
            scene.fits(from) == Truth::Yes && !is_between(scene, path.without.as_ref())
        };
        let stopped_at = all.iter().find(begins).map(|(_, place)| place.document.id);
        DocumentLeads { leads: FxHashMap::default(), stopped_at }
    }

    fn document_at(&self, id: DocumentId) -> Option<(Part<'a>, Place<'a>)> {
        self.document_in(&self.context, id)
    }

    /// The node that a document declares; `None` if it declares none.
    fn document_in(&self, context: &Context<'a>, id: DocumentId) -> Option<(Part<'a>, Place<'a>)> {
        let file = context.source(id.source)?;
        let document = file.documents.get(id.position as usize)?;
        let effective = context.index.effective(document)?;
        let declaration = effective.declaration.as_ref()?;
        let Body::Node(node) = &declaration.body else { return None };
        Some((Part::Document(declaration, node), Place::new(file, document, effective)?))
    }

    /// The documents to which the edges of a node lead.
    fn next_documents(&self, node: &'a Node) -> Vec<(Part<'a>, Place<'a>)> {
        let targets = node.edges.iter().flat_map(|edge| &edge.targets);
        targets.filter_map(|target| self.document_at(declared(&self.context, target)?)).collect()
    }
}

/// The document to which a reference leads.
fn declared(context: &Context<'_>, reference: &Reference) -> Option<DocumentId> {
    match context.index.resolve(reference) {
        Resolution::To(declared) => Some(declared.document),
        Resolution::Ambiguous(_) | Resolution::WrongKind(_) | Resolution::Nothing => None,
    }
}

/// The search for paths within one graph.
struct GraphSearch<'s, 'r, 'a> {
    application: &'s Application<'r, 'a>,
    place: Place<'a>,
    graph: &'a Graph,
    facts: &'a GraphFacts,
    path: &'s PathPattern,
}

impl<'a> GraphSearch<'_, '_, 'a> {
    fn run(&self, (from, to): (&PathEnd, &PathEnd)) -> Vec<FoundPath<'a>> {
        let begins: Vec<usize> = match from {
            PathEnd::Node(from) => {
                let nodes = 0..self.graph.nodes.len();
                let meant = nodes.filter(|node| self.facts.is_meant(self.graph, *node));
                let reached = meant.filter(|node| self.facts.is_reached(*node));
                reached.filter(|node| self.has(*node, from) == Truth::Yes).collect()
            }
            PathEnd::Start => self.first_nodes(),
            PathEnd::End => Vec::new(),
        };
        let point = |end: &PathEnd| match end {
            PathEnd::Node(_) => PathPoint::Node,
            PathEnd::Start | PathEnd::End => PathPoint::Terminal,
        };
        let found = |nodes| FoundPath { nodes, from: point(from), to: point(to) };
        match to {
            PathEnd::Node(to_pattern) => {
                let is_same = from == to;
                let arrives = |node: usize, at_once: bool| {
                    (!at_once || !is_same) && self.has(node, to_pattern) == Truth::Yes
                };
                self.search(&begins, &arrives).into_iter().map(found).collect()
            }
            // Each node after which a run can end gets its own finding.
            PathEnd::End => self.ways_to_the_end(&begins).into_iter().map(found).collect(),
            PathEnd::Start => Vec::new(),
        }
    }

    /// The shortest path from each of the nodes `begins` to the end of a run, if one exists.
    fn ways_to_the_end(&self, begins: &[usize]) -> Vec<Vec<Part<'a>>> {
        let count = self.graph.nodes.len();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); count];
        for node in (0..count).filter(|node| self.facts.is_meant(self.graph, *node)) {
            for next in self.facts.next(node).chain(self.facts.handed(node).iter().copied()) {
                before[next].push(node);
            }
        }
        let mut lead: Vec<Option<Option<usize>>> = vec![None; count];
        let ends = (0..count).filter(|node| self.may_end(*node) && !self.is_between(*node));
        let mut nearest: VecDeque<usize> = ends.collect();
        nearest.iter().for_each(|end| lead[*end] = Some(None));
        while let Some(node) = nearest.pop_front() {
            for earlier in &before[node] {
                if lead[*earlier].is_none() && self.application.steps.take() && !self.is_between(*earlier) {
                    lead[*earlier] = Some(Some(node));
                    nearest.push_back(*earlier);
                }
            }
        }
        let way = |begin: &usize| {
            let mut nodes = Vec::new();
            let mut at = lead[*begin].map(|_| *begin);
            while let Some(node) = at {
                nodes.push(self.part(node));
                at = lead[node].flatten();
            }
            (!nodes.is_empty()).then_some(nodes)
        };
        begins.iter().filter_map(way).collect()
    }

    /// The shortest paths from `begins` to the nodes that `arrives` accepts.
    fn search(&self, begins: &[usize], arrives: &dyn Fn(usize, bool) -> bool) -> Vec<Vec<Part<'a>>> {
        let mut seen = vec![false; self.graph.nodes.len()];
        let mut visited: Vec<(usize, Option<usize>)> = Vec::new();
        let mut waiting: VecDeque<usize> = VecDeque::new();
        let mut found = Vec::new();
        let mut visit =
            |node: usize, before: Option<usize>, visited: &mut Vec<_>, waiting: &mut VecDeque<_>| {
                if seen.get_mut(node).is_some_and(|seen| !std::mem::replace(seen, true)) {
                    visited.push((node, before));
                    waiting.push_back(visited.len() - 1);
                }
            };
        begins.iter().for_each(|begin| visit(*begin, None, &mut visited, &mut waiting));
        while let Some(at) = waiting.pop_front() {
            let Some((node, before)) = visited.get(at).copied() else { break };
            if !self.application.steps.take() || self.is_between(node) {
                continue;
            }
            if arrives(node, before.is_none()) {
                let nodes = back(&visited, at, |(node, before)| (*node, *before));
                found.push(nodes.into_iter().map(|node| self.part(node)).collect());
            }
            let next = self.facts.next(node).chain(self.facts.handed(node).iter().copied());
            for next in next.collect::<Vec<_>>() {
                visit(next, Some(at), &mut visited, &mut waiting);
            }
        }
        found
    }

    fn part(&self, node: usize) -> Part<'a> {
        Part::Node(self.graph, self.facts, node)
    }

    fn scene(&self, node: usize) -> Scene<'a, '_> {
        self.part(node).at(self.application.context, self.place, &self.application.steps)
    }

    /// Whether the node fits the pattern, or runs a graph that contains a node that does.
    fn has(&self, node: usize, pattern: &PartPattern) -> Truth {
        has(self.scene(node), pattern, DEPTH_MAX)
    }

    fn is_between(&self, node: usize) -> bool {
        is_between(self.scene(node), self.path.without.as_ref())
    }

    /// The nodes at which a run begins.
    fn first_nodes(&self) -> Vec<usize> {
        let named = self.graph.start.as_ref().and_then(|start| self.facts.node(&start.value));
        let edges = self.graph.edges.iter().enumerate();
        let first = edges.filter(|(_, edge)| {
            edge.source.as_ref().is_some_and(|source| source.role == EndpointRole::Start)
        });
        named.into_iter().chain(first.filter_map(|(edge, _)| self.facts.target(edge))).collect()
    }

    /// Whether a run can end after the node.
    fn may_end(&self, node: usize) -> bool {
        let Some(declared) = self.graph.nodes.get(node) else { return false };
        let ends = self.graph.ends.iter().flat_map(|ends| &ends.value);
        let is_end = |end: &Located<SmolStr>| self.facts.node(&end.value) == Some(node);
        let leads = |edge: &usize| self.graph.edges.get(*edge).is_some_and(leads_to_the_end);
        ends.into_iter().any(is_end)
            || declared.work.may_end_run()
            || self.facts.outgoing(node).iter().any(leads)
    }
}

/// Whether a node fits the rule's `without` pattern, or may fit it. A path through such a node is allowed.
fn is_between(scene: Scene<'_, '_>, without: Option<&PartPattern>) -> bool {
    without.is_some_and(|without| has(scene, without, DEPTH_MAX) != Truth::No)
}

/// Whether a part fits the pattern, or runs a graph that contains a node that does.
fn has(scene: Scene<'_, '_>, pattern: &PartPattern, depth: usize) -> Truth {
    let own = scene.fits(pattern);
    let call = scene.part.node().and_then(|node| node.work.call());
    let Some(call) = call.filter(|_| own != Truth::Yes) else { return own };
    let inside = call.graph.as_ref().and_then(|graph| {
        let context = scene.context;
        let declared = context.index.meant(scene.place.document.id, graph)?;
        let file = context.source(declared.document.source)?;
        let document = file.documents.get(declared.document.position as usize)?;
        let effective = context.index.effective(document)?;
        let place = Place::new(file, document, effective)?;
        let (graph, facts) = effective.graph(declared.part())?;
        Some((place, graph, facts))
    });
    let (Some((place, graph, facts)), true) = (inside, depth > 0 && scene.steps.take()) else {
        return own.max(Truth::Unknown);
    };
    let nodes = (0..graph.nodes.len()).filter(|node| facts.is_meant(graph, *node));
    let inside = nodes.map(|node| {
        has(part::Part::Node(graph, facts, node).at(scene.context, place, scene.steps), pattern, depth - 1)
    });
    inside.max().unwrap_or(Truth::No).max(own)
}

/// The path to a visit: follows the steps back from `at`, and returns them from the beginning.
fn back<V, T>(visited: &[V], mut at: usize, step: impl Fn(&V) -> (T, Option<usize>)) -> Vec<T> {
    let mut path = Vec::new();
    while let Some(visit) = visited.get(at) {
        let (node, before) = step(visit);
        path.push(node);
        match before {
            Some(before) => at = before,
            None => break,
        }
    }
    path.reverse();
    path
}
