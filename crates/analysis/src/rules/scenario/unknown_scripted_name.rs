//! ## What it does
//!
//! Reports names of nodes, agents and tools in scripts and expectations that what runs does not have.
//!
//! ## Why it matters
//!
//! Nobody asks for such an answer, and such an expectation holds of every run, or of none.
//!
//! ## Example
//!
//! ```yaml expect=unknown-scripted-name
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
//! nodes: {wirte: The brief.}
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
//! nodes: {write: The brief.}
//! ```

use std::cell::LazyCell;

use nodewise_model::Located;
use nodewise_model::scenario::{Respondent, Scenario};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::graph_findings;
use crate::rules::scenario::scripted::{Stage, node_kinds, scenarios};
use crate::rules::wording::short;
use crate::suggest::Names;

pub(crate) static RULE: Rule = Rule {
    id: "unknown-scripted-name",
    former: &[],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let scenarios = scenarios(context);
    let targets: FxHashSet<&str> =
        scenarios.iter().filter_map(|(one, _)| Some(one.target.node.as_ref()?.value.as_str())).collect();
    for (scenario, stage) in &scenarios {
        let Some(stage) = stage else { continue };
        if stage.is_agent {
            let named = nodes_named(scenario).chain(models_named(scenario));
            // `unknown-run-target` reports the targets.
            named
                .filter(|name| !targets.contains(name.value.as_str()))
                .for_each(|name| of_project(context, name, report));
            continue;
        }
        let nodes = stage.nodes();
        let missing = LazyCell::new(|| stage.missing_nodes());
        for name in nodes_named(scenario).filter(|name| !nodes.holds(&name.value)) {
            let near = nodes.nearest(&name.value, |_| true);
            // The graph is wrong if it uses the name too.
            if (near.is_some() || !stage.runs_unknown) && !missing.contains(name.value.as_str()) {
                unknown(context, "node", name, near, report);
            }
        }
        for_agents_and_tools(context, scenario, stage, report);
        for_models(context, scenario, stage, report);
    }
}

/// All names of nodes in a scenario.
fn nodes_named(scenario: &Scenario) -> impl Iterator<Item = &Located<SmolStr>> {
    let parts = scenario.answers.parts.iter().chain(scenario.phases.iter().flat_map(|phase| &phase.nodes));
    let scripted = parts.filter(|part| part.subject == Respondent::Node && part.graph.is_none());
    let scripted = scripted.filter_map(|part| part.name.as_ref());
    let host = &scenario.host;
    let policies = host.policy.iter().map(|(node, _)| node);
    let compensations = host.compensations.iter().map(|(node, _)| node);
    let expected = scenario.expect.iter().flat_map(|expect| {
        let path = expect.path.iter().flat_map(|path| &path.value);
        let next = expect.next.iter().flat_map(|next| &next.value);
        path.chain(next).chain(&expect.in_order).chain(&expect.includes).chain(&expect.excludes)
    });
    scripted.chain(policies).chain(compensations).chain(expected)
}

/// In an eval, the names of those who call the models.
fn models_named(scenario: &Scenario) -> impl Iterator<Item = &Located<SmolStr>> {
    scenario.eval.iter().flat_map(|eval| {
        let models = eval.models.iter().flat_map(|choice| choice.agents.iter().map(|(name, _)| name));
        models.chain(eval.prompts.iter().flat_map(|choice| choice.texts.iter().map(|(name, _)| name)))
    })
}

/// Checks the names of those who call models: agents, or nodes in systems without agents.
fn for_models(context: &Context<'_>, scenario: &Scenario, stage: &Stage<'_>, report: &mut Report) {
    let agents = Names::new(stage.agents.iter().cloned());
    let nodes = stage.nodes();
    let (noun, known) = if stage.agents.is_empty() { ("node", &nodes) } else { ("agent", &agents) };
    for name in models_named(scenario).filter(|name| !known.holds(&name.value)) {
        let near = known.nearest(&name.value, |_| true);
        if near.is_some() || !stage.runs_unknown {
            unknown(context, noun, name, near, report);
        }
    }
}

/// Checks the name of a node that is a document of its own. `Kind/name` is accepted too.
fn of_project(context: &Context<'_>, name: &Located<SmolStr>, report: &mut Report) {
    let plain = name.value.rsplit(['/', ':']).next().unwrap_or_default();
    let is_declared = node_kinds().iter().any(|kind| context.index.first(kind, plain).is_some());
    // If a declaration uses the name too, another finding says that nothing declares it.
    if is_declared || context.index.users(plain).next().is_some() {
        return;
    }
    unknown(context, "node", name, context.index.nearest(plain, &node_kinds()), report);
}

/// Checks names of agents and tools. Programs may register more than the files show, so only a name that differs in one
/// letter from a known one is reported.
fn for_agents_and_tools(context: &Context<'_>, scenario: &Scenario, stage: &Stage<'_>, report: &mut Report) {
    let agents = Names::new(stage.agents.iter().cloned());
    let tools = stage.tools();
    for part in &scenario.answers.parts {
        let Some(name) = &part.name else { continue };
        let (noun, known) = match part.subject {
            Respondent::Agent => ("agent", &agents),
            Respondent::Tool => ("tool", &tools),
            _ => continue,
        };
        if known.holds(&name.value) {
            continue;
        }
        let near = known.nearest(&name.value, |_| true);
        let is_certain = part.subject == Respondent::Agent && !stage.agents.is_empty() && !stage.runs_unknown;
        if near.is_some() || is_certain {
            unknown(context, noun, name, near, report);
        }
    }
}

fn unknown(
    context: &Context<'_>,
    noun: &str,
    name: &Located<SmolStr>,
    near: Option<&str>,
    report: &mut Report,
) {
    let message = format!("the target has no {noun} `{}`", short(&name.value));
    let finding = Finding::new(name.at, message);
    report.push(match near {
        Some(near) => {
            graph_findings::replace(context, finding.help(format!("write `{}`", short(near))), name, near)
        }
        None => finding.label("nothing with that name is asked or visited"),
    });
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    const GRAPH: &str = "#- /g.yaml\nid: g\nname: g\ndescription: ''\nnodes:\n  - {id: write, type: agent, agent_id: writer, tools: [fetch]}\n  - {id: child, type: subgraph, subgraph_config: {subgraph_id: inner}}\nedges: []\nstart_node: write\nend_nodes: [write]\n---\nid: inner\nname: inner\ndescription: ''\nnodes:\n  - {id: deep, type: agent, agent_id: reader}\nedges: []\nstart_node: deep\nend_nodes: [deep]\n";

    #[test]
    fn nodes_agents_and_tools() {
        check_rule(
            "unknown-scripted-name",
            &format!(
                "{GRAPH}{}",
                r"#- /g.scenario.yaml
scenario: All is as it should be.
file: g.yaml
agents: {writer: a, reader: b, editor: c}
#                              ^^^^^^ warning[unknown-scripted-name]: the target has no agent `editor`
nodes:
  write: a
  deep: b
  deeep: c
# ^^^^^ warning[unknown-scripted-name]: the target has no node `deeep`
tools: {fetch: 1, fetsch: 2, another: 3}
#                 ^^^^^^ warning[unknown-scripted-name]: the target has no tool `fetsch`
expect:
  path: [write, child, gone]
#                      ^^^^ warning[unknown-scripted-name]: the target has no node `gone`
  next: [child, lost]
#               ^^^^ warning[unknown-scripted-name]: the target has no node `lost`
"
            ),
        );
    }

    #[test]
    fn nodes_of_a_project() {
        check_rule(
            "unknown-scripted-name",
            r"
#- /desk.yaml
kind: LLMNode
name: desk
prompts: {system: {en: Hi}}
#- /desk.scenario.yaml
scenario: Says hello.
start: desk
nodes: {desk: hello, LLMNode/desk: hello, desc: hello}
#                                         ^^^^ warning[unknown-scripted-name]: the target has no node `desc`
",
        );
    }

    #[test]
    fn names_of_evals() {
        check_rule(
            "unknown-scripted-name",
            &format!(
                "{GRAPH}{}",
                r"#- /g.eval.yaml
eval: Compares two models.
file: g.yaml
models: [small, {name: both, agents: {writer: small, riter: small}}]
#                                                    ^^^^^ warning[unknown-scripted-name]: the target has no agent `riter`
prompts:
  as declared: {}
  brief: {writer: Be brief., wrter: Be brief.}
#                            ^^^^^ warning[unknown-scripted-name]: the target has no agent `wrter`
cases:
  - case: One.
    tools: {fetsch: 1}
#           ^^^^^^ warning[unknown-scripted-name]: the target has no tool `fetsch`
    expect: {path: [write, gone]}
#                          ^^^^ warning[unknown-scripted-name]: the target has no node `gone`
"
            ),
        );
    }

    #[test]
    fn what_follows_from_a_mistake_in_the_graph_is_silent() {
        let graph = "#- /g.yaml\nid: g\nname: g\ndescription: ''\nnodes:\n  - {id: wirte, type: agent, agent_id: writer}\n  - {id: read, type: agent, agent_id: writer}\nedges:\n  - {source: write, target: read}\nstart_node: write\nend_nodes: [read]\n";
        let scenario = "#- /g.scenario.yaml\nscenario: x\nfile: g.yaml\nnodes: {write: a}\nexpect: {path: [write, read]}\n";
        check_rule("unknown-scripted-name", &format!("{graph}{scenario}"));
        let broken = graph.replace("nodes:\n", "").replace("wirte", "write");
        check_rule("unknown-scripted-name", &format!("{broken}{scenario}"));
        let outside = graph.replace("wirte", "write").replace(
            "type: agent, agent_id: writer}\nedges",
            "type: subgraph, subgraph_config: {subgraph_id: gone}}\nedges",
        );
        let scenario = "#- /g.scenario.yaml\nscenario: x\nfile: g.yaml\nagents: {writer: a, clerk: b}\nnodes: {inner: a}\n";
        check_rule("unknown-scripted-name", &format!("{outside}{scenario}"));
    }

    #[test]
    fn a_name_that_declarations_use_too_is_their_fault() {
        check_rule(
            "unknown-scripted-name",
            r"
#- /desk.yaml
kind: LLMNode
name: desk
prompts: {system: {en: Hi}}
tools: [find]
nodes:
  - target: thanks
#- /desk.scenario.yaml
scenario: Says hello.
file: desk.yaml
start: dekst
nodes: {desk: hello, thanks: You are welcome., dekst: hi}
",
        );
    }

    #[test]
    fn the_near_name_is_a_fix() {
        check_fix(
            "unknown-scripted-name",
            &format!("{GRAPH}#- /g.scenario.yaml\nscenario: x\ngraph: g\nnodes: {{wrte: a}}\n"),
            &format!("{GRAPH}#- /g.scenario.yaml\nscenario: x\ngraph: g\nnodes: {{write: a}}\n"),
        );
    }
}
