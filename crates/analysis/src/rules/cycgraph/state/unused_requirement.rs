//! ## What it does
//!
//! Reports a tool, a server or a model that a bundle requires and that no node and no agent of the bundle uses. The
//! rule is silent in bundles that call agents or graphs which are not packed: those may use it.
//!
//! ## Why it matters
//!
//! Everyone who runs the bundle must provide it for nothing, and allows more than is needed.
//!
//! ## Example
//!
//! ```yaml expect=unused-requirement
//! manifest:
//!   name: brief
//!   version: "1.0"
//!   requires: {tools: [{name: fetch}], models: [m-1]}
//! graph:
//!   name: brief
//!   description: Write a brief.
//!   nodes: [{id: a, type: agent, agent_id: writer, write_keys: [brief]}]
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
//!   requires: {models: [m-1]}
//! graph:
//!   name: brief
//!   description: Write a brief.
//!   nodes: [{id: a, type: agent, agent_id: writer, write_keys: [brief]}]
//!   edges: []
//!   start_node: a
//!   end_nodes: [a]
//! agents:
//!   - {id: writer, name: Writer, model: m-1, provider: local, system_prompt: Write.}
//! ```

use nodewise_model::Body;
use nodewise_model::graph::{Bundle, RequirementKind, ToolSourceKind};
use rustc_hash::FxHashSet;

use crate::diagnostic::{Finding, Severity};
use crate::facts::{DocumentFacts, Effective};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "unused-requirement",
    former: &[],
    category: Category::Style,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Hint, absence: true, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for document in context.documents().filter(|document| !document.refused) {
        let Some(effective) = context.index.effective(document) else { continue };
        let Some(Body::Bundle(bundle)) = effective.declaration.as_ref().map(|declaration| &declaration.body)
        else {
            continue;
        };
        if calls_others(context, document, effective) {
            continue;
        }
        let used = Used::by(bundle);
        let requires = &bundle.requires;
        for (kind, listed, used) in [
            (RequirementKind::Tool, &requires.tools, &used.tools),
            (RequirementKind::Server, &requires.servers, &used.servers),
            (RequirementKind::Model, &requires.models, &used.models),
        ] {
            for name in listed.iter().filter(|name| !used.contains(name.value.as_str())) {
                let (what, name_shown) = (kind.noun(), short(&name.value));
                let message = format!("nothing in the bundle uses the {what} `{name_shown}`");
                report.push(
                    Finding::new(name.at, message)
                        .label("the host must provide it without need")
                        .help("remove it, or let a node or an agent use it"),
                );
            }
        }
    }
}

/// Everything that the nodes and agents of a bundle use.
#[derive(Default)]
struct Used<'b> {
    tools: FxHashSet<&'b str>,
    servers: FxHashSet<&'b str>,
    models: FxHashSet<&'b str>,
}

impl<'b> Used<'b> {
    fn by(bundle: &'b Bundle) -> Used<'b> {
        let mut used = Used::default();
        for source in bundle.sources() {
            match &source.kind {
                ToolSourceKind::Builtin(_) => {}
                ToolSourceKind::Custom(name) => {
                    used.tools.insert(&name.value);
                }
                ToolSourceKind::Server(id, _) => {
                    used.servers.insert(&id.value);
                }
            }
        }
        let models = bundle.agents.iter().filter_map(|agent| agent.model.as_ref());
        used.models.extend(models.map(|model| model.value.as_str()));
        used
    }
}

/// Whether the bundle refers to agents or graphs that it does not contain.
fn calls_others(context: &Context<'_>, document: &DocumentFacts, effective: &Effective) -> bool {
    effective.references().any(|reference| {
        let meant = context.index.meant(document.id, reference);
        meant.is_none_or(|declared| declared.document != document.id)
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn tools_servers_and_models() {
        check_rule(
            "unused-requirement",
            r#"
manifest:
  name: b
  version: "1"
  requires:
    tools: [{name: fetch}, {name: send}]
#                                 ^^^^ hint[unused-requirement]: nothing in the bundle uses the tool `send`
    mcp_servers: [{id: web}, {id: disk}]
#                                 ^^^^ hint[unused-requirement]: nothing in the bundle uses the server `disk`
    models: [m-1, m-2]
#                 ^^^ hint[unused-requirement]: nothing in the bundle uses the model `m-2`
graph:
  name: g
  description: d
  nodes: [{id: a, type: agent, agent_id: w, tools: [fetch, save_to_memory]}]
  edges: []
  start_node: a
  end_nodes: [a]
agents:
  - {id: w, name: W, model: m-1, provider: p, system_prompt: s, tools: [{type: mcp, server_id: web}]}
"#,
        );
    }

    #[test]
    fn agents_of_the_host_may_use_anything() {
        check_rule(
            "unused-requirement",
            r#"
manifest: {name: b, version: "1", requires: {tools: [{name: fetch}]}}
graph:
  name: g
  description: d
  nodes: [{id: a, type: agent, agent_id: w}]
  edges: []
  start_node: a
  end_nodes: [a]
"#,
        );
    }
}
