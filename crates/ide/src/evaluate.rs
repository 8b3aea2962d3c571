//! Evaluates an expression of a file with a given state: its value, the values of its parts, and whether the edge is
//! followed. In: a position and a state. Out: the evaluation, with ranges of the file.

use nodewise_analysis::workspace::Snapshot;
use nodewise_expr::assist::{self, Evaluation};
use nodewise_expr::language::Circumstances;
use nodewise_syntax::TextRange;

use crate::cursor_context::CursorContext;
use crate::position::FilePosition;

/// An expression and its evaluation.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluated {
    /// The expression, as its language reads it.
    pub text: String,
    pub range: TextRange,
    /// Its evaluation, with ranges of the file.
    pub evaluation: Evaluation,
}

/// Evaluates the expression at a position. `None` if there is none.
#[must_use]
pub fn evaluate_at(
    snapshot: &Snapshot,
    position: FilePosition,
    circumstances: Circumstances,
) -> Option<Evaluated> {
    let spot = CursorContext::at(snapshot, position)?;
    let expression = spot.expression.as_ref()?;
    let strict_taint = spot.graph().is_some_and(|(_, graph, _)| graph.strict_taint);
    let circumstances = Circumstances { strict_taint, ..circumstances };
    let mut evaluation = assist::evaluate(expression.language, &expression.text, &circumstances);
    if let Err(failure) = &mut evaluation.value {
        failure.range = expression.place(spot.file, failure.range);
    }
    for part in &mut evaluation.parts {
        part.range = expression.place(spot.file, part.range);
    }
    Some(Evaluated { text: expression.text.clone(), range: expression.range, evaluation })
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;
    use std::ops::Range;

    use nodewise_expr::json::{from_json, to_json_with_marks};
    use nodewise_expr::language::{Circumstances, ConditionDecision};

    use super::evaluate_at;
    use crate::testing::project_at_cursor;

    /// Evaluates the expression at the cursor: its value and decision, then each part with its text in the file.
    fn check_evaluation(fixture: &str, state: &str, expected: &str) {
        let (snapshot, position) = project_at_cursor(fixture);
        let state = from_json(serde_json::from_str(state).unwrap());
        let circumstances = Circumstances { state, now: 100.0, strict_taint: false, errors: Vec::new() };
        let Some(found) = evaluate_at(&snapshot, position, circumstances) else {
            return assert_eq!("", expected);
        };
        let text = &snapshot.file(position.source).unwrap().text;
        let letters = |range| &text[Range::<usize>::from(range)];
        let mut list = match &found.evaluation.value {
            Ok(value) => to_json_with_marks(value).to_string(),
            Err(failure) => format!("{} at `{}`", failure.message, letters(failure.range)),
        };
        match &found.evaluation.decision {
            Some(ConditionDecision::Holds) => list.push_str(", holds"),
            Some(ConditionDecision::Fails) => list.push_str(", fails"),
            Some(ConditionDecision::LeadsTo(name)) => write!(list, ", leads to {name}").unwrap(),
            None => {}
        }
        for part in &found.evaluation.parts {
            let value = part.value.as_ref().map(|value| to_json_with_marks(value).to_string());
            write!(list, "\n{}: {}", letters(part.range), value.unwrap_or_else(|message| message.clone()))
                .unwrap();
        }
        assert_eq!(list, expected.strip_prefix('\n').unwrap_or(expected));
    }

    #[test]
    fn liman() {
        let node = "kind: LLMNode\nname: a\nprompts: x\nnodes:\n  - target: a\n    when: ";
        check_evaluation(
            &format!("{node}\"us$0er.age > 3 and name == 'x'\"\n"),
            r#"{"user": {"age": 5}, "name": "y"}"#,
            "
false, fails
user.age > 3: true
user.age: 5
name == 'x': false
name: \"y\"",
        );
        check_evaluation(
            &format!("{node}>\n      mis$0sing\n      == 2\n"),
            "{}",
            "
`missing` does not exist at `missing`, fails
missing: `missing` does not exist",
        );
        check_evaluation(
            &format!("{node}$now() $0> 99\n"),
            "{}",
            "
true, holds
$now(): 100",
        );
        check_evaluation(
            &format!("{node}a ==$0\n"),
            "{}",
            "nothing follows `==` at ``, fails\na: `a` does not exist",
        );
        check_evaluation("kind: LLMNode\nname: a$0\n", "{}", "");
    }

    const CYCGRAPH: &str = "id: g\nname: G\ndescription: ''\nstart_node: a\nend_nodes: [a]\nstrict_taint: true\nnodes:\n  - {id: a, type: verifier, read_keys: [n], verifier_config: {type: expression, expression: 'memory.n > 2'}}\nedges:\n  - {source: a, target: a, condition: {type: conditional, condition: 'memory.n + 1 > 2'}}\n";

    #[test]
    fn cycgraph() {
        let edge = CYCGRAPH.replace("memory.n + 1", "memory.n $0+ 1");
        check_evaluation(
            &edge,
            r#"{"memory": {"n": 4}}"#,
            "
true, holds
memory.n + 1: 5
memory.n: 4",
        );
        check_evaluation(
            &edge,
            r#"{"memory": {"n": 4}, "taint_registry": {"n": {}}}"#,
            "
true, fails
memory.n + 1: 5
memory.n: 4",
        );
        let verifier = CYCGRAPH.replace("memory.n >", "memory.n$0 >");
        check_evaluation(
            &verifier,
            r#"{"memory": {"n": 1}}"#,
            "
false, fails
memory.n: 1",
        );
    }

    #[test]
    fn agentos() {
        let router = "id: g\nnodes:\n  - id: a\n    executorConfig:\n      type: router\n      condition: {type: expression, expr: \"scratch.n > 2 $0? a : b\"}\n";
        check_evaluation(
            router,
            r#"{"scratch": {"n": 3}}"#,
            "
\"a\", leads to a
scratch.n > 2: true
scratch.n: 3",
        );
        check_evaluation(
            router,
            r#"{"scratch": 1}"#,
            "
\"b\", leads to b
scratch.n > 2: false
scratch.n: \"<undefined>\"",
        );
    }
}
