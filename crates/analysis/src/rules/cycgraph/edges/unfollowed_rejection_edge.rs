//! ## What it does
//!
//! Reports an edge that leaves an approval and whose condition wants the decision to be `rejected`.
//!
//! ## Why it matters
//!
//! A rejection never comes to the edges: it goes to `rejection_node_id`, and without one it cancels the run.
//! The edges are tried after an approval only.
//!
//! ## Example
//!
//! ```yaml expect=unfollowed-rejection-edge
//! name: desk
//! description: A desk.
//! inputs:
//!   items: {schema: {type: array}}
//!   topic: {schema: {type: string}}
//! nodes:
//!   - {id: a, type: approval, approval_config: {review_keys: [topic]}}
//!   - {id: b, type: router}
//!   - {id: c, type: router}
//! edges:
//!   - {source: a, target: c, condition: {type: conditional, condition: memory.human_decision == "rejected"}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b, c]
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
//!   - {id: a, type: approval, approval_config: {review_keys: [topic], rejection_node_id: c}}
//!   - {id: b, type: router}
//!   - {id: c, type: router}
//! edges:
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b, c]
//! ```

use nodewise_expr::ast::{CompareOperator, Expr, ExprKind, LogicOperator};
use nodewise_expr::filtrex;
use nodewise_model::cycgraph::Work;
use nodewise_model::graph::{EdgeCondition, EdgeGuard, GraphEdge};

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::cycgraph::located_nodes;
use crate::rules::wording::short;

/// The memory key with a person's decision.
const DECISION: &str = "memory.human_decision";
/// The only decision that is not an approval.
const REJECTED: &str = "rejected";

pub(crate) static RULE: Rule = Rule {
    id: "unfollowed-rejection-edge",
    former: &["rejection-edge"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for visit in located_nodes::nodes(context) {
        let Work::Human(human) = Work::of(visit.node) else { continue };
        if visit.facts.meant(visit.position) != visit.position {
            continue;
        }
        let edges = visit.facts.outgoing(visit.position).iter();
        for edge in edges.filter_map(|edge| visit.graph.edges.get(*edge)) {
            let EdgeGuard::When(Some(EdgeCondition::Expression(Some(condition)))) = &edge.guard else {
                continue;
            };
            if !condition.text.contains(REJECTED) || !demands(&filtrex::parse(&condition.text).expr) {
                continue;
            }
            let finding = Finding::new(condition.at, "a rejection never follows this edge")
                .label("edges are tried after an approval only")
                .help(help(edge));
            report.push(match &human.rejection {
                Some(rejection) => finding.related(rejection.at, "a rejection goes here"),
                None => finding,
            });
        }
    }
}

fn help(edge: &GraphEdge) -> String {
    match &edge.target {
        Some(target) => {
            format!("write `rejection_node_id: {}`, and remove the edge", short(&target.name.value))
        }
        None => "name the node in `rejection_node_id`, and remove the edge".to_owned(),
    }
}

/// Whether the expression holds only for a rejection. Looks only into the outermost groups.
fn demands(expr: &Expr) -> bool {
    match &expr.without_groups().kind {
        ExprKind::Compare(compare) => is_rejection(expr.without_groups(), compare.operator),
        ExprKind::Logic(logic) if logic.operator == LogicOperator::And => {
            logic.operands().map(Expr::without_groups).any(|operand| match &operand.kind {
                ExprKind::Compare(compare) => is_rejection(operand, compare.operator),
                _ => false,
            })
        }
        _ => false,
    }
}

fn is_rejection(comparison: &Expr, operator: CompareOperator) -> bool {
    let (mut has_decision, mut has_word) = (false, false);
    comparison.each_child(&mut |operand: &Expr| match &operand.without_groups().kind {
        ExprKind::Variable(path) => has_decision |= path.dotted() == DECISION,
        ExprKind::Text(text) => has_word |= text.value == REJECTED,
        _ => {}
    });
    operator == CompareOperator::Equal && has_decision && has_word
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn what_holds_for_rejections_alone() {
        check_rule(
            "unfollowed-rejection-edge",
            r#"
name: desk
description: A desk.
nodes:
  - {id: a, type: approval, approval_config: {rejection_node_id: b}}
  - {id: b, type: router}
edges:
  - {source: a, target: b, condition: {type: conditional, condition: 'memory.x > 1 and ("rejected" == memory.human_decision)'}}
#                                                                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[unfollowed-rejection-edge]: a rejection never follows this edge
  - {source: a, target: b, condition: {type: conditional, condition: 'memory.human_decision != "rejected"'}}
  - {source: a, target: b, condition: {type: conditional, condition: 'memory.x or memory.human_decision == "rejected"'}}
  - {source: b, target: a, condition: {type: conditional, condition: 'memory.human_decision == "rejected"'}}
start_node: a
end_nodes: [b]
"#,
        );
    }
}
