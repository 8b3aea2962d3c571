//! The S-expression form of a tree: what conformance tables and tests compare.
//!
//! Input: a tree; output: one line. Invariant: the parentheses, spellings and quotes of the source do not appear.

use crate::ast::{Conditional, Expr, ExprKind, Grouping, Logic, LogicOperator};

/// The S-expression of a tree.
pub fn sexpr(expr: &Expr) -> String {
    let mut out = String::new();
    write(expr, Runs::Nested, &mut out);
    out
}

/// The same, but with each run of one logical operator as one list, so that only a different meaning makes a difference.
pub(crate) fn shape(expr: &Expr) -> String {
    let mut out = String::new();
    write(expr, Runs::Flat, &mut out);
    out
}

/// How a run of one logical operator is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Runs {
    /// `(and (and a b) c)`
    Nested,
    /// `(and a b c)`
    Flat,
}

/// A number in its shortest decimal form. It has an exponent if it has 16 digits before the point, or 4 zeros after it.
fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let scientific = format!("{value:e}");
    match scientific.split_once('e') {
        Some((digits, exponent)) => match exponent.parse::<i32>() {
            Ok(exponent) if exponent < -4 => format!("{digits}e-{:02}", exponent.unsigned_abs()),
            Ok(exponent) if exponent >= 16 => format!("{digits}e+{exponent:02}"),
            _ => value.to_string(),
        },
        None => value.to_string(),
    }
}

/// A text as a JSON string.
fn quoted(value: &str) -> String {
    let mut out = String::with_capacity(value.len() + 2);
    out.push('"');
    for character in value.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            control if control < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(control))),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

fn write(expr: &Expr, runs: Runs, out: &mut String) {
    match &expr.kind {
        ExprKind::Undefined => out.push_str("undefined"),
        ExprKind::Null => out.push_str("null"),
        ExprKind::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        ExprKind::Number(value) => out.push_str(&number(*value)),
        ExprKind::Text(text) => out.push_str(&quoted(&text.value)),
        ExprKind::Bare(text) => out.push_str(&quoted(text)),
        ExprKind::Variable(path) => list(out, "var", |out| out.push_str(&path.dotted())),
        ExprKind::Function(path) => list(out, "func", |out| out.push_str(&path.dotted())),
        ExprKind::Group(inner) => write(inner, runs, out),
        ExprKind::Not(not) => nodes(out, "not", [&not.operand], runs),
        ExprKind::Logic(logic) => write_logic(logic, runs, out),
        ExprKind::Compare(compare) => {
            nodes(out, head(compare.operator.spelled()), [&compare.left, &compare.right], runs);
        }
        ExprKind::Chain(chain) => list(out, "chain", |out| {
            write(&chain.first, runs, out);
            for link in &chain.rest {
                out.push(' ');
                nodes(out, head(link.operator.spelled()), [&link.operand], runs);
            }
        }),
        ExprKind::Negate(negate) => nodes(out, "neg", [&negate.operand], runs),
        ExprKind::Arithmetic(arithmetic) => {
            nodes(out, arithmetic.operator.spelled(), [&arithmetic.left, &arithmetic.right], runs);
        }
        ExprKind::Conditional(conditional) => {
            let Conditional { condition, consequent, alternative, .. } = &**conditional;
            nodes(out, "if", [condition, consequent, alternative], runs);
        }
        ExprKind::List(items) => nodes(out, "list", items, runs),
        ExprKind::Member(member) => list(out, "member", |out| {
            write(&member.object, runs, out);
            out.push(' ');
            out.push_str(&member.path.dotted());
        }),
        ExprKind::Subscript(subscript) => {
            nodes(out, "subscript", [&subscript.object, &subscript.index], runs);
        }
        ExprKind::Method(method) => list(out, "method", |out| {
            write(&method.object, runs, out);
            out.push(' ');
            out.push_str(&method.name.name);
            for argument in &method.arguments {
                out.push(' ');
                write(argument, runs, out);
            }
        }),
        ExprKind::Pattern(pattern) => {
            out.push_str(&format!("/{}/{}", pattern.source, pattern.flags));
        }
        ExprKind::Unary(unary) => nodes(out, unary.operator.spelled(), [&unary.operand], runs),
        ExprKind::Call(call) => nodes(out, &format!("call {}", call.name), &call.arguments, runs),
        ExprKind::Error(parts) => nodes(out, "error", parts, runs),
    }
}

/// Writes a list of a head and nodes.
fn nodes<'e>(out: &mut String, head: &str, nodes: impl IntoIterator<Item = &'e Expr>, runs: Runs) {
    out.push('(');
    out.push_str(head);
    for node in nodes {
        out.push(' ');
        write(node, runs, out);
    }
    out.push(')');
}

fn list(out: &mut String, head: &str, body: impl FnOnce(&mut String)) {
    out.push('(');
    out.push_str(head);
    out.push(' ');
    body(out);
    out.push(')');
}

fn head(operator: &'static str) -> &'static str {
    if operator == "not in" { "not-in" } else { operator }
}

fn write_logic(logic: &Logic, runs: Runs, out: &mut String) {
    let open = match logic.operator {
        LogicOperator::And => "(and ",
        LogicOperator::Or => "(or ",
    };
    if runs == Runs::Flat {
        out.push_str(open.trim_end());
        for operand in logic.operands() {
            out.push(' ');
            write(operand, runs, out);
        }
        out.push(')');
        return;
    }
    match logic.grouping {
        Grouping::Left => {
            out.push_str(&open.repeat(logic.rest.len()));
            write(&logic.first, runs, out);
            for link in &logic.rest {
                out.push(' ');
                write(&link.operand, runs, out);
                out.push(')');
            }
        }
        Grouping::Right => {
            let last = logic.rest.len();
            for (index, operand) in logic.operands().enumerate() {
                if index < last {
                    out.push_str(open);
                }
                write(operand, runs, out);
                if index < last {
                    out.push(' ');
                }
            }
            out.push_str(&")".repeat(last));
        }
    }
}
