//! Projects of any size, for benchmarks. Input is the number of a file and how many there are;
//! output is its text, the same on every run. Invariant: every name resolves within the project, and
//! half of the references cross files.

pub mod agentos;
pub mod cycgraph;
pub mod foreign;
pub mod programs;

/// The text of Liman file `number` of `count`: one LLMNode, two ToolNodes and one Node, as a team would write them.
/// All names resolve if all files exist. `team` is a word that is used in texts and paths.
pub fn flow(number: usize, count: usize, team: &str) -> String {
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
