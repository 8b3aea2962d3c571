//! ## What it does
//!
//! Reports an MCP server whose tools are all given to an agent, without a list of names.
//!
//! ## Why it matters
//!
//! The agent may call every tool that the server has today, and every tool that it will have. The person who runs the
//! server decides what your agent can do.
//!
//! ## Example
//!
//! ```yaml expect=unpinned-server
//! id: reader
//! name: Reader
//! provider: anthropic
//! model: claude-sonnet-4-5
//! system_prompt: Read the mail.
//! tools: [{type: mcp, server_id: mail}]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! id: reader
//! name: Reader
//! provider: anthropic
//! model: claude-sonnet-4-5
//! system_prompt: Read the mail.
//! tools: [{type: mcp, server_id: mail, tool_names: [read_mail]}]
//! ```

use nodewise_model::Declaration;
use nodewise_model::graph::{ToolSource, ToolSourceKind};

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "unpinned-server",
    former: &[],
    category: Category::Security,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let of_nodes = context.graph_nodes().flat_map(|node| node.tools.iter().flat_map(|tools| &tools.value));
    let of_agents = context.declarations().flat_map(Declaration::agents).flat_map(|agent| &agent.tools);
    of_nodes.chain(of_agents).filter_map(unpinned).for_each(|finding| report.push(finding));
}

fn unpinned(tool: &ToolSource) -> Option<Finding> {
    let ToolSourceKind::Server(server, None) = &tool.kind else { return None };
    let finding =
        Finding::new(server.at, format!("every tool of the server `{}` is granted", short(&server.value)));
    Some(finding.label("also those that it gets later").help("list the tools that are needed"))
}
