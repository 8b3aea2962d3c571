//! ## What it does
//!
//! Reports a key of `reducers` that never applies. Only `scratch.` and one more name does.
//!
//! ## Why it matters
//!
//! The reducer is ignored, and the later write wins. Artifacts are never reduced, and neither are parts of a key:
//! a write of `scratch.stats.count` is one of `scratch.stats`.
//!
//! ## Example
//!
//! ```yaml expect=reducer-key
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: a, type: extension, executorConfig: {type: extension, extensionId: com.acme.kit, method: a}, executionMode: single_turn, effectClass: read, checkpoint: none}
//!   - {id: b, type: extension, executorConfig: {type: extension, extensionId: com.acme.kit, method: b}, executionMode: single_turn, effectClass: read, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: a, type: static}
//!   - {id: e2, source: a, target: b, type: static}
//!   - {id: e3, source: b, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {artifacts.summary: longest}
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
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {scratch.summary: longest}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_dialect::tables::agentos::{PARTITIONS, SCRATCH};

use super::wording::short;
use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "reducer-key",
    spec: Some("agentos:I48"),
    systems: &["agentos"],
    severity: Severity::Warning,
    absence: false,
    about_syntax: false,
    source: include_str!("reducer_key.rs"),
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    for path in context.flows().flat_map(|(graph, _)| &graph.reducers).map(|reducer| &reducer.path) {
        let (partition, key) = path.value.split_once('.').unwrap_or(("", &path.value));
        let (label, help) = if partition != SCRATCH {
            match PARTITIONS.contains(&partition) {
                true => ("only scratch is reduced".to_owned(), "remove it".to_owned()),
                false => (
                    "a key begins with `scratch.`".to_owned(),
                    format!("write `{SCRATCH}.{}`", short(&path.value)),
                ),
            }
        } else if let Some((first, _)) = key.split_once('.') {
            (
                "writes of a part count as writes of the whole key".to_owned(),
                format!("write `{SCRATCH}.{}`", short(first)),
            )
        } else if key.is_empty() {
            ("the name of the key is missing".to_owned(), format!("write `{SCRATCH}.` and a name"))
        } else {
            continue;
        };
        report.push(
            Finding::new(path.at, format!("the reducer of `{}` never applies", short(&path.value)))
                .label(label)
                .help(help),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn one_name_behind_scratch() {
        check_rule(
            "reducer-key",
            r#"
nodes:
  - {id: a, executorConfig: {type: tool}}
edges: []
reducers: {scratch.a: max, scratch.a.b: max, artifacts.x: max, hits: max, scratch.: max, input.q: max}
#                          ^^^^^^^^^^^ warning[reducer-key]: the reducer of `scratch.a.b` never applies
#                                            ^^^^^^^^^^^ warning[reducer-key]: the reducer of `artifacts.x` never applies
#                                                              ^^^^ warning[reducer-key]: the reducer of `hits` never applies
#                                                                         ^^^^^^^^ warning[reducer-key]: the reducer of `scratch.` never applies
#                                                                                        ^^^^^^^ warning[reducer-key]: the reducer of `input.q` never applies
"#,
        );
    }
}
