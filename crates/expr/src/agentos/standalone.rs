//! A routing expression by itself.
//!
//! Input: an expression and the state of a run, an object of its parts. Output: its tree, its result as text, which is
//! the route of a router, and the decision of a conditional edge. Invariant: every text is accepted.

use super::{EdgeVerdict, edge_verdict, parse, result};
use crate::circumstances::Circumstances;
use crate::eval::Scope;
use crate::problem::ParseProblem;
use crate::sexpr::sexpr;
use crate::standalone::{Standalone, StandaloneAnswer, StandaloneEvaluation, StandaloneQuestion};

pub(super) static STANDALONE: Standalone = Standalone {
    doc: "The routing expressions of AgentOS",
    context: "the parts of the state, `{\"scratch\": {...}, \"input\": {...}}`",
    release: None,
    answer,
};

fn answer(question: &StandaloneQuestion<'_>) -> Result<StandaloneAnswer, ParseProblem> {
    let expr = parse(question.text);
    let evaluated = |context: &Circumstances| {
        let partitions = [context.variables()];
        let text = result(&expr, &Scope { variables: &partitions, ..Scope::default() });
        let edge = match edge_verdict(&text) {
            EdgeVerdict::Follow => "follow".to_owned(),
            EdgeVerdict::Skip => "skip".to_owned(),
            EdgeVerdict::Other(name) => format!("other:{name}"),
        };
        StandaloneEvaluation {
            value: Ok(text.to_string().into()),
            decisions: vec![("routes", text.to_string().into()), ("edge", edge.into())],
        }
    };
    Ok(StandaloneAnswer { tree: sexpr(&expr), evaluated: question.context.map(evaluated) })
}
