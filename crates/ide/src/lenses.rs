//! Code lenses: what can be run, and the number of references of a declaration. In: a file. Out: the lenses of each
//! declaration, node, agent, graph and scenario, above its first line. Lenses that run something are sent complete.
//! References are counted when their lens becomes visible, and are the last on their line, so the others do not move. A
//! name without references has no such lens.

use std::collections::BTreeSet;

use nodewise_analysis::facts::{DocumentFacts, DocumentId};
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::NameUse;
use nodewise_model::{Body, Declaration, NodeKind, Origin, SourceId};
use nodewise_syntax::TextRange;
use rustc_hash::FxHashSet;
use smol_str::{SmolStr, format_smolstr};

use crate::markup::counted;
use crate::names::{Entity, NameKind, Occurrence, by_letters, name_at, names, occurrences_everywhere};
use crate::position::FilePosition;
use crate::uses::referrals;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lens {
    /// The place below the lens: the name, or the first line of the declaration if the name is on a later one.
    pub range: TextRange,
    /// The name. Its start is the input of [`references`].
    pub name: TextRange,
    /// What the lens runs; `None` for a lens that shows the references of the name.
    pub run: Option<RunLens>,
}

/// Which kinds of lenses to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LensSettings {
    /// Lenses that simulate a graph, from its start or from a node.
    pub simulate: bool,
    /// Lenses that simulate a single node.
    pub run_node: bool,
    /// Lenses that run a single node live.
    pub run_live: bool,
    /// Lenses that run a scenario.
    pub scenarios: bool,
    /// Lenses with the number of references.
    pub references: bool,
}

impl LensSettings {
    /// All kinds of lenses.
    pub const ALL: LensSettings =
        LensSettings { simulate: true, run_node: true, run_live: true, scenarios: true, references: true };
}

/// A lens that runs something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunLens {
    pub title: &'static str,
    /// What is run.
    pub runnable: Runnable,
}

/// A lens that shows references.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct References {
    pub title: String,
    /// The places to show.
    pub places: Vec<Origin>,
}

/// How the thing at a name is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RunMode {
    /// The graph, or the run that starts at the node.
    Onward,
    /// Only the node.
    Alone,
    /// Only the node, in a live run.
    AloneLive,
}

/// What can be run, by its names in the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Runnable {
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

/// The lenses of a file.
#[must_use]
pub fn lenses(snapshot: &Snapshot, source: SourceId, wanted: LensSettings) -> Vec<Lens> {
    let mut found = Vec::new();
    for (document, at) in scenarios(snapshot, source).into_iter().filter(|_| wanted.scenarios) {
        let runnable = Runnable { scenario: Some(document), ..Runnable::default() };
        let run = Some(RunLens { title: "Run scenario", runnable });
        found.push(Lens { range: at.range, name: at.range, run });
    }
    let modes = [
        (RunMode::Onward, wanted.simulate),
        (RunMode::Alone, wanted.run_node),
        (RunMode::AloneLive, wanted.run_live),
    ];
    let all = names(snapshot, source);
    let used = if wanted.references { used(snapshot, source, &all) } else { FxHashSet::default() };
    for one in all.iter().filter(|one| has_lens(one)) {
        let (name, range) = (one.at.range, first_line(snapshot, source, one));
        let modes = modes.iter().filter(|(_, is_wanted)| *is_wanted);
        let runs = modes.filter_map(|(mode, _)| run(snapshot, one, *mode));
        found.extend(runs.map(|run| Lens { range, name, run: Some(run) }));
        if used.contains(&one.entity) {
            found.push(Lens { range, name, run: None });
        }
    }
    found
}

/// The declarations and nodes of a file that something refers to. `all` has the names of the file.
fn used(snapshot: &Snapshot, source: SourceId, all: &[Occurrence]) -> FxHashSet<Entity> {
    let refers = |one: &&Occurrence| one.usage != NameUse::Declares;
    let mut used: FxHashSet<Entity> = all.iter().filter(refers).map(|one| one.entity.clone()).collect();
    let unused = all.iter().filter(|one| has_lens(one) && !used.contains(&one.entity));
    let (declarations, nodes): (Vec<&Occurrence>, Vec<&Occurrence>) =
        unused.partition(|one| matches!(one.entity, Entity::Declaration { .. }));
    let referred = declarations.into_iter().filter(|one| !referrals(snapshot, &one.entity).is_empty());
    let referred: Vec<Entity> = referred.map(|one| one.entity.clone()).collect();
    // Each file is read once, because a graph may have thousands of nodes that only scenarios name.
    let files = nodes.iter().flat_map(|one| by_letters(snapshot, &one.name)).map(|file| file.source);
    let files: BTreeSet<SourceId> = files.filter(|file| *file != source).collect();
    for file in files {
        used.extend(names(snapshot, file).iter().filter(refers).map(|one| one.entity.clone()));
    }
    used.extend(referred);
    used
}

/// The first line of the declaration of a name, if the name is on a later one. A lens between the two lines would
/// separate them.
fn first_line(snapshot: &Snapshot, source: SourceId, one: &Occurrence) -> TextRange {
    let head = head_of(snapshot, one).filter(|head| head.source == source);
    let is_later = |head: &Origin| {
        snapshot
            .file(source)
            .is_some_and(|file| file.line(head.range.start()) < file.line(one.at.range.start()))
    };
    head.filter(is_later).map_or(one.at.range, |head| head.range)
}

fn head_of(snapshot: &Snapshot, one: &Occurrence) -> Option<Origin> {
    match &one.entity {
        Entity::Declaration { document, part, .. } => {
            let declaration = declaration(snapshot, *document)?;
            match &declaration.body {
                // The number of a declaration's part counts agents too.
                Body::Bundle(_) => {
                    let graph = declaration.graph(*part)?;
                    graph.id.as_ref().filter(|id| id.at == one.at).map(|_| graph.head)
                }
                _ => Some(declaration.head),
            }
        }
        Entity::Local { document, graph: Some(part), kind: NameKind::Node, name } => {
            Some(declaration(snapshot, *document)?.graph(*part)?.node(name)?.head)
        }
        _ => None,
    }
}

/// The references of the lens whose name is at the position. `None` if there is no such name.
#[must_use]
pub fn references(snapshot: &Snapshot, position: FilePosition) -> Option<References> {
    let one = name_at(snapshot, position).filter(has_lens)?;
    let places = uses(snapshot, &one.entity);
    Some(References { title: counted(places.len(), "reference"), places })
}

/// The places that use a name.
fn uses(snapshot: &Snapshot, entity: &Entity) -> Vec<Origin> {
    match entity {
        Entity::Declaration { .. } => {
            referrals(snapshot, entity).into_iter().map(|referral| referral.at).collect()
        }
        entity => {
            let all = occurrences_everywhere(snapshot, entity).into_iter();
            all.filter(|other| other.usage != NameUse::Declares).map(|other| other.at).collect()
        }
    }
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
    let documents = snapshot.file(source).map(|file| &*file.documents).unwrap_or_default();
    let scenario = |facts: &DocumentFacts| match &declared(snapshot, facts)?.body {
        Body::Scenario(scenario) if scenario.is_test() => Some((facts.id.position, scenario.head)),
        _ => None,
    };
    documents.iter().filter_map(scenario).collect()
}

/// What a lens at the declaration of a name runs: a graph, a run that starts at one of its nodes, a run that starts at
/// a model node, or a single node.
fn runnable(snapshot: &Snapshot, one: &Occurrence, mode: RunMode) -> Option<Runnable> {
    let is_live = mode == RunMode::AloneLive;
    let is_alone = is_live || mode == RunMode::Alone;
    match &one.entity {
        Entity::Declaration { document, part, .. } => {
            let declaration = declaration(snapshot, *document)?;
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
            let id = declaration(snapshot, *document)?.graph(*part)?.id.as_ref()?;
            let (graph, node) = (Some(id.value.as_str().into()), Some(name.clone()));
            Some(Runnable { graph, node, is_alone, is_live, scenario: None })
        }
        _ => None,
    }
}

fn declaration(snapshot: &Snapshot, document: DocumentId) -> Option<&Declaration> {
    let file = snapshot.file(document.source)?;
    declared(snapshot, file.documents.get(document.position as usize)?)
}

/// The declaration of a document, with overlays applied.
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

    use super::{LensSettings, lenses, references};
    use crate::position::FilePosition;
    use crate::testing::{places, project};

    /// Lists the lenses of the first file with their places, without those of live runs.
    fn check_lenses(fixture: &str, expected: &str) {
        check_lenses_where(LensSettings { run_live: false, ..LensSettings::ALL }, fixture, expected);
    }

    /// The same with the given settings. A lens on another line than its name has the text of that place.
    fn check_lenses_where(wanted: LensSettings, fixture: &str, expected: &str) {
        let (snapshot, _) = project(fixture);
        let file = snapshot.files().iter().next().unwrap();
        let text = |range| &file.text[std::ops::Range::<usize>::from(range)];
        let mut list = String::new();
        for lens in lenses(&snapshot, file.source, wanted) {
            let name = match lens.range == lens.name {
                true => text(lens.name).to_owned(),
                false => {
                    let line = file.line(lens.range.start());
                    format!("{} ({line}: {})", text(lens.name), text(lens.range))
                }
            };
            let Some(run) = lens.run else {
                let position = FilePosition::new(file.source, lens.name.start());
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
search (1: kind): Run node
runs ToolNode/search alone
search (1: kind): 3 references
a.yaml:9:9 search
b.yaml:4:9 'ToolNode/search'
c/d.yaml:3:9 search
planner (6: kind): Simulate from here
runs LLMNode/planner
planner (6: kind): Run node
runs LLMNode/planner alone
planner (6: kind): 1 reference
c/d.yaml:2:5 LLMNode:planner
",
        );
    }

    #[test]
    fn where_live_runs_are_configured_nodes_run_for_real_too() {
        check_lenses_where(
            LensSettings::ALL,
            "
#- /a.yaml
name: planner
kind: LLMNode
prompts: x
",
            "
planner: Simulate from here
runs LLMNode/planner
planner: Run node
runs LLMNode/planner alone
planner: Run node (live)
runs LLMNode/planner alone, for real
",
        );
    }

    const NODE: &str = "
#- /a.yaml
kind: LLMNode
name: planner
prompts: x
nodes: [planner]
";
    const TEST: &str = "
#- /a.scenario.yaml
scenario: It asks.
graph: flow
expect: {}
";

    #[test]
    fn each_kind_of_lens_can_be_turned_off() {
        let none = LensSettings {
            simulate: false,
            run_node: false,
            run_live: false,
            scenarios: false,
            references: false,
        };
        check_lenses_where(none, NODE, "");
        check_lenses_where(none, TEST, "");
        let alone = "runs LLMNode/planner alone";
        for (wanted, expected) in [
            (
                LensSettings { simulate: true, ..none },
                "Simulate from here\nruns LLMNode/planner\n".to_owned(),
            ),
            (LensSettings { run_node: true, ..none }, format!("Run node\n{alone}\n")),
            (LensSettings { run_live: true, ..none }, format!("Run node (live)\n{alone}, for real\n")),
            (LensSettings { references: true, ..none }, "1 reference\na.yaml:4:9 planner\n".to_owned()),
        ] {
            check_lenses_where(wanted, NODE, &format!("planner (1: kind): {expected}"));
        }
        let scenarios = LensSettings { scenarios: true, ..none };
        check_lenses_where(scenarios, TEST, "scenario: Run scenario\nruns #0\n");
    }

    #[test]
    fn a_lens_is_above_the_first_line_of_a_node_and_not_between_its_lines() {
        check_lenses(
            "
#- /a.yaml
name: G
id: g
description: ''
nodes:
  - type: agent
    id: a
    agent_id: x
edges: []
start_node: a
end_nodes: [a]
",
            "
g (1: name): Simulate graph
runs g
a (5: type): Simulate from here
runs g a
a (5: type): Run node
runs g a alone
a (5: type): 2 references
a.yaml:9:13 a
a.yaml:10:13 a
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
desk (1: kind): Simulate from here
runs LLMNode/desk
desk (1: kind): Run node
runs LLMNode/desk alone
desk (1: kind): 3 references
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
