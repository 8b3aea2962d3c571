//! ## What it does
//!
//! Reports a script or scenario that names a file, a graph, or a first node that is not there.
//!
//! If several scenarios of a file begin at the same node of a project, the name is reported once.
//!
//! ## Why it matters
//!
//! The scenario cannot run.
//!
//! ## Example
//!
//! ```yaml expect=unknown-run-target
//! #- /brief.yaml
//! id: brief
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: write, type: agent, agent_id: writer, write_keys: [text]}
//! edges: []
//! start_node: write
//! end_nodes: [write]
//! #- /brief.scenario.yaml
//! scenario: A brief is written.
//! graph: breif
//! expect: {status: completed}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! #- /brief.yaml
//! id: brief
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: write, type: agent, agent_id: writer, write_keys: [text]}
//! edges: []
//! start_node: write
//! end_nodes: [write]
//! #- /brief.scenario.yaml
//! scenario: A brief is written.
//! graph: brief
//! expect: {status: completed}
//! ```

use std::collections::BTreeMap;

use nodewise_model::graph::Graph;
use nodewise_model::{Located, Origin};
use smol_str::SmolStr;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::graph_findings;
use crate::rules::scenario::scripted::{node_kinds, path_of, scenarios};
use crate::rules::wording::short;
use crate::suggest::Names;

pub(crate) static RULE: Rule = Rule {
    id: "unknown-run-target",
    former: &[],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Error, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let scenarios = scenarios(context);
    let mut entries: BTreeMap<&str, Vec<Origin>> = BTreeMap::new();
    for (scenario, stage) in &scenarios {
        for file in scenario.uses.iter().chain(&scenario.target.file) {
            if context.file_at(&path_of(context, &file.value)).is_none() {
                let message = format!("the project has no file `{}`", short(&file.value));
                report.push(Finding::new(file.at, message).help("paths are relative to this file"));
            }
        }
        if let (Some(node), Some(stage)) = (&scenario.target.node, stage) {
            match stage.graphs.first() {
                Some(graph) => unknown_node(context, graph, node, report),
                None => entries.entry(&node.value).or_default().push(node.at),
            }
        }
        let Some(graph) = &scenario.target.graph else { continue };
        if graph.scope.kinds.iter().all(|kind| context.index.first(kind, &graph.name).is_none()) {
            let near = context.index.nearest(&graph.name, graph.scope.kinds);
            let message = format!("no graph has the id `{}`", short(&graph.name));
            let finding = Finding::new(graph.at, message).label("nothing in the project declares it");
            let written = Located::new(graph.name.clone(), graph.at);
            report.push(match near {
                Some(near) => graph_findings::replace(
                    context,
                    finding.help(format!("write `{}`", short(near))),
                    &written,
                    near,
                ),
                None => finding.help("name the file of the graph under `file`"),
            });
        }
    }
    for (name, places) in entries {
        unknown_entry(context, name, &places, report);
    }
}

/// Reports a first node that the graph does not have.
fn unknown_node(context: &Context<'_>, graph: &Graph, node: &Located<SmolStr>, report: &mut Report) {
    if graph.node(&node.value).is_some() {
        return;
    }
    let names = Names::new(graph.nodes.iter().filter_map(|node| Some(node.id.as_ref()?.value.clone())));
    let finding = Finding::new(node.at, format!("the graph has no node `{}`", short(&node.value)));
    report.push(match names.nearest(&node.value, |_| true) {
        Some(near) => {
            let finding = finding.help(format!("write `{}`", short(near)));
            graph_findings::replace(context, finding, node, near)
        }
        None => finding.label("the run cannot begin there"),
    });
}

/// Reports a first node that nothing declares, once for all scenarios of the file that begin there.
fn unknown_entry(context: &Context<'_>, written: &str, places: &[Origin], report: &mut Report) {
    let name = written.rsplit(['/', ':']).next().unwrap_or_default();
    let Some((first, others)) = places.split_first() else { return };
    if node_kinds().iter().any(|kind| context.index.first(kind, name).is_some()) {
        return;
    }
    let mut finding = Finding::new(*first, format!("no node is called `{}`", short(name)));
    for other in others {
        finding = finding.related(*other, "this scenario begins there too");
    }
    report.push(match context.index.nearest(name, &node_kinds()) {
        Some(near) => finding.help(format!("write `{}`", short(near))),
        None => finding,
    });
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn files_and_entries() {
        check_rule(
            "unknown-run-target",
            r"
#- /flows/desk.yaml
kind: LLMNode
name: desk
prompts: {system: {en: Hi}}
#- /flows/desk.scenario.yaml
scenario: Says hello.
file: desc.yaml
#     ^^^^^^^^^ error[unknown-run-target]: the project has no file `desc.yaml`
uses: [../base.script.yaml]
#      ^^^^^^^^^^^^^^^^^^^ error[unknown-run-target]: the project has no file `../base.script.yaml`
---
scenario: Says hello.
file: desk.yaml
start: dsk
#      ^^^ error[unknown-run-target]: no node is called `dsk`
---
scenario: Begins there again.
file: desk.yaml
start: dsk
---
scenario: Says hello.
file: desk.yaml
start: LLMNode/desk
",
        );
    }

    #[test]
    fn nodes_of_graphs() {
        check_rule(
            "unknown-run-target",
            r"
#- /g.yaml
id: g
name: g
description: ''
nodes:
  - {id: write, type: agent, agent_id: writer}
  - {id: child, type: subgraph, subgraph_config: {subgraph_id: inner}}
edges: [{source: write, target: child}]
start_node: write
end_nodes: [child]
---
id: inner
name: inner
description: ''
nodes:
  - {id: deep, type: agent, agent_id: reader}
edges: []
start_node: deep
end_nodes: [deep]
#- /g.script.yaml
script: Answers.
file: g.yaml
nodes: {write: a}
#- /g.scenario.yaml
scenario: One node.
graph: g
only: wirte
#     ^^^^^ error[unknown-run-target]: the graph has no node `wirte`
---
scenario: A node of another graph.
graph: g
start: deep
#      ^^^^ error[unknown-run-target]: the graph has no node `deep`
---
scenario: The script says the file.
uses: g.script.yaml
only: writ
#     ^^^^ error[unknown-run-target]: the graph has no node `writ`
---
scenario: All is there.
uses: g.script.yaml
only: child
---
scenario: Of the inner one.
graph: inner
only: deep
",
        );
        let fixture = "#- /g.yaml\nid: g\nname: g\ndescription: ''\nnodes: [{id: write, type: agent, agent_id: writer}]\nedges: []\nstart_node: write\nend_nodes: [write]\n#- /g.scenario.yaml\nscenario: x\ngraph: g\n";
        check_fix(
            "unknown-run-target",
            &format!("{fixture}only: wrte\n"),
            &format!("{fixture}only: write\n"),
        );
    }
}
