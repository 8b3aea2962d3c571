//! ## What it does
//!
//! Reports a script or scenario that names a file, a graph, or a first node that is not there.
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

use nodewise_model::Located;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::graph_findings;
use crate::rules::scenario::scripted::{node_kinds, path_of, scenarios};
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "unknown-run-target",
    former: &[],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Error, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (scenario, stage) in scenarios(context) {
        for file in scenario.uses.iter().chain(&scenario.target.file) {
            if context.file_at(&path_of(context, &file.value)).is_none() {
                let message = format!("the project has no file `{}`", short(&file.value));
                report.push(Finding::new(file.at, message).help("paths are relative to this file"));
            }
        }
        let Some(graph) = &scenario.target.graph else {
            if let (Some(node), Some(stage)) = (&scenario.target.node, &stage)
                && stage.is_agent
            {
                unknown_entry(context, node, report);
            }
            continue;
        };
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
}

/// The first node of an agent, which nothing declares.
fn unknown_entry(context: &Context<'_>, node: &Located<smol_str::SmolStr>, report: &mut Report) {
    let name = node.value.rsplit(['/', ':']).next().unwrap_or_default();
    if node_kinds().iter().any(|kind| context.index.first(kind, name).is_some()) {
        return;
    }
    let finding = Finding::new(node.at, format!("no node is called `{}`", short(name)));
    report.push(match context.index.nearest(name, &node_kinds()) {
        Some(near) => finding.help(format!("write `{}`", short(near))),
        None => finding,
    });
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

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
scenario: Says hello.
file: desk.yaml
start: LLMNode/desk
",
        );
    }
}
