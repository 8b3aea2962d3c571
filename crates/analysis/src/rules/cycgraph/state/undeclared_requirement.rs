//! ## What it does
//!
//! Reports a custom tool, an MCP server or a model that a bundle uses and does not list under `requires`.
//! Tools that the engine has need no entry.
//!
//! ## Why it matters
//!
//! The bundle does not load: a host could not tell what it must provide.
//!
//! ## Example
//!
//! ```yaml expect=undeclared-requirement
//! manifest:
//!   name: brief
//!   version: "1.0"
//!   requires: {models: [m-1]}
//! graph:
//!   id: brief
//!   name: brief
//!   description: Write a brief.
//!   nodes: [{id: a, type: agent, agent_id: writer, tools: [fetch], write_keys: [brief]}]
//!   edges: []
//!   start_node: a
//!   end_nodes: [a]
//! agents:
//!   - {id: writer, name: Writer, model: m-1, provider: local, system_prompt: Write.}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! manifest:
//!   name: brief
//!   version: "1.0"
//!   requires: {tools: [{name: fetch}], models: [m-1]}
//! graph:
//!   id: brief
//!   name: brief
//!   description: Write a brief.
//!   nodes: [{id: a, type: agent, agent_id: writer, tools: [fetch], write_keys: [brief]}]
//!   edges: []
//!   start_node: a
//!   end_nodes: [a]
//! agents:
//!   - {id: writer, name: Writer, model: m-1, provider: local, system_prompt: Write.}
//! ```

use nodewise_model::Body;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "undeclared-requirement",
    former: &[],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Error, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let class = context.violations().and_then(|violations| violations.undeclared);
    for declaration in context.declarations() {
        let Body::Bundle(bundle) = &declaration.body else { continue };
        for undeclared in bundle.undeclared() {
            let what = undeclared.kind.noun();
            let name = short(&undeclared.name.value);
            let finding =
                Finding::new(undeclared.name.at, format!("the manifest does not list the {what} `{name}`"))
                    .spec(class)
                    .label("the bundle does not load")
                    .help(format!("add it to the {what}s that the manifest requires"));
            report.push(match bundle.requires.at {
                Some(at) => finding.related(at, "what the bundle requires"),
                None => finding,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn tools_servers_and_models() {
        check_rule(
            "undeclared-requirement",
            r#"
manifest: {name: b, version: "1", requires: {tools: [{name: known}]}}
graph:
  name: g
  description: d
  nodes: [{id: a, type: agent, agent_id: w, tools: [known, save_to_memory, fetch, {mcp: web}]}]
#                                                                          ^^^^^ error[undeclared-requirement]: the manifest does not list the tool `fetch`
#                                                                                       ^^^ error[undeclared-requirement]: the manifest does not list the server `web`
  edges: []
  start_node: a
  end_nodes: [a]
agents:
  - {id: w, name: W, model: m-1, provider: p, system_prompt: s}
#                           ^^^ error[undeclared-requirement]: the manifest does not list the model `m-1`
"#,
        );
    }
}
