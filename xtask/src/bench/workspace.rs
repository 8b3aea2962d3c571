//! Liman projects of any size. Input is a folder and a number of files; output is the files, the same
//! on every run. Invariant: every name resolves, and half of the references cross files.

use std::path::Path;

use anyhow::Result;

const TEAMS: &[&str] = &["orders", "billing", "support", "fraud", "returns"];
/// How many files a folder holds.
const FOLDER: usize = 500;
/// Enough declarations for a file of about 100 lines.
const SINGLE: usize = 2;

/// Writes a project of `count` files; returns its size in bytes.
pub(super) fn write(folder: &Path, count: usize) -> Result<u64> {
    let mut bytes = 0;
    for number in 0..count {
        let team = TEAMS[number % TEAMS.len()];
        let text = flow(number, count, team);
        let path =
            folder.join(team).join(format!("{:03}", number / FOLDER)).join(format!("flow_{number:05}.yaml"));
        bytes += text.len() as u64;
        if path.exists() {
            continue;
        }
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, text)?;
    }
    Ok(bytes)
}

/// Writes one file whose names resolve within it.
pub(super) fn write_single(path: &Path) -> Result<()> {
    let flows: Vec<String> = (0..SINGLE).map(|number| flow(number, SINGLE, "orders")).collect();
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    Ok(std::fs::write(path, flows.join("---\n"))?)
}

/// One LLMNode, two ToolNodes and one Node, as a team would write them.
fn flow(number: usize, count: usize, team: &str) -> String {
    let tool = (number * 7 + 3) % count;
    let node = (number * 13 + 5) % count;
    let agent = (number + 1) % count;
    format!(
        "\
# Team {team}: flow {number}
kind: LLMNode
name: agent_{number}
prompts:
  system:
    en: |
      You are the dispatcher for flow {number}.
      The customer is {{customer_name}} and the order is {{order_id}}.
    de: |
      Du bist der Disponent für Ablauf {number}.
      Kunde: {{customer_name}}, Bestellung: {{order_id}}.
tools:
  - lookup_{number}
  - notify_{number}
  - lookup_{tool}
nodes:
  - target: review_{number}
    id: to_review
    when: (score > 0.{number} && status != 'closed') || $is_error(TimeoutError)
  - target: review_{node}
    id: escalate
    when: priority == 'high' and not resolved
    depends: [to_review]
---
kind: ToolNode
name: lookup_{number}
description:
  en: Look up order {number} in the {team} ledger
  de: Suche Bestellung {number} im Verzeichnis {team}
func: tools.{team}.lookup_{number}
arguments:
  - name: order_id
    type: string
    description: The order to look up
  - name: include_history
    type: boolean
    optional: true
triggers:
  - Where is my order?
  - en: What happened to {number}?
---
kind: ToolNode
name: notify_{number}
description: Notify the {team} channel
func: tools.{team}.notify_{number}
arguments:
  - name: text
    type: string
---
kind: Node
name: review_{number}
func: flows.{team}.review_{number}
description: Second look at flow {number}
llm_nodes:
  - target: agent_{agent}
    when: needs_second_opinion == true
"
    )
}
