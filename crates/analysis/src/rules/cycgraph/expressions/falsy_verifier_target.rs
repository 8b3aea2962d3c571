//! ## What it does
//!
//! Reports a JSONPath verifier that fails its node instead of giving a verdict: one that wants the whole key to be
//! there, or to be 0, false, empty or null, and one that looks at an optional input. Where it wants the whole
//! key to be such a value it can never pass, which is a warning.
//!
//! ## Why it matters
//!
//! The release looks up a path only in a value that counts as true. When the key is missing, null, 0, false
//! or an empty text, the node fails with a `TypeError` and is tried again; the check itself does not fail.
//!
//! ## Example
//!
//! ```yaml expect=falsy-verifier-target
//! name: desk
//! description: A desk.
//! inputs:
//!   items: {schema: {type: array}}
//!   topic: {schema: {type: string}}
//! nodes:
//!   - {id: a, type: verifier, read_keys: [topic], verifier_config: {type: jsonpath, target_key: topic, path: $, assertion: {op: exists}}}
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
//! inputs:
//!   items: {schema: {type: array}}
//!   topic: {schema: {type: string}}
//! nodes:
//!   - {id: a, type: verifier, read_keys: [topic], verifier_config: {type: expression, expression: exists(memory.topic)}}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use nodewise_expr::value::Value;
use nodewise_model::cycgraph::{Assertion, JsonPathCheck, Verification, Work};
use nodewise_model::graph::Graph;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::cycgraph::located_nodes::{Visit, nodes};
use crate::rules::wording::short;

/// The JSONPath for the whole key.
const WHOLE: &str = "$";

pub(crate) static RULE: Rule = Rule {
    id: "falsy-verifier-target",
    former: &[],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for visit in nodes(context) {
        let Work::Verifier(verifier) = Work::of(visit.node) else { continue };
        let Some(Verification::JsonPath(check)) = &verifier.verification else { continue };
        let (Some(path), Some(assertion)) = (&check.path, &check.assertion) else { continue };
        let is_whole = path.text.trim() == WHOLE;
        match assertion {
            Assertion::Equals(value) if is_whole && is_falsy(value) => report.push_at(
                Severity::Warning,
                Finding::new(path.at, "this check can never pass")
                    .label("a key with that value fails the node instead")
                    .help("check it with an expression"),
            ),
            Assertion::Exists if is_whole => report.push(
                Finding::new(path.at, "this check never fails")
                    .label("a key that is missing fails the node instead")
                    .help("write the expression `exists(memory.<key>)`"),
            ),
            _ => report.findings.extend(optional_target(&visit, check).map(|finding| (finding, None))),
        }
    }
}

/// The finding about a key that no node writes and that a run may start without.
fn optional_target(visit: &Visit<'_>, check: &JsonPathCheck) -> Option<Finding> {
    let target = check.target.as_ref()?;
    let is_written =
        !visit.facts.writers(&target.value).is_empty() || !visit.facts.wildcard_writers.is_empty();
    if is_written || !is_optional(visit.graph, &target.value) {
        return None;
    }
    let message = format!("`{}` may be missing, which fails the node", short(&target.value));
    Some(
        Finding::new(target.at, message)
            .label("the check itself does not fail")
            .help("require the input, or check it with an expression"),
    )
}

fn is_optional(graph: &Graph, key: &str) -> bool {
    let port = graph.inputs.iter().flatten().find(|port| port.key.value == key);
    port.is_some_and(|port| !port.required)
}

fn is_falsy(value: &Value) -> bool {
    match value {
        Value::Null | Value::Undefined | Value::Bool(false) => true,
        Value::Number(number) => *number == 0.0 || number.is_nan(),
        Value::Text(text) => text.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn values_that_count_as_false() {
        check_rule(
            "falsy-verifier-target",
            r#"
name: desk
description: A desk.
inputs:
  note: {schema: {}, required: false}
  topic: {schema: {}}
nodes:
  - {id: a, type: verifier, read_keys: [topic], verifier_config: {type: jsonpath, target_key: topic, path: $, assertion: {op: equals, value: 0}}}
#                                                                                                          ^ warning[falsy-verifier-target]: this check can never pass
  - {id: b, type: verifier, read_keys: [topic], verifier_config: {type: jsonpath, target_key: topic, path: $.x, assertion: {op: equals, value: 0}}}
  - {id: c, type: verifier, read_keys: [topic], verifier_config: {type: jsonpath, target_key: topic, path: $, assertion: {op: equals, value: 1}}}
  - {id: d, type: verifier, read_keys: [topic], verifier_config: {type: jsonpath, target_key: note, path: $.x, assertion: {op: exists}}}
#                                                                                             ^^^^ hint[falsy-verifier-target]: `note` may be missing, which fails the node
edges: []
start_node: a
end_nodes: [b]
"#,
        );
    }
}
