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
//! ```yaml expect=ineffective-reducer
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

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::ranges;
use crate::rules::wording::short;
use crate::suggest::nearest;

pub(crate) static RULE: Rule = Rule {
    id: "ineffective-reducer",
    former: &["reducer-key"],
    category: Category::Dataflow,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { spec: Some("agentos:I48"), severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for path in context.whole_graphs().flat_map(|(graph, _)| &graph.reducers).map(|reducer| &reducer.path) {
        if let Some((label, help)) = advice(&path.value) {
            let finding =
                Finding::new(path.at, format!("the reducer of `{}` never applies", short(&path.value)))
                    .label(label)
                    .help(help);
            let meant = below_scratch(&path.value);
            let is_bare = !PARTITIONS.contains(&path.value.split('.').next().unwrap_or_default());
            let is_new = context
                .whole_graphs()
                .all(|(graph, _)| graph.reducers.iter().all(|other| other.path.value.as_str() != meant));
            let place = ranges::part(context, path.at, &path.value).filter(|_| is_bare && is_new);
            report.push(match place.filter(|_| ranges::is_word(&meant)) {
                Some(at) => finding.fix(format!("Write `{}`", short(&meant)), false, at, meant),
                None => finding,
            });
        }
    }
}

/// The path under `scratch` that was probably meant.
fn below_scratch(path: &str) -> String {
    match path.split_once('.').filter(|(first, _)| nearest(first, [SCRATCH]).is_some()) {
        Some((_, key)) => format!("{SCRATCH}.{key}"),
        None => format!("{SCRATCH}.{path}"),
    }
}

/// Why the reducer for a path has no effect, and what to do; `None` if it has one.
fn advice(path: &str) -> Option<(&'static str, String)> {
    let (partition, key) = path.split_once('.').unwrap_or(match PARTITIONS.contains(&path) {
        true => (path, ""),
        false => ("", path),
    });
    if partition != SCRATCH {
        return Some(match PARTITIONS.contains(&partition) {
            true => ("only scratch is reduced", "remove it".to_owned()),
            false => ("a key begins with `scratch.`", format!("write `{}`", short(&below_scratch(path)))),
        });
    }
    match key.split_once('.') {
        Some((first, _)) => Some((
            "writes of a part count as writes of the whole key",
            format!("write `{SCRATCH}.{}`", short(first)),
        )),
        None if key.is_empty() => {
            Some(("the name of the key is missing", format!("write `{SCRATCH}.` and a name")))
        }
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::advice;
    use crate::testing::check_rule;

    #[test]
    fn every_path_has_its_advice() {
        for (path, expected) in [
            ("scratch.total", None),
            ("scratch", Some("write `scratch.` and a name")),
            ("scratch.", Some("write `scratch.` and a name")),
            ("scratch.a.b", Some("write `scratch.a`")),
            ("artifacts", Some("remove it")),
            ("artifacts.a", Some("remove it")),
            ("total", Some("write `scratch.total`")),
        ] {
            assert_eq!(advice(path).map(|(_, help)| help).as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn one_name_behind_scratch() {
        check_rule(
            "ineffective-reducer",
            r#"
nodes:
  - {id: a, executorConfig: {type: tool}}
edges: []
reducers: {scratch.a: max, scratch.a.b: max, artifacts.x: max, hits: max, scratch.: max, input.q: max}
#                          ^^^^^^^^^^^ warning[ineffective-reducer]: the reducer of `scratch.a.b` never applies
#                                            ^^^^^^^^^^^ warning[ineffective-reducer]: the reducer of `artifacts.x` never applies
#                                                              ^^^^ warning[ineffective-reducer]: the reducer of `hits` never applies
#                                                                         ^^^^^^^^ warning[ineffective-reducer]: the reducer of `scratch.` never applies
#                                                                                        ^^^^^^^ warning[ineffective-reducer]: the reducer of `input.q` never applies
"#,
        );
    }
}
