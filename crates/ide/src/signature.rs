//! Signature help: the function of the call at the cursor, and the current parameter. In: a position in an expression.
//! Out: the signature with the ranges of its parameters. Unfinished calls are supported.

use nodewise_analysis::workspace::Snapshot;
use nodewise_expr::assist::call_at;
use nodewise_syntax::{TextRange, TextSize};

use crate::cursor_context::CursorContext;
use crate::markup::{Line, Markup};
use crate::position::FilePosition;

/// A function that is being called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// The call as the documentation shows it.
    pub label: String,
    /// The documentation of the function.
    pub text: Markup,
    /// The ranges of the parameters in the label.
    pub parameters: Vec<TextRange>,
    /// The index of the current parameter.
    pub active: Option<usize>,
}

/// The function whose call is around the position.
#[must_use]
pub fn signature(snapshot: &Snapshot, position: FilePosition) -> Option<Signature> {
    let spot = CursorContext::at(snapshot, position)?;
    let expression = spot.expression.as_ref()?;
    let offset = TextSize::try_from(expression.offset).ok()?;
    let call = call_at(expression.language, &expression.text, offset)?;
    let mut text = Markup::new();
    text.paragraph(&Line::new().prose(call.entry.doc));
    Some(Signature {
        label: call.entry.signature?.to_owned(),
        text,
        parameters: call.parameters,
        active: call.parameter,
    })
}

#[cfg(test)]
mod tests {
    use super::signature;
    use crate::testing::project_at_cursor;

    /// Compares the signature at the cursor, with the active parameter in brackets.
    fn check_signature(fixture: &str, expected: &str) {
        let (snapshot, position) = project_at_cursor(fixture);
        let shown = signature(&snapshot, position).map(|signature| {
            let active = signature.active.and_then(|active| signature.parameters.get(active));
            let mut label = signature.label;
            if let Some(range) = active {
                let range = std::ops::Range::<usize>::from(*range);
                label.replace_range(range.clone(), &format!("[{}]", &label[range]));
            }
            label
        });
        assert_eq!(shown.unwrap_or_default(), expected);
    }

    const EDGE: &str = "id: g\nname: G\ndescription: ''\nstart_node: a\nend_nodes: [a]\nnodes:\n  - {id: a, type: router}\nedges:\n  - source: a\n    target: a\n    condition: {type: conditional, condition: ";

    #[test]
    fn liman() {
        let node = "kind: LLMNode\nname: a\nprompts: x\nnodes:\n  - target: a\n    when: ";
        check_signature(&format!("{node}$is_error(Time$0out)\n"), "$is_error([error_type?], ...)");
        check_signature(&format!("{node}\"$is_error('A', $0\"\n"), "$is_error(error_type?, [...])");
        check_signature(&format!("{node}>\n      $now($0) > 3\n"), "$now()");
        check_signature(&format!("{node}rea$0dy\n"), "");
    }

    #[test]
    fn cycgraph() {
        check_signature(&format!("{EDGE}\"max(memory.a, mem$0ory.b)\"}}\n"), "max(number, [...])");
        check_signature(&format!("{EDGE}\"round($0\"}}\n"), "round([number])");
        check_signature(&format!("{EDGE}\"(mem$0ory.a)\"}}\n"), "");
    }

    #[test]
    fn outside_of_expressions() {
        check_signature("kind: LLMNode\nname: f($0)\nprompts: x\n", "");
        check_signature("id: g\nnodes:\n  - id: f($0)\n    executorConfig: {type: router}\n", "");
    }
}
