//! What the rules about scripts and scenarios share: the graphs that a scenario runs, and whom it can ask there.

use std::collections::BTreeSet;

use nodewise_dialect::table::KindRole;
use nodewise_dialect::tables::DIALECTS;
use nodewise_expr::value::Value;
use nodewise_model::graph::{Graph, ToolSource, ToolSourceKind};
use nodewise_model::scenario::{Scenario, TargetNames};
use nodewise_model::work::ProvidedKind;
use nodewise_model::{Body, Declaration, Located};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::facts::{DocumentFacts, DocumentId, FileFacts};
use crate::rule::{Context, Needs};
use crate::rules::names::misnamed_node::missing_nodes;
use crate::scenario_target::{folder_of, is_said_by_others, joined};
use crate::suggest::Names;

/// The kinds of declarations that are themselves nodes.
pub(in crate::rules) fn node_kinds() -> Vec<&'static str> {
    let nodes = DIALECTS
        .iter()
        .flat_map(|dialect| dialect.kinds)
        .filter(|kind| matches!(kind.role, KindRole::Node(_)));
    nodes.map(|kind| kind.name).collect()
}

/// The graphs that a scenario can run, the main one first.
#[derive(Debug, Default)]
pub(in crate::rules) struct Stage<'a> {
    pub(in crate::rules) graphs: Vec<&'a Graph>,
    /// The agents that the documents of these graphs name or declare.
    pub(in crate::rules) agents: BTreeSet<SmolStr>,
    /// The schemas of tool arguments that the documents of these graphs declare.
    pub(in crate::rules) tool_schemas: Vec<&'a (SmolStr, Located<Value>)>,
    /// Whether the scenario runs nodes that are documents of their own, so that names are looked up in the whole project.
    pub(in crate::rules) is_agent: bool,
    /// Whether a graph runs another one that is not declared. The host may bring it, with its nodes and agents.
    pub(in crate::rules) runs_unknown: bool,
}

/// The scripts and scenarios of a file. Each one has the stage on which it runs, if that is certain.
pub(in crate::rules) fn scenarios<'a>(context: &Context<'a>) -> Vec<(&'a Scenario, Option<Stage<'a>>)> {
    let declared = context.declarations().filter_map(|declaration| match &declaration.body {
        Body::Scenario(scenario) => Some(scenario.as_ref()),
        _ => None,
    });
    let staged = declared.flat_map(|scenario| {
        // The cases of an eval run on the eval's stage.
        scenario.with_cases().map(move |part| (part, stage(context, scenario)))
    });
    staged.collect()
}

/// The path of a file that a scenario names.
pub(in crate::rules) fn path_of(context: &Context<'_>, name: &str) -> String {
    joined(folder_of(&context.file.path), name)
}

/// The stage: as the scenario itself states it, or else the first script that it uses.
fn stage<'a>(context: &Context<'a>, scenario: &Scenario) -> Option<Stage<'a>> {
    let says = |names: &TargetNames| names.file.is_some() || names.graph.is_some() || names.node.is_some();
    if says(&scenario.target) {
        let found = of_names(context, &scenario.target);
        if found.is_some() || !is_said_by_others(&scenario.target) {
            return found;
        }
    }
    scenario.uses.iter().find_map(|name| {
        let file = context.file_at(&path_of(context, &name.value))?;
        let used = declarations_of(context, file).find_map(|(_, declaration)| match &declaration.body {
            Body::Scenario(used) if says(&used.target) => Some(used.target.clone()),
            _ => None,
        });
        of_names(context, &used?)
    })
}

fn of_names<'a>(context: &Context<'a>, names: &TargetNames) -> Option<Stage<'a>> {
    if let Some(graph) = &names.graph {
        let declared = graph.scope.kinds.iter().find_map(|kind| context.index.first(kind, &graph.name))?;
        return of_graph(context, declared.document, declared.part());
    }
    let file = names.file.as_ref().and_then(|file| context.file_at(&path_of(context, &file.value)));
    if let Some(file) = file {
        let main =
            declarations_of(context, file).find(|(_, declaration)| declaration.graphs().next().is_some());
        if let Some((facts, _)) = main {
            return of_graph(context, facts.id, 0);
        }
        let holds_nodes = declarations_of(context, file).any(|(_, one)| matches!(one.body, Body::Node(_)));
        return holds_nodes.then(|| Stage { is_agent: true, ..Stage::default() });
    }
    let node = names.node.as_ref().filter(|_| names.file.is_none())?;
    let name = node.value.rsplit(['/', ':']).next().unwrap_or_default();
    let is_node = node_kinds().iter().any(|kind| context.index.first(kind, name).is_some());
    is_node.then(|| Stage { is_agent: true, ..Stage::default() })
}

/// The stage of a graph: the graph and all graphs that it can run. `None` if a part of them cannot be read.
fn of_graph<'a>(context: &Context<'a>, document: DocumentId, part: usize) -> Option<Stage<'a>> {
    let mut stage = Stage::default();
    let mut open = vec![(document, part)];
    let mut next = 0;
    while let Some((document, part)) = open.get(next).copied() {
        next += 1;
        let Some(facts) = document_of(context, document) else { continue };
        let is_damaged = context.source(document.source).is_some_and(|file| file.is_damaged(facts));
        if is_damaged || facts.unreadable == Needs::Nodes {
            return None;
        }
        let Some(effective) = context.index.effective(facts) else { continue };
        let Some(declaration) = &effective.declaration else { continue };
        let named = effective.references().filter(|reference| reference.scope.noun == "agent");
        stage.agents.extend(named.map(|reference| reference.name.clone()));
        stage.agents.extend(declaration.agents().filter_map(|agent| Some(agent.id.as_ref()?.value.clone())));
        if let Body::Bundle(bundle) = &declaration.body {
            stage.tool_schemas.extend(&bundle.requires.arguments);
        }
        let Some(graph) = declaration.graph(part) else { continue };
        stage.graphs.push(graph);
        for node in &graph.nodes {
            let Some(call) = node.work.call() else { continue };
            let called = call.graph.as_ref().and_then(|called| context.index.meant(document, called));
            stage.runs_unknown |= called.is_none();
            let called = called.map(|declared| (declared.document, declared.part()));
            open.extend(called.filter(|called| !open.contains(called)));
        }
    }
    Some(stage)
}

pub(in crate::rules) fn document_of<'a>(context: &Context<'a>, id: DocumentId) -> Option<&'a DocumentFacts> {
    context.source(id.source)?.documents.get(id.position as usize)
}

fn declarations_of<'a>(
    context: &Context<'a>,
    file: &'a FileFacts,
) -> impl Iterator<Item = (&'a DocumentFacts, &'a Declaration)> + use<'a> {
    let index = context.index;
    file.documents
        .iter()
        .filter_map(move |facts| Some((facts, index.effective(facts)?.declaration.as_ref()?)))
}

impl Stage<'_> {
    /// The ids of all nodes in the graphs.
    pub(in crate::rules) fn nodes(&self) -> Names {
        let nodes = self.graphs.iter().flat_map(|graph| &graph.nodes);
        Names::new(nodes.filter_map(|node| Some(node.id.as_ref()?.value.clone())))
    }

    /// The names that the graphs use for nodes that they do not have.
    pub(in crate::rules) fn missing_nodes(&self) -> FxHashSet<&str> {
        self.graphs.iter().flat_map(|graph| missing_nodes(graph)).collect()
    }

    /// The names of all tools that the graphs mention.
    pub(in crate::rules) fn tools(&self) -> Names {
        let nodes = || self.graphs.iter().flat_map(|graph| &graph.nodes);
        let provided = nodes().flat_map(|node| node.work.provided());
        let called =
            provided.filter(|(kind, _)| *kind == ProvidedKind::Tool).map(|(_, name)| name.value.clone());
        let sources = nodes().flat_map(|node| node.tools.iter().flat_map(|tools| &tools.value));
        Names::new(called.chain(sources.flat_map(names_of)))
    }
}

fn names_of(source: &ToolSource) -> Vec<SmolStr> {
    match &source.kind {
        ToolSourceKind::Builtin(name) | ToolSourceKind::Custom(name) => vec![name.value.clone()],
        ToolSourceKind::Server(_, tools) => tools.iter().flatten().map(|tool| tool.value.clone()).collect(),
    }
}
