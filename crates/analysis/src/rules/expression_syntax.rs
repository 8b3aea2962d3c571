//! ## What it does
//!
//! Reports an edge's expression that is not filtrex: its first fault, at the character where it is.
//!
//! ## Why it matters
//!
//! The graph does not load.
//!
//! ## Example
//!
//! ```yaml expect=expression-syntax
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.x > 1 && memory.y}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.x > 1 and memory.y}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```

use super::{expression, step};
use crate::conditions::ConditionFindingKind;
use crate::diagnostic::Severity;
use crate::rule::{Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "expression-syntax",
    spec: None,
    systems: &["cycgraph"],
    severity: Severity::Error,
    absence: false,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nothing,
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    let Some(class) = step::class(context, &["cycgraph:R13"]) else { return };
    for facts in expression::of_edges(context, |facts| facts.has(ConditionFindingKind::Syntax)) {
        let syntax = facts.findings.iter().filter(|finding| finding.kind == ConditionFindingKind::Syntax);
        // An empty expression is none, and has a rule of its own.
        for finding in syntax.filter(|_| !facts.text.is_empty()) {
            report.push(expression::shown(finding).spec(class).label("the graph does not load"));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn the_first_fault() {
        check_rule(
            "expression-syntax",
            r#"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: router}
edges:
  - {source: a, target: a, condition: {type: conditional, condition: "memory.x && memory.y"}}
#                                                                              ^^ error[expression-syntax]
  - {source: a, target: a, condition: {type: always, condition: "memory.x && memory.y"}}
  - {source: a, target: a, condition: {type: conditional, condition: ''}}
start_node: a
end_nodes: [b]
"#,
        );
    }

    #[test]
    fn what_is_certain_is_mended() {
        check_fix(
            "expression-syntax",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: router}
edges:
  - {source: a, target: a, condition: {type: conditional, condition: memory.x && memory.y}}
start_node: a
end_nodes: [b]
",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: router}
edges:
  - {source: a, target: a, condition: {type: conditional, condition: memory.x and memory.y}}
start_node: a
end_nodes: [b]
",
        );
    }
}
