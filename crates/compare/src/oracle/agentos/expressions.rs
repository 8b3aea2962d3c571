//! Routing expressions.
//!
//! Input is the oracle's question. Output is the text that is the result of the expression. Invariant: a part of the
//! state that the question does not contain is empty, as in the oracle's program.

use nodewise_expr::agentos::{self, PARTITIONS};
use nodewise_expr::eval::Scope;
use nodewise_expr::value::Map;
use serde_json::{Value, json};

use crate::oracle::values;

pub(super) fn answer(question: &Value) -> Value {
    let expression = agentos::parse(question["expression"].as_str().unwrap_or_default());
    let mut state = values::members(&question["state"]);
    for partition in PARTITIONS {
        if state.get(partition).is_none() {
            state.insert(partition, Map::new().into());
        }
    }
    let variables = [&state];
    let scope = Scope { variables: &variables, ..Scope::default() };
    json!({"result": agentos::result(&expression, &scope).as_str()})
}
