//! ## What it does
//!
//! Reports a `tool_id` that none of the node's `tools` provides. Where a server of tools does not list its
//! tools, it may provide any; where the node has no `tools` at all it is a hint.
//!
//! ## Why it matters
//!
//! The node fails, because it finds its tool in its own `tools` only. (A host without any tools answers each
//! call with its arguments.)
//!
//! ## Example
//!
//! ```yaml expect=unprovided-tool
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: tool, tool_id: search, tools: [serach]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: tool, tool_id: search, tools: [search]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use nodewise_dialect::tables::cycgraph::OUTSIDE_TOOLS;
use nodewise_model::Located;
use nodewise_model::cycgraph::Work;
use nodewise_model::graph::{ToolSource, ToolSourceKind};
use smol_str::SmolStr;

use crate::diagnostic::{Finding, Severity};
use crate::facts::Ownership;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::cycgraph::located_nodes;
use crate::rules::graph_findings;
use crate::rules::wording::short;
use crate::suggest::Names;

pub(crate) static RULE: Rule = Rule {
    id: "unprovided-tool",
    former: &["tool-not-provided"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for visit in located_nodes::nodes(context) {
        let Work::Tool(work) = Work::of(visit.node) else { continue };
        let Some(tool) = &work.tool else { continue };
        let sources = visit.node.tools.as_ref().map_or(&[][..], |tools| &tools.value);
        let message =
            format!("no tool of {} is named `{}`", graph_findings::named(visit.node), short(&tool.value));
        let finding = Finding::new(tool.at, message).label("the node fails when it runs");
        if sources.is_empty() {
            report.push_at(Severity::Hint, finding.help("say in `tools` where the tool comes from"));
            continue;
        }
        let Some(provided) = provided(sources) else { continue };
        let is_custom = |tool: &str| {
            let is_it = |source: &ToolSource| matches!(&source.kind, ToolSourceKind::Custom(name) if name.value == tool);
            sources.iter().any(is_it)
        };
        let names = Names::new(provided.into_iter().map(|name| name.value.clone()));
        if names.holds(&tool.value) {
            continue;
        }
        report.push(match names.nearest(&tool.value, |_| true) {
            // `unregistered-tool` reports the tool in the list.
            Some(near) if is_custom(near) && is_unregistered(context, near) => continue,
            Some(near) => {
                graph_findings::replace(context, finding.help(format!("write `{}`", short(near))), tool, near)
            }
            None => finding.help("add it to `tools`"),
        });
    }
}

/// Whether nodewise.toml lists the tools that programs register, and this one is not among them.
fn is_unregistered(context: &Context<'_>, tool: &str) -> bool {
    let Ownership::Ours(dialect) = context.file.ownership else { return false };
    let listed = context.file.settings.outside(dialect, OUTSIDE_TOOLS);
    listed.is_some_and(|listed| listed.iter().all(|known| known != tool))
}

/// The names of all tools; `None` if a server does not list its tools, so that any name may be right.
fn provided(sources: &[ToolSource]) -> Option<Vec<&Located<SmolStr>>> {
    let mut names = Vec::new();
    for source in sources {
        match &source.kind {
            ToolSourceKind::Builtin(name) | ToolSourceKind::Custom(name) => names.push(name),
            ToolSourceKind::Server(_, tools) => names.extend(tools.as_ref()?),
        }
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn servers_may_provide_any() {
        check_rule(
            "unprovided-tool",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: tool, tool_id: find, tools: [{type: mcp, server_id: web}]}
  - {id: b, type: tool, tool_id: find, tools: [{mcp: web, tools: [fetch]}, save_to_memory]}
#                                ^^^^ warning[unprovided-tool]: no tool of `b` is named `find`
  - {id: c, type: tool, tool_id: find}
#                                ^^^^ hint[unprovided-tool]: no tool of `c` is named `find`
  - {id: d, type: tool, tool_id: fetch, tools: [{mcp: web, tools: [fetch]}]}
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }

    #[test]
    fn takes_the_near_name() {
        check_fix(
            "unprovided-tool",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: tool, tool_id: search, tools: [serach]}
edges: []
start_node: a
end_nodes: [b]
"#,
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: tool, tool_id: serach, tools: [serach]}
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }
}
