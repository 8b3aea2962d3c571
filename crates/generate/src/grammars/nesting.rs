//! The nesting of an expression's parts, in one notation for both kinds of trees.
//!
//! Input is a tree of `nodewise_expr`, or one of tree-sitter. Output is one line, `(or (== path:a number:1) path:b)`.
//! Invariant: parentheses and spaces of the text are ignored, and two lines are equal exactly if the nesting is equal.

use nodewise_expr::TextRange;
use nodewise_expr::ast::{Expr, ExprKind, Logic, LogicOperator};

use super::tree::Node;

/// The nesting of our tree.
pub(crate) fn of_expr(text: &str, expr: &Expr) -> String {
    let leaf = |kind: &str| leaf(kind, slice(text, expr.range));
    let list = |head: &str, parts: &[&Expr]| {
        let parts: Vec<String> = parts.iter().map(|part| of_expr(text, part)).collect();
        format!("({head} {})", parts.join(" "))
    };
    match &expr.kind {
        ExprKind::Undefined | ExprKind::Null | ExprKind::Bool(_) => leaf("constant"),
        ExprKind::Number(_) => leaf("number"),
        ExprKind::Text(_) => leaf("text"),
        ExprKind::Bare(_) => leaf("bare"),
        ExprKind::Variable(_) | ExprKind::Function(_) => leaf("path"),
        ExprKind::Group(inner) => of_expr(text, inner),
        ExprKind::Not(not) => list("not", &[&not.operand]),
        ExprKind::Negate(negate) => list("negation", &[&negate.operand]),
        ExprKind::Compare(compare) => list(compare.operator.spelled(), &[&compare.left, &compare.right]),
        ExprKind::Chain(chain) => {
            let links = chain
                .rest
                .iter()
                .map(|link| format!("{} {}", link.operator.spelled(), of_expr(text, &link.operand)));
            format!("(chain {} {})", of_expr(text, &chain.first), links.collect::<Vec<_>>().join(" "))
        }
        ExprKind::Logic(run) => of_run(text, run),
        ExprKind::Arithmetic(sum) => list(sum.operator.spelled(), &[&sum.left, &sum.right]),
        ExprKind::Conditional(choice) => {
            list("if", &[&choice.condition, &choice.consequent, &choice.alternative])
        }
        ExprKind::List(items) => list("list", &items.iter().collect::<Vec<_>>()),
        ExprKind::Call(call) => {
            let arguments = call.arguments.iter().map(|argument| format!(" {}", of_expr(text, argument)));
            format!("(call {}{})", call.name, arguments.collect::<String>())
        }
        ExprKind::Member(member) => {
            format!("(of {} {})", member.path.dotted(), of_expr(text, &member.object))
        }
        kind => format!("({kind:?})"),
    }
}

/// The nesting of tree-sitter's tree.
pub(crate) fn of_node(text: &str, node: &Node) -> String {
    match node.kind.as_str() {
        "expression" if node.children.is_empty() => leaf("bare", ""),
        "condition" | "expression" | "group" => {
            let parts = node.children.iter().filter(|child| child.kind != "root");
            parts.map(|child| of_node(text, child)).collect::<Vec<_>>().join(" ")
        }
        "number" | "text" | "bare" => leaf(&node.kind, slice_of(text, node)),
        "path" | "function" | "error_type" => leaf("path", slice_of(text, node)),
        "true" | "false" | "null" | "constant" => leaf("constant", slice_of(text, node)),
        "or" | "and" | "membership" | "sum" | "product" | "power" => operation(text, &of_sides(text, node)),
        "comparison" => operation(text, &of_chain(text, node)),
        "not" | "negation" => format!("({} {})", node.kind, of_field(text, node, "operand")),
        "if" | "conditional" => {
            let parts = ["condition", "consequent", "alternative"].map(|field| of_field(text, node, field));
            format!("(if {})", parts.join(" "))
        }
        "list" => format!("(list {})", all(text, &node.children).join(" ")),
        "call" => {
            let name = node.child("function").map(|name| slice_of(text, name)).unwrap_or_default();
            let arguments = node.child("arguments").map(|arguments| all(text, &arguments.children));
            let arguments = arguments.unwrap_or_default();
            format!("(call {name}{})", arguments.iter().map(|part| format!(" {part}")).collect::<String>())
        }
        "member" => {
            let name = node.child("member").map(|name| slice_of(text, name)).unwrap_or_default();
            format!("(of {name} {})", of_field(text, node, "object"))
        }
        kind => format!("({kind})"),
    }
}

/// A sequence of the same operator, grouped to the left.
fn of_run(text: &str, run: &Logic) -> String {
    let operator = match run.operator {
        LogicOperator::And => "and",
        LogicOperator::Or => "or",
    };
    let mut operands = run.operands().map(|operand| of_expr(text, operand));
    let first = operands.next().unwrap_or_default();
    operands.fold(first, |left, right| format!("({operator} {left} {right})"))
}

/// Operands, and the operators between them.
#[derive(Default)]
struct Operands {
    written: Vec<String>,
    operators: Vec<String>,
}

fn operation(text: &str, operands: &Operands) -> String {
    match (operands.written.as_slice(), operands.operators.as_slice()) {
        ([left, right], [operator]) => format!("({operator} {left} {right})"),
        ([first, rest @ ..], operators) => {
            let links = operators.iter().zip(rest).map(|(operator, operand)| format!("{operator} {operand}"));
            format!("(chain {first} {})", links.collect::<Vec<_>>().join(" "))
        }
        ([], _) => format!("(nothing in {text})"),
    }
}

/// A node with a left and a right side, either of which may be missing.
fn of_sides(text: &str, node: &Node) -> Operands {
    let (left, right) = (node.child("left"), node.child("right"));
    let start = left.map_or(node.range.start, |left| left.range.end);
    let end = right.map_or(node.range.end, |right| right.range.start);
    let side = |side: Option<&Node>| side.map_or_else(|| leaf("bare", ""), |side| of_node(text, side));
    Operands {
        written: vec![side(left), side(right)],
        operators: vec![operator(text.get(start..end).unwrap_or_default())],
    }
}

/// A comparison: a flat list of operands, or nested to the left.
fn of_chain(text: &str, node: &Node) -> Operands {
    if let Some(left) = node.child("left").filter(|left| left.kind == "comparison") {
        let mut operands = of_chain(text, left);
        let mut last = of_sides(text, node);
        operands.written.extend(last.written.pop());
        operands.operators.append(&mut last.operators);
        return operands;
    }
    if node.child("left").is_some() || node.child("right").is_some() {
        return of_sides(text, node);
    }
    let operands: Vec<&Node> = node.children.iter().filter(|child| child.field.is_none()).collect();
    if operands.is_empty() {
        return of_sides(text, node);
    }
    let between = operands.iter().zip(operands.iter().skip(1));
    Operands {
        written: operands.iter().map(|operand| of_node(text, operand)).collect(),
        operators: between
            .map(|(left, right)| operator(text.get(left.range.end..right.range.start).unwrap_or_default()))
            .collect(),
    }
}

/// An operator in its usual notation. For a word, without the sign that it swallowed.
fn operator(written: &str) -> String {
    let is_letter = |character: char| character.is_ascii_alphabetic();
    let words: Vec<&str> =
        written.split(|character| !is_letter(character)).filter(|word| !word.is_empty()).collect();
    match words.as_slice() {
        [] => match written.trim() {
            "&&" => "and".to_owned(),
            "||" => "or".to_owned(),
            sign => sign.to_owned(),
        },
        ["mod"] => "%".to_owned(),
        words => words.join(" "),
    }
}

fn of_field(text: &str, node: &Node, field: &str) -> String {
    node.child(field).map_or_else(|| leaf("bare", ""), |child| of_node(text, child))
}

fn all(text: &str, nodes: &[Node]) -> Vec<String> {
    nodes.iter().map(|node| of_node(text, node)).collect()
}

/// A leaf with its text, without spaces.
fn leaf(kind: &str, written: &str) -> String {
    format!("{kind}:{}", written.split_whitespace().collect::<String>())
}

fn slice_of<'t>(text: &'t str, node: &Node) -> &'t str {
    text.get(node.range.clone()).unwrap_or_default()
}

fn slice(text: &str, range: TextRange) -> &str {
    text.get(usize::from(range.start())..usize::from(range.end())).unwrap_or_default()
}
