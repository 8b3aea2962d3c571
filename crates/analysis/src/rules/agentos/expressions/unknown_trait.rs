//! ## What it does
//!
//! Reports a trait of a persona that is none of the HEXACO model's: honesty_humility, emotionality, extraversion,
//! agreeableness, conscientiousness, openness.
//!
//! ## Why it matters
//!
//! Any name is accepted. A trait that nobody sets is 0.5 in every choice.
//!
//! ## Example
//!
//! ```yaml expect=unknown-trait
//! id: graph-a
//! name: a
//! nodes:
//!   - {id: say, type: gmi, executorConfig: {type: gmi, instructions: Go.}, executionMode: single_turn, effectClass: read, checkpoint: none, personaPolicy: {traits: {bravery: 0.5}}}
//! edges:
//!   - {id: e1, source: __START__, target: say, type: static}
//!   - {id: e2, source: say, target: __END__, type: static}
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
//!   - {id: say, type: gmi, executorConfig: {type: gmi, instructions: Go.}, executionMode: single_turn, effectClass: read, checkpoint: none, personaPolicy: {traits: {openness: 0.5}}}
//! edges:
//!   - {id: e1, source: __START__, target: say, type: static}
//!   - {id: e2, source: say, target: __END__, type: static}
//! stateSchema: {input: {}, scratch: {}, artifacts: {}}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_dialect::tables::agentos::TRAITS;
use nodewise_model::Located;
use nodewise_model::graph::EdgeGuard;
use smol_str::SmolStr;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::graph_findings;
use crate::rules::wording::short;
use crate::suggest::nearest;

pub(crate) static RULE: Rule = Rule {
    id: "unknown-trait",
    former: &[],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { spec: Some("agentos:I34"), severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let personas = context.graph_nodes().filter_map(|node| node.host.as_ref()?.persona.as_ref());
    for (name, _) in personas.flat_map(|persona| &persona.traits) {
        report.findings.extend(unknown(context, name).map(|finding| (finding, None)));
    }
    for edge in context.whole_graphs().flat_map(|(graph, _)| &graph.edges) {
        if let EdgeGuard::Personality(Some(choice)) = &edge.guard {
            let name = choice.trait_name.as_ref();
            report
                .findings
                .extend(name.and_then(|name| unknown(context, name)).map(|finding| (finding, None)));
        }
    }
}

fn unknown(context: &Context<'_>, name: &Located<SmolStr>) -> Option<Finding> {
    if TRAITS.contains(&name.value.as_str()) {
        return None;
    }
    let finding = Finding::new(name.at, format!("`{}` is not a HEXACO trait", short(&name.value)))
        .label("it is 0.5 unless a host knows it");
    Some(match nearest(&name.value, TRAITS.iter().copied()) {
        Some(near) => graph_findings::replace(context, finding.help(format!("write `{near}`")), name, near),
        None => finding.help(format!("write one of {}", TRAITS.join(", "))),
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn in_personas_and_edges() {
        check_rule(
            "unknown-trait",
            r#"
nodes:
  - {id: a, executorConfig: {type: gmi}, personaPolicy: {traits: {opennes: 1, honesty_humility: 1}}}
#                                                                 ^^^^^^^ warning[unknown-trait]: `opennes` is not a HEXACO trait
  - {id: b, executorConfig: {type: tool}}
edges:
  - {source: a, target: b, type: personality, personalityCondition: {trait: courage}}
#                                                                           ^^^^^^^ warning[unknown-trait]: `courage` is not a HEXACO trait
"#,
        );
    }
}
