//! LimanCE, as the release reads it.
//!
//! Input is the oracle's question. Output is the tree with the decision or the class of error, or the place of a syntax
//! error. Invariant: offsets count characters, as in the package.

use nodewise_expr::ast::ExprKind;
use nodewise_expr::eval::{self, Scope};
use nodewise_expr::limance::{self, LimanCe, LimanceProfile};
use nodewise_expr::sexpr::sexpr;
use serde_json::{Value, json};

use crate::oracle::values;

pub(super) fn answer(question: &Value) -> Value {
    let text = question["expression"].as_str().unwrap_or_default();
    let parsed = limance::parse(text, LimanceProfile::Release);
    if let Some(problem) = parsed.problems.first() {
        let offset = usize::from(problem.offset());
        return json!({"offset": text[..offset].chars().count()});
    }
    let tree = sexpr(&parsed.expr);
    if matches!(parsed.expr.kind, ExprKind::Function(_)) {
        return json!({"tree": tree});
    }
    let variables = [&values::members(&question["context"])];
    let scope = Scope { variables: &variables, ..Scope::default() };
    match eval::holds(&parsed.expr, &LimanCe, &scope) {
        Ok(holds) => json!({"tree": tree, "value": holds}),
        Err(error) => json!({"tree": tree, "error": error.kind.name()}),
    }
}

/// The oracle's answer without the name of the parser's exception.
pub(super) fn their_answer(_question: &Value, answer: &Value) -> Value {
    let mut answer = answer.clone();
    if answer.get("tree").is_none() {
        return json!({"offset": answer["offset"].take()});
    }
    answer
}
