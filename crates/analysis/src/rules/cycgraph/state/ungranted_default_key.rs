//! ## What it does
//!
//! Reports a key for an agent's plain text that its node may not write.
//!
//! ## Why it matters
//!
//! The graph does not load.
//!
//! ## Example
//!
//! ```yaml expect=ungranted-default-key
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, write_keys: [brief, log], default_write_key: briefs}
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
//!   - {id: a, type: agent, agent_id: writer, write_keys: [brief, log], default_write_key: brief}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use nodewise_model::state::WILDCARD;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::cycgraph::fixes;
use crate::rules::graph_findings;
use crate::rules::list_fixes;
use crate::rules::wording::short;
use crate::suggest::nearest;

pub(crate) static RULE: Rule = Rule {
    id: "ungranted-default-key",
    former: &[],
    category: Category::Dataflow,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { spec: Some("cycgraph:R47"), severity: Severity::Error, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for node in context.graphs().flat_map(|graph| &graph.nodes) {
        let Some(key) = node.access.default_write.as_ref().filter(|key| !key.value.is_empty()) else {
            continue;
        };
        let writes = || node.access.writes.iter().map(|granted| granted.value.as_str());
        if writes().any(|granted| granted == key.value || granted == WILDCARD) {
            continue;
        }
        let finding = Finding::new(
            key.at,
            format!("{} may not write `{}`", graph_findings::named(node), short(&key.value)),
        )
        .spec("cycgraph:R47")
        .label("the graph does not load");
        report.push(match nearest(&key.value, writes()) {
            Some(near) => {
                graph_findings::replace(context, finding.help(format!("write `{}`", short(near))), key, near)
            }
            None => {
                let edit = fixes::with_write(context, node, &key.value);
                let title = format!("Let {} write `{}`", graph_findings::named(node), short(&key.value));
                list_fixes::offer(finding.help("add the key to `write_keys`"), title, false, edit)
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn whatever_the_type() {
        check_rule(
            "ungranted-default-key",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: router, default_write_key: x}
#                                            ^ error[ungranted-default-key]: `a` may not write `x`
  - {id: b, type: agent, agent_id: x, write_keys: ['*'], default_write_key: x}
  - {id: c, type: agent, agent_id: x, default_write_key: ''}
edges: []
start_node: a
end_nodes: [b]
",
        );
    }

    #[test]
    fn the_near_key() {
        check_fix(
            "ungranted-default-key",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: agent, agent_id: x, write_keys: [result], default_write_key: results}
edges: []
start_node: a
end_nodes: [b]
",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: agent, agent_id: x, write_keys: [result], default_write_key: result}
edges: []
start_node: a
end_nodes: [b]
",
        );
    }

    #[test]
    fn or_the_key_is_added() {
        check_fix(
            "ungranted-default-key",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: agent, agent_id: x, write_keys: [], default_write_key: other}
edges: []
start_node: a
end_nodes: [b]
",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: agent, agent_id: x, write_keys: [other], default_write_key: other}
edges: []
start_node: a
end_nodes: [b]
",
        );
    }
}
