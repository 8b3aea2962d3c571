//! ## What it does
//!
//! Reports a custom tool or a server that nodewise.toml does not list, where it lists any: for graphs and agents what
//! they use, for a bundle what its manifest requires.
//!
//! ## Why it matters
//!
//! The run does not start where a node asks for a tool that the program has not registered; an agent goes without.
//!
//! ## Example
//!
//! The example is silent: without a list in nodewise.toml any tool may be there.
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! nodes: [{id: a, type: tool, tool_id: fetch, tools: [fetch]}]
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! ## Instead
//!
//! List the tool, or name one that is listed.
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! nodes: [{id: a, type: tool, tool_id: search, tools: [search]}]
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! ## Options
//!
//! `[cycgraph.external] tools` and `servers` in `nodewise.toml` list what the program registers in code.

use nodewise_dialect::tables::cycgraph::{OUTSIDE_SERVERS, OUTSIDE_TOOLS};
use nodewise_model::cycgraph::Work;
use nodewise_model::graph::ToolSourceKind;
use nodewise_model::{Body, Declaration, Located};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::diagnostic::{Finding, Severity};
use crate::facts::Ownership;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::graph_findings;
use crate::rules::wording::short;
use crate::suggest::Names;

pub(crate) static RULE: Rule = Rule {
    id: "unregistered-tool",
    former: &[],
    category: Category::Security,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let Ownership::Ours(dialect) = context.file.ownership else { return };
    for (what, key) in [(Asked::Tool, OUTSIDE_TOOLS), (Asked::Server, OUTSIDE_SERVERS)] {
        let Some(listed) = context.file.settings.outside(dialect, key) else { continue };
        let known: FxHashSet<&str> = listed.iter().map(String::as_str).collect();
        let names = Names::new(listed.iter().map(SmolStr::new));
        let asked = context.declarations().flat_map(|declaration| asked_for(declaration, what));
        for name in asked.filter(|name| !known.contains(name.value.as_str())) {
            let message = format!("no {} is registered as `{}`", what.noun(), short(&name.value));
            let finding = Finding::new(name.at, message).label("nodewise.toml does not list it");
            report.push(match names.nearest(&name.value, |_| true) {
                Some(near) => graph_findings::replace(
                    context,
                    finding.help(format!("write `{}`", short(near))),
                    name,
                    near,
                ),
                None => finding.help("add it to the list if the program registers it"),
            });
        }
    }
}

/// The kind of thing that a program registers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    Tool,
    Server,
}

impl Asked {
    fn noun(self) -> &'static str {
        match self {
            Asked::Tool => "tool",
            Asked::Server => "server",
        }
    }
}

/// The names in a declaration that the program must register.
fn asked_for(declaration: &Declaration, what: Asked) -> Vec<&Located<SmolStr>> {
    let nodes = || declaration.graphs().flat_map(|graph| &graph.nodes);
    let remote = nodes().filter_map(|node| match Work::of(node) {
        Work::RemoteAgent(remote) if what == Asked::Server => remote.server.as_ref(),
        _ => None,
    });
    if let Body::Bundle(bundle) = &declaration.body {
        let required = if what == Asked::Tool { &bundle.requires.tools } else { &bundle.requires.servers };
        return required.iter().chain(remote).collect();
    }
    let of_nodes = nodes().flat_map(|node| node.tools.iter().flat_map(|tools| &tools.value));
    let sources = of_nodes.chain(declaration.agents().flat_map(|agent| &agent.tools));
    let named = sources.filter_map(|source| match (&source.kind, what) {
        (ToolSourceKind::Custom(name), Asked::Tool) => Some(name),
        (ToolSourceKind::Server(id, _), Asked::Server) => Some(id),
        _ => None,
    });
    named.chain(remote).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use crate::settings::{Settings, SystemSettings};
    use crate::testing::{check_rule, check_rule_with};

    const FILES: &str = r#"
#- /agent.yaml
id: w
name: W
model: m
provider: p
system_prompt: s
tools: [{type: custom, name: fetsh}, {type: mcp, server_id: web}]
#                            ^^^^^ warning[unregistered-tool]: no tool is registered as `fetsh`
#- /bundle.yaml
manifest: {name: b, version: "1", requires: {tools: [{name: fetch}, {name: send}]}}
#                                                                          ^^^^ warning[unregistered-tool]: no tool is registered as `send`
graph:
  name: g
  description: d
  nodes: [{id: a, type: agent, agent_id: w, tools: [send]}]
  edges: []
  start_node: a
  end_nodes: [a]
#- /graph.yaml
name: g
description: d
nodes:
  - {id: a, type: tool, tool_id: fetch, tools: [fetch, save_to_memory, {mcp: disk}]}
#                                                                            ^^^^ warning[unregistered-tool]: no server is registered as `disk`
  - {id: b, type: a2a, a2a_config: {server_id: partner}}
#                                              ^^^^^^^ warning[unregistered-tool]: no server is registered as `partner`
edges: []
start_node: a
end_nodes: [b]
"#;

    #[test]
    fn what_is_used_and_what_is_required() {
        let list = |name: &str| vec![name.to_owned()];
        let outside = BTreeMap::from([("tools", list("fetch")), ("servers", list("web"))]);
        let system = SystemSettings { outside, ..SystemSettings::default() };
        let systems = BTreeMap::from([("cycgraph", system)]);
        check_rule_with("unregistered-tool", &Settings { systems, ..Settings::default() }, FILES);
    }

    #[test]
    fn any_tool_may_be_there_where_none_is_listed() {
        let unmarked: Vec<&str> = FILES.lines().filter(|line| !line.contains('^')).collect();
        check_rule("unregistered-tool", &unmarked.join("\n"));
    }
}
