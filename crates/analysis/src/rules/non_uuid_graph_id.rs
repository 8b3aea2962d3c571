//! ## What it does
//!
//! Reports the id of a graph that is no UUID, where no other file runs the graph as a subgraph.
//!
//! ## Why it matters
//!
//! The one-call `run()` of release 1.4.0 copies the id to the run, which wants a UUID, and refuses to start.
//! A runner that is given a UUID of its own starts the graph, and a subgraph may have any id.
//!
//! ## Example
//!
//! ```yaml expect=non-uuid-graph-id
//! id: desk
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: agent, agent_id: one, write_keys: [reply]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! id: 5f0c2a4e-7d1b-4c3a-9e8f-1a2b3c4d5e6f
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: agent, agent_id: one, write_keys: [reply]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use nodewise_model::Body;
use nodewise_model::graph::Graph;

use super::wording::short;
use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Needs, Report, Rule};

/// The lengths of the groups of digits of a UUID.
const GROUPS: [usize; 5] = [8, 4, 4, 4, 12];

pub(crate) static RULE: Rule = Rule {
    id: "non-uuid-graph-id",
    former: &["graph-id-not-uuid"],
    category: Category::Style,
    is_fixable: false,
    since: "0.1.0",
    spec: None,
    systems: &["cycgraph"],
    severity: Severity::Hint,
    absence: false,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nothing,
    also: &[],
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    for document in context.documents().filter(|document| !context.index.is_used(document.id)) {
        let declaration =
            context.index.effective(document).and_then(|effective| effective.declaration.as_ref());
        let main: Option<&Graph> = match declaration.map(|declaration| &declaration.body) {
            Some(Body::Graph(graph)) => Some(graph),
            Some(Body::Bundle(bundle)) => bundle.graph.as_ref(),
            _ => None,
        };
        let Some(id) = main.and_then(|graph| graph.id.as_ref()) else { continue };
        if !is_uuid(&id.value) {
            report.push(
                Finding::new(id.at, format!("`{}` is no UUID", short(&id.value)))
                    .label("the one-call `run()` does not start the graph")
                    .help("write a UUID, leave the id out, or start the graph with a runner"),
            );
        }
    }
}

/// Whether a text is a UUID as RFC 4122 has it, with its version and variant.
fn is_uuid(text: &str) -> bool {
    let groups: Vec<&str> = text.split('-').collect();
    let fits = |(group, length): (&&str, &usize)| {
        group.len() == *length && group.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    if groups.len() != GROUPS.len() || !groups.iter().zip(&GROUPS).all(fits) {
        return false;
    }
    let all = |digit: char| text.chars().all(|letter| letter == '-' || letter.eq_ignore_ascii_case(&digit));
    // INVARIANT: there are five groups, and none is empty.
    let (version, variant) = (groups[2].as_bytes()[0], groups[3].as_bytes()[0]);
    all('0') || all('f') || (matches!(version, b'1'..=b'8') && b"89abAB".contains(&variant))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn versions_and_variants() {
        check_rule(
            "non-uuid-graph-id",
            r#"
id: 5f0c2a4e-7d1b-9c3a-9e8f-1a2b3c4d5e6f
#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[non-uuid-graph-id]: `5f0c2a4e-7d1b-9c3a-9e8f-1a2b3c…` is no UUID
name: desk
description: A desk.
nodes:
  - {id: a, type: agent, agent_id: one, write_keys: [reply]}
edges: []
start_node: a
end_nodes: [a]
---
id: 00000000-0000-0000-0000-000000000000
name: desk
description: A desk.
nodes:
  - {id: a, type: agent, agent_id: one, write_keys: [reply]}
edges: []
start_node: a
end_nodes: [a]
"#,
        );
    }

    #[test]
    fn a_child_may_have_any_id() {
        check_rule(
            "non-uuid-graph-id",
            r#"
#- /child.yaml
id: child
name: desk
description: A desk.
nodes:
  - {id: a, type: agent, agent_id: one, write_keys: [reply]}
edges: []
start_node: a
end_nodes: [a]
#- /main.yaml
name: desk
description: A desk.
nodes:
  - {id: a, type: subgraph, subgraph_config: {subgraph_id: child}}
edges: []
start_node: a
end_nodes: [a]
"#,
        );
    }
}
