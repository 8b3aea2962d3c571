//! What a graph allows a run to do: its nodes, its edges, and what their conditions decide in a state that is known in part.
//!
//! Input: a snapshot and names; output: graphs, and decisions. Invariant: a condition decides only if every key that it reads
//! is known, and it is decided by the code that decides it in a simulated run.

use nodewise_analysis::facts::{DocumentId, Ownership};
use nodewise_analysis::graphs::handed_ids;
use nodewise_analysis::workspace::Snapshot;
use nodewise_expr::assist;
use nodewise_expr::language::{Circumstances, ConditionDecision, NamedRole, PathUse};
use nodewise_expr::value::Value;
use nodewise_model::Origin;
use nodewise_model::graph::{EdgeCondition, EdgeGuard, EndpointRole, Graph, GraphEdge, GraphNode};
use smol_str::SmolStr;

use crate::chart::Places;
use crate::external_run::{ExternalScope, KnownState};
use crate::render::shown;
use crate::system::RunnableSystem;
use crate::target::declaration_of;
use crate::words;

/// A graph that is compared with the runs of a trace.
#[derive(Clone, Copy)]
pub(super) struct RouteGraph<'s> {
    snapshot: &'s Snapshot,
    system: RunnableSystem,
    document: DocumentId,
    pub(super) graph: &'s Graph,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum EdgeResult {
    /// It leads to the node of this name.
    Leads(SmolStr),
    /// It is not followed.
    Ends,
    /// Unknown: its condition reads something that the trace does not say, or the program decides.
    Unknown,
}

impl<'s> RouteGraph<'s> {
    /// The graphs of a system that a project declares.
    pub(super) fn all(snapshot: &'s Snapshot, system: RunnableSystem) -> Vec<RouteGraph<'s>> {
        let is_ours = |ownership| match ownership {
            Ownership::Ours(dialect) => RunnableSystem::of(dialect) == Some(system),
            Ownership::Empty | Ownership::NotOurs => false,
        };
        let files = snapshot.files().iter().filter(|file| is_ours(file.ownership));
        let documents = files.flat_map(|file| &file.documents);
        let declared = documents.filter_map(|facts| Some((facts.id, declaration_of(snapshot, facts.id)?)));
        let graphs = declared.flat_map(|(document, declaration)| {
            declaration.graphs().map(move |graph| RouteGraph { snapshot, system, document, graph })
        });
        graphs.collect()
    }

    /// The graph of a scope: the one that the trace names, or else the one with the most nodes of the scope. Returns an
    /// error if several fit.
    pub(super) fn of_scope(
        graphs: &[RouteGraph<'s>],
        scope: &ExternalScope,
    ) -> Result<RouteGraph<'s>, String> {
        if let Some(id) = &scope.graph {
            let is_it = |graph: &&RouteGraph<'s>| graph.id() == Some(id);
            let found = graphs.iter().find(is_it).or_else(|| graphs.iter().find(|graph| graph.is_called(id)));
            return found
                .copied()
                .ok_or_else(|| format!("no graph has the id `{id}`, which the trace names"));
        }
        let shared = |graph: &RouteGraph<'s>| {
            scope.steps.iter().filter(|step| graph.node(&step.node).is_some()).count()
        };
        let most = graphs.iter().map(shared).max().unwrap_or_default();
        let mut best = graphs.iter().filter(|graph| shared(graph) == most && most > 0);
        match (best.next(), best.next()) {
            (Some(graph), None) => Ok(*graph),
            (Some(one), Some(other)) => Err(format!(
                "the trace names no graph, and several have its nodes: `{}`, `{}`",
                one.name(),
                other.name()
            )),
            (None, _) => Err("the trace names no graph, and no graph has its nodes".to_owned()),
        }
    }

    fn id(&self) -> Option<&'s SmolStr> {
        self.graph.id.as_ref().map(|id| &id.value)
    }

    fn is_called(&self, name: &str) -> bool {
        self.graph.name.as_ref().is_some_and(|own| own.value == name)
    }

    /// The name that people use for it.
    pub(super) fn name(&self) -> &'s str {
        let name = self.graph.name.as_ref().map(|name| name.value.as_str());
        name.or(self.id().map(SmolStr::as_str)).unwrap_or_default()
    }

    /// The node of that id.
    pub(super) fn node(&self, id: &str) -> Option<&'s GraphNode> {
        self.graph.node(id)
    }

    /// The graph that a node runs.
    pub(super) fn called(&self, node: &str) -> Option<RouteGraph<'s>> {
        let reference = self.node(node)?.work.call()?.graph.as_ref()?;
        let declared = self.snapshot.index().meant(self.document, reference)?;
        let graph = declaration_of(self.snapshot, declared.document)?.graph(declared.part())?;
        Some(RouteGraph { document: declared.document, graph, ..*self })
    }

    /// Whether a run ends when this node is done.
    pub(super) fn is_end(&self, node: &str) -> bool {
        let ends = self.graph.ends.iter().flat_map(|ends| &ends.value);
        ends.into_iter().any(|end| end.value == node)
    }

    /// The nodes that a node can hand over to.
    pub(super) fn handed(&self, node: &'s GraphNode) -> Vec<&'s SmolStr> {
        handed_ids(node).into_iter().map(|id| &id.value).collect()
    }

    /// The edges that leave a node, in order.
    pub(super) fn leaving(&self, node: &str) -> impl Iterator<Item = &'s GraphEdge> {
        let leaves = move |edge: &&'s GraphEdge| {
            let source = edge.source.as_ref();
            source.is_some_and(|source| source.role == EndpointRole::Node && source.name.value == node)
        };
        self.graph.edges.iter().filter(leaves).collect::<Vec<_>>().into_iter()
    }

    /// Where an edge leads in a state.
    pub(super) fn result(&self, edge: &GraphEdge, known: Option<&KnownState>) -> EdgeResult {
        let Some(target) = &edge.target else { return EdgeResult::Unknown };
        let own = &target.name.value;
        let condition = match &edge.guard {
            EdgeGuard::Always => return EdgeResult::Leads(own.clone()),
            EdgeGuard::When(Some(condition)) => condition,
            EdgeGuard::When(None)
            | EdgeGuard::Discovery(_)
            | EdgeGuard::Personality(_)
            | EdgeGuard::Unknown => return EdgeResult::Unknown,
        };
        match self.decision(condition, known) {
            Some(ConditionDecision::Fails) => EdgeResult::Ends,
            // A condition that reads tainted keys never holds there, and traces do not say what is tainted.
            Some(ConditionDecision::Holds) if self.graph.strict_taint => EdgeResult::Unknown,
            Some(ConditionDecision::Holds) => EdgeResult::Leads(own.clone()),
            Some(ConditionDecision::LeadsTo(name)) => {
                let is_open = target.role == EndpointRole::Placeholder;
                if is_open || name == *own { EdgeResult::Leads(name) } else { EdgeResult::Ends }
            }
            None => EdgeResult::Unknown,
        }
    }

    /// What a condition decides in a state. `None` if that is not known.
    pub(super) fn decision(
        &self,
        condition: &EdgeCondition,
        known: Option<&KnownState>,
    ) -> Option<ConditionDecision> {
        let EdgeCondition::Expression(Some(condition)) = condition else { return None };
        let (known, text) = (known?, condition.text.as_ref());
        let language = self.system.dialect().condition_language()?;
        let has_function = language.names(text).iter().any(|named| named.role == NamedRole::Function);
        if has_function || !language.paths(text).iter().all(|path| known.has(path)) {
            return None;
        }
        let state = Value::from(known.visible.clone());
        let circumstances = Circumstances { state, now: 0.0, strict_taint: false, errors: Vec::new() };
        assist::evaluate(language, text, &circumstances).decision
    }

    /// An edge with its result, as reports show it.
    pub(super) fn shown_edge(
        &self,
        edge: &GraphEdge,
        known: Option<&KnownState>,
        places: &mut Places<'_>,
    ) -> String {
        let mark = match self.result(edge, known) {
            EdgeResult::Leads(_) => "->",
            EdgeResult::Ends => "-x",
            EdgeResult::Unknown => "-?",
        };
        let target = edge.target.as_ref().map(|target| target.name.value.as_str()).unwrap_or_default();
        let mut line = format!("edge {mark} {target}");
        if let EdgeGuard::When(Some(EdgeCondition::Expression(Some(condition)))) = &edge.guard {
            line.push_str(&format!("  when {}", words::shortened(&condition.text, words::TEXT_MAX)));
        }
        if let Some(place) = places.find(edge.id.as_ref().map_or(edge.head, |id| id.at)) {
            line.push_str(&format!("  {}", shown(&place)));
        }
        line
    }

    pub(super) fn place(&self, node: &str) -> Option<Origin> {
        let node = self.node(node)?;
        Some(node.id.as_ref().map_or(node.head, |id| id.at))
    }
}

impl KnownState {
    /// Whether a trace says what an expression reads by this path.
    fn has(&self, path: &PathUse) -> bool {
        let Some(root) = path.root() else { return false };
        if self.complete.contains(&root.name) {
            return true;
        }
        match (self.visible.get(&root.name), path.key()) {
            (Some(Value::Map(members)), Some(key)) => members.get(&key.name).is_some(),
            (Some(Value::Map(_)), None) | (None, _) => false,
            (Some(_), _) => true,
        }
    }
}
