//! ## What it does
//!
//! Reports the id of an agent that nothing declares. It is a warning where a declared id is near, or where
//! nodewise.toml lists the agents that the program registers; otherwise a hint, in a bundle that has agents and in a
//! project that keeps agents in files.
//!
//! If several places use the name, and the only similar declaration has no user, the declaration is reported, once.
//!
//! ## Why it matters
//!
//! The node fails when it runs, unless the program registers the agent. Failing nodes are tried again, so it
//! may take a while until anybody sees why.
//!
//! ## Example
//!
//! ```yaml expect=unknown-agent
//! id: writer
//! name: Writer
//! model: m-1
//! provider: local
//! system_prompt: Write.
//! ---
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: agent, agent_id: writter, write_keys: [brief]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! id: writer
//! name: Writer
//! model: m-1
//! provider: local
//! system_prompt: Write.
//! ---
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, write_keys: [brief]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! ## Options
//!
//! `[cycgraph.external] agents` in `nodewise.toml` lists agents that the program registers in code. Where the list is
//! there, every other agent must be declared.

use nodewise_dialect::table::KindRole;
use nodewise_dialect::tables::cycgraph::AGENT;

use crate::diagnostic::Severity;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::names::host_provided;

pub(crate) static RULE: Rule = Rule {
    id: "unknown-agent",
    former: &[],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    host_provided::check(context, &AGENT, KindRole::Agent, report);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use crate::settings::{Settings, SystemSettings};
    use crate::testing::{check_fix, check_rule, check_rule_with};

    #[test]
    fn only_where_agents_are_kept_in_files() {
        check_rule(
            "unknown-agent",
            r"
#- /a.yaml
id: writer
name: Writer
model: m-1
provider: local
system_prompt: Write.
---
name: brief
description: Write a brief.
nodes:
  - {id: a, type: agent, agent_id: writter}
#                                  ^^^^^^^ warning[unknown-agent]: no agent has the id `writter`
  - {id: v, type: voting, voting_config: {voter_agent_ids: [writer, x], weights: {y: 1}}}
#                                                                   ^ hint[unknown-agent]: no agent has the id `x`
#                                                                                 ^ hint[unknown-agent]: no agent has the id `y`
edges: []
start_node: a
end_nodes: [b]
",
        );
    }

    #[test]
    fn a_bundle_has_its_own() {
        check_rule(
            "unknown-agent",
            r#"
manifest:
  name: brief
  version: "1.0"
  requires: {tools: [{name: fetch}], models: [m-1]}
graph:
  id: brief
  name: brief
  description: Write a brief.
  nodes: [{id: a, type: agent, agent_id: reader, tools: [fetch], write_keys: [brief]}]
#                                        ^^^^^^ hint[unknown-agent]: no agent has the id `reader`
  edges: []
  start_node: a
  end_nodes: [a]
agents:
  - {id: writer, name: Writer, model: m-1, provider: local, system_prompt: Write.}
---
name: brief
description: Write a brief.
nodes:
  - {id: a, type: agent, agent_id: anybody}
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }

    #[test]
    fn a_near_id_is_offered() {
        check_fix(
            "unknown-agent",
            r"
id: writer
name: Writer
model: m-1
provider: local
system_prompt: Write.
---
name: brief
description: Write a brief.
nodes:
  - {id: a, type: agent, agent_id: writter}
edges: []
start_node: a
end_nodes: [b]
",
            r"
id: writer
name: Writer
model: m-1
provider: local
system_prompt: Write.
---
name: brief
description: Write a brief.
nodes:
  - {id: a, type: agent, agent_id: writer}
edges: []
start_node: a
end_nodes: [b]
",
        );
    }

    #[test]
    fn a_list_says_that_there_are_no_others() {
        let outside = BTreeMap::from([("agents", vec!["critic".to_owned()])]);
        let system = SystemSettings { outside, ..SystemSettings::default() };
        let settings = Settings { systems: BTreeMap::from([("cycgraph", system)]), ..Settings::default() };
        check_rule_with(
            "unknown-agent",
            &settings,
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: agent, agent_id: critic}
  - {id: b, type: agent, agent_id: x}
#                                  ^ warning[unknown-agent]: no agent has the id `x`
edges: []
start_node: a
end_nodes: [b]
",
        );
    }
}
