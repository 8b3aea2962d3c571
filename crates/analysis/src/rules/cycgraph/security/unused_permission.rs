//! ## What it does
//!
//! Reports a key in the permissions of a bundle's agent that no node grants which the agent works for.
//!
//! ## Why it matters
//!
//! Permissions are the last limit when a node grants too much. A key that no node grants today is a hole tomorrow.
//!
//! ## Example
//!
//! ```yaml expect=unused-permission
//! manifest: {name: brief, version: "1", requires: {models: [m]}}
//! graph:
//!   name: brief
//!   description: Writes a brief.
//!   nodes:
//!     - {id: a, type: agent, agent_id: writer, read_keys: [topic], write_keys: [brief]}
//!   edges: []
//!   start_node: a
//!   end_nodes: [a]
//!   inputs: {topic: {schema: {type: string}}}
//! agents:
//!   - id: writer
//!     name: Writer
//!     provider: anthropic
//!     model: m
//!     system_prompt: Write.
//!     permissions: {read_keys: [topic, salary], write_keys: [brief]}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! manifest: {name: brief, version: "1", requires: {models: [m]}}
//! graph:
//!   name: brief
//!   description: Writes a brief.
//!   nodes:
//!     - {id: a, type: agent, agent_id: writer, read_keys: [topic], write_keys: [brief]}
//!   edges: []
//!   start_node: a
//!   end_nodes: [a]
//!   inputs: {topic: {schema: {type: string}}}
//! agents:
//!   - id: writer
//!     name: Writer
//!     provider: anthropic
//!     model: m
//!     system_prompt: Write.
//!     permissions: {read_keys: [topic], write_keys: [brief]}
//! ```

use nodewise_model::cycgraph::Work;
use nodewise_model::graph::{AgentDefinition, Bundle, GraphNode};
use nodewise_model::state::{NodeAccess, WILDCARD};
use nodewise_model::{Body, Located, Reference};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::diagnostic::{Finding, Severity};
use crate::graphs::GraphFacts;
use crate::rule::{Category, Context, Needs, Report, Rule, RulePart};
use crate::rules::list_fixes;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "unused-permission",
    former: &[],
    category: Category::Security,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart {
        severity: Severity::Hint,
        absence: true,
        needs: Needs::Nodes,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for effective in context.effective() {
        let Some(Body::Bundle(bundle)) = effective.declaration.as_ref().map(|declaration| &declaration.body)
        else {
            continue;
        };
        if bundle.agents.iter().all(|agent| agent.reads.is_none() && agent.writes.is_none()) {
            continue;
        }
        let graphs = context.facts_of(effective);
        let nodes: Vec<(&GraphNode, &NodeAccess)> = graphs
            .flat_map(|(graph, facts): (_, &GraphFacts)| graph.nodes.iter().zip(&facts.access))
            .collect();
        bundle.agents.iter().for_each(|agent| check_agent(context, bundle, agent, &nodes, report));
    }
}

fn check_agent(
    context: &Context<'_>,
    bundle: &Bundle,
    agent: &AgentDefinition,
    nodes: &[(&GraphNode, &NodeAccess)],
    report: &mut Report,
) {
    let Some(id) = &agent.id else { return };
    let is_own = |reference: &&Reference| reference.name == id.value;
    let own: Vec<&NodeAccess> = nodes
        .iter()
        .filter(|(node, _)| agents(node).any(|reference| is_own(&reference)))
        .map(|(_, access)| *access)
        .collect();
    // An agent without a node is for the program, or a mistake of its own.
    let is_named_twice = bundle
        .agents
        .iter()
        .filter(|other| other.id.as_ref().is_some_and(|other| other.value == id.value))
        .count()
        > 1;
    if own.is_empty() || is_named_twice {
        return;
    }
    let reads = own.iter().flat_map(|access| &access.reads);
    let writes = own.iter().flat_map(|access| access.writes.iter().chain(&access.leaves));
    if !own.iter().any(|access| access.reads_all) {
        let granted = reads.map(SmolStr::as_str).collect();
        check_keys(context, (agent.reads.as_deref(), &granted), (&id.value, "may read"), report);
    }
    if !own.iter().any(|access| access.writes_all) {
        let granted = writes.map(SmolStr::as_str).collect();
        check_keys(context, (agent.writes.as_deref(), &granted), (&id.value, "may write"), report);
    }
}

/// The agents that a node uses.
fn agents(node: &GraphNode) -> impl Iterator<Item = &Reference> {
    let others: Vec<&Reference> = match Work::of(node) {
        Work::Voting(voting) => voting.voters.iter().chain(voting.judge.as_ref()).collect(),
        Work::Supervisor(supervisor) => supervisor.agent.iter().collect(),
        Work::Agent(agent) => agent.annealing.iter().filter_map(|one| one.evaluator.as_ref()).collect(),
        _ => Vec::new(),
    };
    node.agent.iter().chain(others)
}

fn check_keys(
    context: &Context<'_>,
    (permitted, granted): (Option<&[Located<SmolStr>]>, &FxHashSet<&str>),
    (agent, may): (&str, &str),
    report: &mut Report,
) {
    let permitted = permitted.unwrap_or_default();
    for (position, key) in permitted.iter().enumerate() {
        if key.value == WILDCARD || granted.contains(key.value.as_str()) {
            continue;
        }
        let message = format!("`{}` {may} `{}`, which no node grants", short(agent), short(&key.value));
        let finding = Finding::new(key.at, message)
            .label("the permission is wider than what is used")
            .help(format!("remove `{}`", short(&key.value)));
        let edits = list_fixes::without_name(context, permitted, position);
        report.push(list_fixes::offer(finding, format!("Remove `{}`", short(&key.value)), false, edits));
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    const BUNDLE: &str = "
manifest: {name: brief, version: '1', requires: {models: [m]}}
graph:
  name: brief
  description: Writes a brief.
  nodes: [{id: a, type: agent, agent_id: writer, read_keys: [topic], write_keys: [brief]}]
  edges: []
  start_node: a
  end_nodes: [a]
  inputs: {topic: {schema: {type: string}}}
agents:
  - id: writer
    name: Writer
    provider: anthropic
    model: m
    system_prompt: Write.
";

    #[test]
    fn keys_that_no_node_grants() {
        let agent = "    permissions: {read_keys: [topic, salary], write_keys: [brief, a_output, rate]}\n";
        let marks = "#                                    ^^^^^^ hint[unused-permission]: `writer` may read `salary`, which no node grants
#                                                                           ^^^^ hint[unused-permission]: `writer` may write `rate`, which no node grants
";
        check_rule("unused-permission", &format!("{BUNDLE}{agent}{marks}"));
        check_rule("unused-permission", BUNDLE);
    }

    #[test]
    fn the_key_is_removed() {
        check_fix(
            "unused-permission",
            &format!("{BUNDLE}    permissions: {{read_keys: [topic, salary]}}\n"),
            &format!("{BUNDLE}    permissions: {{read_keys: [topic]}}\n"),
        );
    }
}
