//! Routing expressions of AgentOS.
//!
//! Input: an expression and the state of a run, an object of its parts. Output: its tree, its result as text, which is
//! the route of a router, and the decision of a conditional edge. Invariant: every text is accepted.

use nodewise_expr::agentos::{EdgeVerdict, edge_verdict, parse, result};
use nodewise_expr::eval::Scope;
use nodewise_expr::sexpr::sexpr;

use super::super::question::{Accepted, Answer, Evaluated, Question};

/// The answer to an expression.
pub(super) fn answer(question: &Question) -> Answer {
    let expr = parse(&question.expr);
    let evaluated = question.variables().map(|state| {
        let partitions = [state];
        let text = result(&expr, &Scope { variables: &partitions, ..Scope::default() });
        let edge = match edge_verdict(&text) {
            EdgeVerdict::Follow => "follow".to_owned(),
            EdgeVerdict::Skip => "skip".to_owned(),
            EdgeVerdict::Other(name) => format!("other:{name}"),
        };
        Evaluated {
            verdicts: vec![("routes", text.to_string().into()), ("edge", edge.into())],
            value: Ok(text.to_string().into()),
        }
    });
    Answer::Accepted(Accepted { ast: sexpr(&expr), evaluated })
}
