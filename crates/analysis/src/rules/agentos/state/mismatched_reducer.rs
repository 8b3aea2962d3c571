//! ## What it does
//!
//! Reports a reducer that does something else than its name says for the type that the schema declares: `concat`
//! of texts, `sum` of texts or lists.
//!
//! ## Why it matters
//!
//! `concat` takes everything that is no list for an empty one, so that two texts come to an empty list. `sum`
//! joins texts, and turns lists into text.
//!
//! ## Example
//!
//! ```yaml expect=mismatched-reducer
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: a, type: extension, executorConfig: {type: extension, extensionId: com.acme.kit, method: a}, executionMode: single_turn, effectClass: read, checkpoint: none}
//!   - {id: b, type: extension, executorConfig: {type: extension, extensionId: com.acme.kit, method: b}, executionMode: single_turn, effectClass: read, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: a, type: static}
//!   - {id: e2, source: a, target: b, type: static}
//!   - {id: e3, source: b, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {type: object, properties: {log: {type: string}}}, artifacts: {}}
//! reducers: {scratch.log: concat}
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
//!   - {id: a, type: extension, executorConfig: {type: extension, extensionId: com.acme.kit, method: a}, executionMode: single_turn, effectClass: read, checkpoint: none}
//!   - {id: b, type: extension, executorConfig: {type: extension, extensionId: com.acme.kit, method: b}, executionMode: single_turn, effectClass: read, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: a, type: static}
//!   - {id: e2, source: a, target: b, type: static}
//!   - {id: e3, source: b, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {type: object, properties: {log: {type: array}}}, artifacts: {}}
//! reducers: {scratch.log: concat}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_dialect::tables::agentos::SCRATCH;
use nodewise_expr::value::Value;
use nodewise_model::graph::Graph;
use smol_str::SmolStr;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "mismatched-reducer",
    former: &["unfit-reducer"],
    category: Category::Dataflow,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, _) in context.whole_graphs() {
        for reducer in &graph.reducers {
            let key = reducer.path.value.strip_prefix(SCRATCH).and_then(|rest| rest.strip_prefix('.'));
            let (Some(key), Some(operation)) = (key, &reducer.operation) else { continue };
            let harm = match (operation.value.as_str(), declared(graph, key).as_deref()) {
                ("concat", Some("string" | "number" | "integer" | "object" | "boolean")) => {
                    "anything but a list counts as an empty list: the values are lost"
                }
                ("sum", Some("string")) => "texts are joined",
                ("sum", Some("array" | "object")) => "lists and mappings become text",
                ("merge", Some("array" | "string" | "number" | "integer")) => {
                    "anything but a mapping counts as an empty mapping"
                }
                _ => continue,
            };
            let message = format!("`{}` does not fit the type of `{}`", operation.value, short(key));
            report.push(
                Finding::new(operation.at, message).label(harm).help("choose a reducer that fits the type"),
            );
        }
    }
}

/// The type that the schema declares for a scratch key.
fn declared(graph: &Graph, key: &str) -> Option<SmolStr> {
    let partitions = &graph.state.as_ref()?.value;
    let scratch = partitions.iter().find(|partition| partition.name.value == SCRATCH)?;
    let member = |value: &Value, key: &str| match value {
        Value::Map(map) => map.get(key).cloned(),
        _ => None,
    };
    match member(&member(&member(scratch.schema.as_ref()?, "properties")?, key)?, "type")? {
        Value::Text(word) => Some(word),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn what_the_schema_says_counts() {
        check_rule(
            "mismatched-reducer",
            r#"
nodes:
  - {id: a, executorConfig: {type: extension}}
edges: []
stateSchema: {scratch: {properties: {a: {type: string}, b: {type: array}, c: {}}}}
reducers: {scratch.a: sum, scratch.b: sum, scratch.c: concat, scratch.d: concat, scratch.b: merge}
#                     ^^^ warning[mismatched-reducer]: `sum` does not fit the type of `a`
#                                     ^^^ warning[mismatched-reducer]: `sum` does not fit the type of `b`
#                                                                                           ^^^^^ warning[mismatched-reducer]: `merge` does not fit the type of `b`
"#,
        );
    }
}
