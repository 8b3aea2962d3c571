//! ## What it does
//!
//! Reports a node of AgentOS whose `type` is another word than the one in its `executorConfig`.
//!
//! ## Why it matters
//!
//! The word in `executorConfig` decides what runs. The other one is what people and tools read.
//!
//! ## Example
//!
//! ```yaml expect=mismatched-node-type
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: call, type: gmi, executorConfig: {type: tool, toolName: http_get}, executionMode: single_turn, effectClass: read, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: call, type: static}
//!   - {id: e2, source: call, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: call, type: tool, executorConfig: {type: tool, toolName: call}, executionMode: single_turn, effectClass: external, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: call, type: static}
//!   - {id: e2, source: call, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_dialect::tables::agentos::NODE_TYPES;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::graph_findings;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "mismatched-node-type",
    former: &["node-type-mismatch"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { spec: Some("agentos:I4"), severity: Severity::Error, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for node in context.graph_nodes() {
        let (Some(word), Some(decides)) = (&node.type_word, &node.work_word) else { continue };
        let is_known = |text: &str| NODE_TYPES.iter().any(|known| known.text == text);
        if word.value != decides.value && is_known(&word.value) && is_known(&decides.value) {
            let finding = Finding::new(word.at, format!("`{}` is not what runs here", short(&word.value)))
                .label(format!("the settings of the node say `{}`, which decides", short(&decides.value)))
                .help("write the same word in both places")
                .related(decides.at, "this decides");
            report.push(graph_findings::replace(context, finding, word, &decides.value));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn words_that_are_none_are_another_rule() {
        check_rule(
            "mismatched-node-type",
            r#"
nodes:
  - {id: a, type: gmi, executorConfig: {type: tool}}
#                 ^^^ error[mismatched-node-type]: `gmi` is not what runs here
  - {id: b, type: gmii, executorConfig: {type: tool}}
  - {id: c, type: tool, executorConfig: {type: tool}}
edges: []
---
id: alone
type: human
#     ^^^^^ error[mismatched-node-type]: `human` is not what runs here
executorConfig: {type: voice}
"#,
        );
    }
}
