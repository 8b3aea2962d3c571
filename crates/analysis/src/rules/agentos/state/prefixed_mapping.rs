//! ## What it does
//!
//! Reports a path in the mappings of a subgraph that begins with the name of a part of the state: `scratch.`,
//! `input.`, `artifacts.`.
//!
//! ## Why it matters
//!
//! The sides of a mapping are known: scratch and the other graph's input, the other graph's artifacts and
//! scratch. A prefix is taken literally, so that the value is not there, or lands under `scratch.scratch`.
//!
//! ## Example
//!
//! ```yaml expect=prefixed-mapping
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: load, type: subgraph, executorConfig: {type: subgraph, graphId: graph-b, inputMapping: {scratch.topic: topic}}, executionMode: single_turn, effectClass: read, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: load, type: static}
//!   - {id: e2, source: load, target: __END__, type: static}
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
//!   - {id: load, type: subgraph, executorConfig: {type: subgraph, graphId: graph-b, inputMapping: {topic: topic}}, executionMode: single_turn, effectClass: read, checkpoint: none}
//! edges:
//!   - {id: e1, source: __START__, target: load, type: static}
//!   - {id: e2, source: load, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_dialect::tables::agentos::PARTITIONS;
use nodewise_model::Located;
use nodewise_model::agentos::Work;
use smol_str::SmolStr;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::ranges;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "prefixed-mapping",
    former: &[],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { spec: Some("agentos:I27"), severity: Severity::Error, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for node in context.graph_nodes() {
        let Work::Subgraph(subgraph) = Work::of(node) else { continue };
        for mapping in subgraph.inputs.iter().chain(&subgraph.outputs) {
            for path in std::iter::once(&mapping.from).chain(&mapping.to) {
                report.findings.extend(prefixed(context, path).map(|finding| (finding, None)));
            }
        }
    }
}

fn prefixed(context: &Context<'_>, path: &Located<SmolStr>) -> Option<Finding> {
    let (prefix, rest) = path.value.split_once('.').filter(|(prefix, _)| PARTITIONS.contains(prefix))?;
    let finding = Finding::new(path.at, format!("`{}` begins with a part of the state", short(&path.value)))
        .label(format!("`{prefix}.` is read as a separate key"))
        .help(format!("write `{}`", short(rest)));
    Some(match ranges::part(context, path.at, &path.value).filter(|_| ranges::is_word(rest)) {
        Some(at) => finding.fix(format!("Leave out `{prefix}.`"), false, at, rest),
        None => finding,
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn a_key_of_that_name_is_fine() {
        check_rule(
            "prefixed-mapping",
            r#"
nodes:
  - {id: a, executorConfig: {type: subgraph, graphId: x, inputMapping: {scratch.q: input.topic, q: input}, outputMapping: {artifacts.text: found}}}
#                                                                       ^^^^^^^^^ error[prefixed-mapping]: `scratch.q` begins with a part of the state
#                                                                                  ^^^^^^^^^^^ error[prefixed-mapping]: `input.topic` begins with a part of the state
#                                                                                                                          ^^^^^^^^^^^^^^ error[prefixed-mapping]: `artifacts.text` begins with a part of the state
edges:
"#,
        );
    }
}
