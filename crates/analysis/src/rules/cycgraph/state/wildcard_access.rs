//! ## What it does
//!
//! Reports `*` among the keys that a node may read or write. In a graph with a node that may write every key,
//! hints say which checks of keys cannot be made.
//!
//! ## Why it matters
//!
//! A node that reads everything sees what was never meant for it, secrets and tainted texts among it. One
//! that writes everything can overwrite any decision that edges rely on, and nobody can tell any more which
//! keys are never written.
//!
//! ## Example
//!
//! ```yaml expect=wildcard-access
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, read_keys: ['*'], write_keys: [brief]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, write_keys: [brief]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use nodewise_model::state::WILDCARD;
use nodewise_model::{Located, Origin};
use smol_str::SmolStr;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::graph_findings;

pub(crate) static RULE: Rule = Rule {
    id: "wildcard-access",
    former: &[],
    category: Category::Security,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let (reads, writes) = ("cycgraph:R2", "cycgraph:R3");
    for node in context.graphs().flat_map(|graph| &graph.nodes) {
        let name = graph_findings::named(node);
        let finding = match (wildcard(&node.access.reads), wildcard(&node.access.writes)) {
            (None, None) => continue,
            (Some(at), None) => Finding::new(at, format!("{name} may read every key"))
                .spec(reads)
                .label("secrets and tainted texts among them")
                .help("list the keys that the node needs"),
            (None, Some(at)) => Finding::new(at, format!("{name} may overwrite every key"))
                .spec(writes)
                .label("nodewise can no longer tell which keys are unwritten")
                .help("list the keys that the node writes"),
            (Some(read), Some(at)) => Finding::new(at, format!("{name} may read and overwrite every key"))
                .spec(writes)
                .also(reads)
                .label("nodewise can no longer tell which keys are unwritten")
                .related(read, "it reads every key here")
                .help("list the keys that the node reads, and those that it writes"),
        };
        report.push(finding);
    }
}

/// The place of the first wildcard in a list.
fn wildcard(keys: &[Located<SmolStr>]) -> Option<Origin> {
    keys.iter().find(|key| key.value == WILDCARD).map(|key| key.at)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn both_lists() {
        check_rule(
            "wildcard-access",
            r#"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: agent, agent_id: x, read_keys: [k, '*'], write_keys: ["*"]}
#                                                                       ^^^ warning[wildcard-access]: `a` may read and overwrite every key
  - {id: b, type: agent, agent_id: x, read_keys: ['*'], write_keys: [k]}
#                                                 ^^^ warning[wildcard-access]: `b` may read every key
  - {id: c, type: agent, agent_id: x, read_keys: [k], write_keys: ['*']}
#                                                                  ^^^ warning[wildcard-access]: `c` may overwrite every key
edges: []
start_node: a
end_nodes: [a]
"#,
        );
    }
}
