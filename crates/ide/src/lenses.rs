//! Code lenses: what can be run, and the number of references of a declaration. In: a file. Out: the lenses of each
//! declaration, node, agent, graph and scenario. Lenses that run something are sent complete. References are counted
//! when their lens becomes visible, and are the last on their line, so the others do not move. A lens for a name
//! without references is shown too.

use nodewise_analysis::facts::DocumentFacts;
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::NameUse;
use nodewise_model::{Body, Declaration, NodeKind, Origin, SourceId};
use nodewise_syntax::TextRange;
use smol_str::{SmolStr, format_smolstr};

use crate::markup::counted;
use crate::names::{Entity, NameKind, Occurrence, name_at, names, occurrences_everywhere};
use crate::position::FilePosition;
use crate::uses::referrals;

/// A lens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lens {
    /// The name below the lens.
    pub range: TextRange,
    /// What it runs. Without it, the lens shows the references of the name, and the start of the name is the input of
    /// [`references`].
    pub run: Option<RunLens>,
}

/// A lens that runs something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunLens {
    /// The title.
    pub title: &'static str,
    /// What is run.
    pub runnable: Runnable,
}

/// A lens that shows references.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct References {
    /// The title.
    pub title: String,
    /// The places to show.
    pub places: Vec<Origin>,
}

/// How the thing at a name is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RunMode {
    /// The graph, or a run from the node.
    Onward,
    /// Only the node.
    Alone,
    /// Only the node, in a live run.
    AloneLive,
}

/// What can be run, by its names in the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Runnable {
    /// The graph.
    pub graph: Option<SmolStr>,
    /// The node where the run starts.
    pub node: Option<SmolStr>,
    /// Whether only the node runs.
    pub is_alone: bool,
    /// Whether it is a live run.
    pub is_live: bool,
    /// The index of the document in the file, if it is a scenario.
    pub scenario: Option<u32>,
}

/// The lenses of a file. `has_live`: whether the project configures live runs.
#[must_use]
pub fn lenses(snapshot: &Snapshot, source: SourceId, has_live: bool) -> Vec<Lens> {
    let mut found = Vec::new();
    for (document, at) in scenarios(snapshot, source) {
        let runnable = Runnable { scenario: Some(document), ..Runnable::default() };
        found.push(Lens { range: at.range, run: Some(RunLens { title: "Run scenario", runnable }) });
    }
    let modes = [RunMode::Onward, RunMode::Alone, RunMode::AloneLive];
    let modes = if has_live { &modes[..] } else { &modes[..2] };
    for one in names(snapshot, source).into_iter().filter(has_lens) {
        let runs = modes.iter().filter_map(|mode| run(snapshot, &one, *mode));
        found.extend(runs.map(|run| Lens { range: one.at.range, run: Some(run) }));
        found.push(Lens { range: one.at.range, run: None });
    }
    found
}

/// The references of the lens whose name is at the position. `None` if there is no such name.
#[must_use]
pub fn references(snapshot: &Snapshot, position: FilePosition) -> Option<References> {
    let one = name_at(snapshot, position).filter(has_lens)?;
    let places: Vec<Origin> = match &one.entity {
        Entity::Declaration { .. } => {
            referrals(snapshot, &one.entity).into_iter().map(|referral| referral.at).collect()
        }
        entity => {
            let all = occurrences_everywhere(snapshot, entity).into_iter();
            all.filter(|other| other.usage != NameUse::Declares).map(|other| other.at).collect()
        }
    };
    Some(References { title: counted(places.len(), "reference"), places })
}

fn run(snapshot: &Snapshot, one: &Occurrence, mode: RunMode) -> Option<RunLens> {
    let runnable = runnable(snapshot, one, mode)?;
    let title = match (mode, &runnable.node) {
        (RunMode::AloneLive, _) => "Run node (live)",
        (RunMode::Alone, _) => "Run node",
        (RunMode::Onward, Some(_)) => "Simulate from here",
        (RunMode::Onward, None) => "Simulate graph",
    };
    Some(RunLens { title, runnable })
}

/// The scenarios of a file: the index of the document, and its start.
fn scenarios(snapshot: &Snapshot, source: SourceId) -> Vec<(u32, Origin)> {
    let documents = snapshot.file(source).map(|file| file.documents.as_slice()).unwrap_or_default();
    let scenario = |facts: &DocumentFacts| match &declared(snapshot, facts)?.body {
        Body::Scenario(scenario) if scenario.is_test() => Some((facts.id.position, scenario.head)),
        _ => None,
    };
    documents.iter().filter_map(scenario).collect()
}

/// What runs at the declaration of a name: a graph, a run from a node of it, or a run from a model node. Or only a node.
fn runnable(snapshot: &Snapshot, one: &Occurrence, mode: RunMode) -> Option<Runnable> {
    let is_live = mode == RunMode::AloneLive;
    let is_alone = is_live || mode == RunMode::Alone;
    let declaration = |document: &nodewise_analysis::facts::DocumentId| {
        let file = snapshot.file(document.source)?;
        declared(snapshot, file.documents.get(document.position as usize)?)
    };
    match &one.entity {
        Entity::Declaration { document, part, .. } => {
            let declaration = declaration(document)?;
            match &declaration.body {
                Body::Node(node) if is_alone || node.kind == NodeKind::Model => {
                    let node = format_smolstr!("{}/{}", declaration.kind, one.name);
                    Some(Runnable { node: Some(node), is_alone, is_live, ..Runnable::default() })
                }
                _ if is_alone => None,
                _ => {
                    // The number of a declaration's part counts agents too.
                    let id = declaration.graph(*part)?.id.as_ref().filter(|id| id.at == one.at)?;
                    Some(Runnable { graph: Some(id.value.as_str().into()), ..Runnable::default() })
                }
            }
        }
        Entity::Local { document, graph: Some(part), kind: NameKind::Node, name } => {
            let id = declaration(document)?.graph(*part)?.id.as_ref()?;
            let (graph, node) = (Some(id.value.as_str().into()), Some(name.clone()));
            Some(Runnable { graph, node, is_alone, is_live, scenario: None })
        }
        _ => None,
    }
}

/// What a document declares, overlays applied.
fn declared<'s>(snapshot: &'s Snapshot, facts: &'s DocumentFacts) -> Option<&'s Declaration> {
    snapshot.index().effective(facts)?.declaration.as_ref()
}

fn has_lens(one: &Occurrence) -> bool {
    let is_shown =
        matches!(one.entity, Entity::Declaration { .. } | Entity::Local { kind: NameKind::Node, .. });
    one.usage == NameUse::Declares && is_shown
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::{lenses, references};
    use crate::position::FilePosition;
    use crate::testing::{places, project};

    /// Lists the lenses of the first file with their places.
    fn check_lenses(fixture: &str, expected: &str) {
        check_lenses_where(false, fixture, expected);
    }

    /// The same for a project with or without configured live runs.
    fn check_lenses_where(has_live: bool, fixture: &str, expected: &str) {
        let (snapshot, _) = project(fixture);
        let file = snapshot.files().iter().next().unwrap();
        let mut list = String::new();
        for lens in lenses(&snapshot, file.source, has_live) {
            let name = &file.text[std::ops::Range::<usize>::from(lens.range)];
            let Some(run) = lens.run else {
                let position = FilePosition::new(file.source, lens.range.start());
                let found = references(&snapshot, position).unwrap();
                writeln!(list, "{name}: {}", found.title).unwrap();
                list.push_str(&places(&snapshot, &found.places));
                continue;
            };
            writeln!(list, "{name}: {}", run.title).unwrap();
            let run = run.runnable;
            let names = [run.graph, run.node, run.scenario.map(|one| smol_str::format_smolstr!("#{one}"))];
            let names: Vec<&str> = names.iter().flatten().map(AsRef::as_ref).collect();
            let alone = match (run.is_alone, run.is_live) {
                (true, true) => " alone, for real",
                (true, false) => " alone",
                (false, _) => "",
            };
            writeln!(list, "runs {}{alone}", names.join(" ")).unwrap();
        }
        assert_eq!(list, expected.strip_prefix('\n').unwrap_or(expected));
    }

    #[test]
    fn liman() {
        check_lenses(
            "
#- /a.yaml
kind: ToolNode
name: search
description: x
func: app.search
---
kind: LLMNode
name: 'planner'
prompts: x
tools: [search]
#- /b.yaml
kind: LLMNode
name: writer
prompts: x
nodes: ['ToolNode/search']
#- /c/d.yaml
kind: Overlay
to: LLMNode:planner
tools: [search]
",
            "
search: Run node
runs ToolNode/search alone
search: 3 references
a.yaml:9:9 search
b.yaml:4:9 'ToolNode/search'
c/d.yaml:3:9 search
planner: Simulate from here
runs LLMNode/planner
planner: Run node
runs LLMNode/planner alone
planner: 1 reference
c/d.yaml:2:5 LLMNode:planner
",
        );
    }

    #[test]
    fn where_live_runs_are_configured_nodes_run_for_real_too() {
        check_lenses_where(
            true,
            "
#- /a.yaml
kind: LLMNode
name: planner
prompts: x
",
            "
planner: Simulate from here
runs LLMNode/planner
planner: Run node
runs LLMNode/planner alone
planner: Run node (live)
runs LLMNode/planner alone, for real
planner: 0 references
",
        );
    }

    #[test]
    fn cycgraph() {
        check_lenses(
            "
#- /a.yaml
id: g
name: G
description: ''
nodes:
  - {id: a, type: agent, agent_id: x}
  - {id: b, type: subgraph, subgraph_config: {subgraph_id: g}}
edges: [{source: a, target: b}]
start_node: a
end_nodes: [b]
",
            "
g: Simulate graph
runs g
g: 1 reference
a.yaml:6:60 g
a: Simulate from here
runs g a
a: Run node
runs g a alone
a: 2 references
a.yaml:7:18 a
a.yaml:8:13 a
b: Simulate from here
runs g b
b: Run node
runs g b alone
b: 2 references
a.yaml:7:29 b
a.yaml:9:13 b
",
        );
    }

    #[test]
    fn scenarios_count_too() {
        check_lenses(
            "
#- /a.yaml
id: flow
nodes: [{id: ask, executorConfig: {type: tool, toolName: x}}]
edges: [{id: e, source: __START__, target: ask, type: static}]
#- /b.scenario.yaml
scenario: It asks.
graph: flow
nodes: {ask: 1}
expect: {path: [ask]}
",
            "
flow: Simulate graph
runs flow
flow: 1 reference
b.scenario.yaml:2:8 flow
ask: Simulate from here
runs flow ask
ask: Run node
runs flow ask alone
ask: 3 references
a.yaml:3:44 ask
b.scenario.yaml:3:9 ask
b.scenario.yaml:4:17 ask
",
        );
        check_lenses(
            "
#- /a.yaml
kind: LLMNode
name: desk
prompts: x
#- /b.scenario.yaml
scenario: It asks.
start: desk
nodes: {desk: hello}
expect: {path: [desk]}
",
            "
desk: Simulate from here
runs LLMNode/desk
desk: Run node
runs LLMNode/desk alone
desk: 3 references
b.scenario.yaml:2:8 desk
b.scenario.yaml:3:9 desk
b.scenario.yaml:4:17 desk
",
        );
    }

    #[test]
    fn agentos() {
        check_lenses(
            "
#- /a.yaml
id: flow
nodes:
  - {id: ask, executorConfig: {type: tool, toolName: x}}
  - {id: end, executorConfig: {type: router, condition: {type: expression, expr: \"scratch.a ? ask : b\"}}}
edges: [{id: e, source: __START__, target: ask, type: static}]
",
            "
flow: Simulate graph
runs flow
flow: 0 references
ask: Simulate from here
runs flow ask
ask: Run node
runs flow ask alone
ask: 2 references
a.yaml:4:95 ask
a.yaml:5:44 ask
end: Simulate from here
runs flow end
end: Run node
runs flow end alone
end: 0 references
",
        );
    }

    #[test]
    fn scenarios_run_and_scripts_do_not() {
        check_lenses(
            "
#- /a.yaml
scenario: Somebody asks.
file: flow.yaml
answers: {}
expect: {}
---
script: What is answered.
file: flow.yaml
answers: {}
---
scenario: 'Nobody asks.'
file: flow.yaml
answers: {}
expect: {}
#- /flow.yaml
id: flow
nodes: [{id: ask, executorConfig: {type: tool, toolName: x}}]
edges: []
",
            "
scenario: Run scenario
runs #0
scenario: Run scenario
runs #2
",
        );
    }
}
