//! Placeholders for untrusted values, and those that name something else.

use crate::settings::{SecuritySettings, Settings};
use crate::testing::{check_rule, check_rule_with};

const RULE: &str = "tainted-prompt";

/// A project in which `read` writes `mail`, `plan` writes `order` from it, and `answer` reads `order` and works by this prompt.
fn cycgraph(prompt: &str, mark: &str) -> String {
    format!(
        "
#- /desk.yaml
id: desk
name: desk
description: Answers mail.
nodes:
  - {{id: read, type: agent, agent_id: a, tools: [{{type: mcp, server_id: mail}}], write_keys: [mail]}}
  - {{id: plan, type: agent, agent_id: b, read_keys: [mail], write_keys: [order], tools: []}}
  - {{id: answer, type: agent, agent_id: writer, read_keys: [order, kind]}}
{mark}edges: [{{source: read, target: plan}}, {{source: plan, target: answer}}]
start_node: read
end_nodes: [answer]
inputs: {{kind: {{schema: {{type: string}}}}}}
#- /writer.yaml
{{id: writer, name: w, provider: p, model: m, system_prompt: '{prompt}'}}
"
    )
}

const MARK: &str = "#                                       ^^^^^^ warning[tainted-prompt]: untrusted text may be in the instructions of `answer`\n";

#[test]
fn placeholders_in_system_prompts() {
    for prompt in ["Do {order}.", "Do {{ memory.order }}.", "Do ${order.items}.", "{kind}: {{order}}"] {
        check_rule(RULE, &cycgraph(prompt, MARK));
    }
    for prompt in
        ["Do {kind}.", "Do order.", "Do {mail}.", "Answer as {\"order\": 1}.", "{{ order", "Do {orders}."]
    {
        check_rule(RULE, &cycgraph(prompt, ""));
    }
}

#[test]
fn what_the_project_trusts() {
    let security = SecuritySettings { trusted: vec!["mail".to_owned()], ..SecuritySettings::default() };
    check_rule_with(RULE, &Settings { security, ..Settings::default() }, &cycgraph("Do {order}.", ""));
}

#[test]
fn placeholders_in_instructions_of_models() {
    for (instructions, mark) in [
        ("Sum up {{artifacts.find}}.", true),
        ("Sum up {artifacts.find.text}.", true),
        ("Sum up {{input.topic}}.", false),
        ("Sum up {{artifacts.other}}.", false),
    ] {
        let mark = if mark {
            format!(
                "#{}{} hint[tainted-prompt]: untrusted text may be in the instructions of `write`\n",
                " ".repeat(68),
                "^".repeat(instructions.len() + 2)
            )
        } else {
            String::new()
        };
        check_rule(
            RULE,
            &format!(
                "
id: brief
name: Brief
nodes:
  - {{id: find, type: tool, executorConfig: {{type: tool, toolName: web_search}}}}
  - {{id: write, type: gmi, executorConfig: {{type: gmi, instructions: \"{instructions}\"}}}}
{mark}edges:
  - {{id: e1, source: __START__, target: find, type: static}}
  - {{id: e2, source: find, target: write, type: static}}
  - {{id: e3, source: write, target: __END__, type: static}}
"
            ),
        );
    }
}
