//! What is suspicious about a condition that parses.
//!
//! Input: the text and its accepted [`Parse`]; output: findings in reading order. Invariant: the replacement of a
//! finding, put in place of its range, removes that finding and keeps the meaning that the message names.

use std::collections::BTreeMap;

use nodewise_platform::sorting::Sorting;
use text_size::TextRange;

use super::builtins::BUILTINS;
use super::{LimanCe, Parse, builtin, names, print};
use crate::ast::{Call, Chain, Compare, Expr, ExprKind, Logic, LogicOperator, Path, Spelling};
use crate::{finding, finding_kinds, types};

pub type LimanceFinding = finding::ExpressionFinding<FindingKind>;

finding_kinds! {
    "limance",
    /// The kind of a [`LimanceFinding`].
    pub enum FindingKind {
        /// A call of a builtin that does not exist.
        UnknownBuiltin,
        /// A builtin with the wrong number of arguments.
        Arity,
        /// `and` and `or` next to each other, or a negation followed by either, without parentheses.
        MixedLogic,
        /// `a < b < c`.
        ChainedComparison,
        /// A variable with a name that other languages use as a literal.
        SuspiciousName,
        /// A condition that only has literals.
        Constant,
        /// A `;` at the end.
        TrailingSemicolon,
        /// A dotted name by itself, which is a function and not a variable.
        FunctionAmbiguous,
        /// A variable that is compared with a text and with a number.
        TypeMismatch,
    }
}

/// Literals of other languages, each with its equivalent in LimanCE.
const FOREIGN_LITERALS: &[(&str, &str)] = &[
    ("True", "true"),
    ("TRUE", "true"),
    ("False", "false"),
    ("FALSE", "false"),
    ("None", "null"),
    ("NONE", "null"),
    ("NULL", "null"),
    ("Null", "null"),
    ("nil", "null"),
    ("undefined", "null"),
];

/// The findings of an accepted condition; none for a broken one.
pub fn check(text: &str, parse: &Parse) -> Vec<LimanceFinding> {
    if !parse.accepted() {
        return Vec::new();
    }
    let mut findings = Vec::new();
    let root = &parse.expr;
    root.walk(&mut |node| {
        if let ExprKind::Call(call) = &node.kind {
            findings.extend(call_finding(call, node.range));
        }
    });
    let family = print::family(root).unwrap_or(Spelling::Word);
    chains(text, root, Surroundings::Whole, family, &mut findings);
    findings.extend(mixed_logic(text, root));
    findings.extend(names::variables(root).into_iter().filter_map(suspicious_name));
    findings.extend(constant(root));
    findings.extend(type_mismatches(root));
    findings.extend(parse.function_ref().map(function_ambiguous));
    findings.extend(parse.trailing_semicolon.map(trailing_semicolon));
    findings.arrange_by_key(|finding| finding.range.start());
    findings
}

fn call_finding(call: &Call, range: TextRange) -> Option<LimanceFinding> {
    let Some(builtin) = builtin(&call.name) else {
        let near = nearest_builtin(&call.name);
        return Some(LimanceFinding {
            kind: FindingKind::UnknownBuiltin,
            range: call.name_range,
            message: format!("there is no builtin `{}`", short(&call.name)),
            help: Some(match near {
                Some(near) => format!("write `{near}`"),
                None => format!("the builtins are {}", builtin_list()),
            }),
            replacement: near.map(str::to_owned),
        });
    };
    (!builtin.arity.accepts(call.arguments.len())).then(|| LimanceFinding {
        kind: FindingKind::Arity,
        range,
        message: format!("`{}` takes no argument", builtin.name),
        help: Some(format!("write `{}`", builtin.signature)),
        replacement: Some(format!("{}()", builtin.name)),
    })
}

fn builtin_list() -> String {
    let names: Vec<String> = BUILTINS.iter().map(|builtin| format!("`{}`", builtin.signature)).collect();
    names.join(" and ")
}

/// The builtin that is probably meant, if a name is similar to one.
fn nearest_builtin(name: &str) -> Option<&'static str> {
    let folded = name.to_ascii_lowercase().replace('_', "");
    BUILTINS
        .iter()
        .map(|builtin| (strsim::damerau_levenshtein(&folded, &builtin.name.replace('_', "")), builtin.name))
        .filter(|(distance, name)| *distance <= name.len() / 3)
        .min()
        .map(|(_, name)| name)
}

/// The finding about the first place where logic without parentheses can be read in two ways.
fn mixed_logic(text: &str, root: &Expr) -> Option<LimanceFinding> {
    let mut first: Option<&Expr> = None;
    root.walk(&mut |node| {
        if first.is_none()
            && let ExprKind::Logic(logic) = &node.kind
            && is_mixed(logic)
        {
            first = Some(node);
        }
    });
    let mixed = first?;
    let has_two_operators = match &mixed.kind {
        ExprKind::Logic(logic) => logic.operands().any(|operand| matches!(operand.kind, ExprKind::Logic(_))),
        _ => false,
    };
    let replacement = print::grouped(text, mixed);
    Some(LimanceFinding {
        kind: FindingKind::MixedLogic,
        range: mixed.range,
        message: if has_two_operators {
            "`and` and `or` stand side by side without parentheses".to_owned()
        } else {
            "a negation is followed by more logic without parentheses".to_owned()
        },
        help: Some(format!("write `{replacement}`")),
        replacement: Some(replacement),
    })
}

/// Whether a run contains another run, or a negation that something follows.
fn is_mixed(logic: &Logic) -> bool {
    let last = logic.rest.len();
    logic.operands().enumerate().any(|(index, operand)| match operand.kind {
        ExprKind::Logic(_) => true,
        ExprKind::Not(_) => index < last,
        _ => false,
    })
}

/// Whether a term that becomes a conjunction needs parentheses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Surroundings {
    Whole,
    Operand,
}

fn chains(
    text: &str,
    expr: &Expr,
    surroundings: Surroundings,
    family: Spelling,
    findings: &mut Vec<LimanceFinding>,
) {
    if let ExprKind::Chain(chain) = &expr.kind {
        let mut conjunction = spelled_out(text, chain, family);
        if surroundings == Surroundings::Operand {
            conjunction = format!("({conjunction})");
        }
        findings.push(LimanceFinding {
            kind: FindingKind::ChainedComparison,
            range: expr.range,
            message: "chained comparison: liman_core 0.1.1 rejects it".to_owned(),
            help: Some(format!("write `{conjunction}`")),
            replacement: Some(conjunction),
        });
    }
    let below =
        if matches!(expr.kind, ExprKind::Group(_)) { Surroundings::Whole } else { Surroundings::Operand };
    expr.each_child(&mut |child| chains(text, child, below, family, findings));
}

/// A chain as the conjunction that it stands for.
fn spelled_out(text: &str, chain: &Chain, family: Spelling) -> String {
    let joint = format!(" {} ", LogicOperator::And.spelled(family));
    let mut left = &chain.first;
    let mut parts = Vec::with_capacity(chain.rest.len());
    for link in &chain.rest {
        let (before, after) = (print::canonical(text, left), print::canonical(text, &link.operand));
        parts.push(format!("{before} {} {after}", link.operator.spelled()));
        left = &link.operand;
    }
    parts.join(&joint)
}

fn suspicious_name(path: &Path) -> Option<LimanceFinding> {
    let [segment] = path.segments.as_slice() else { return None };
    let (foreign, literal) = FOREIGN_LITERALS.iter().find(|(foreign, _)| segment.name == *foreign)?;
    Some(LimanceFinding {
        kind: FindingKind::SuspiciousName,
        range: segment.range,
        message: format!("`{foreign}` is read as a variable"),
        help: Some(format!("write `{literal}`")),
        replacement: Some((*literal).to_owned()),
    })
}

fn constant(root: &Expr) -> Option<LimanceFinding> {
    let lone_true = matches!(root.without_groups().kind, ExprKind::Bool(true));
    (types::only_literals(root) && !lone_true).then(|| LimanceFinding {
        kind: FindingKind::Constant,
        range: root.range,
        message: "the condition reads no variable: it is always the same".to_owned(),
        help: Some("write `true` for an edge that is always followed".to_owned()),
        replacement: None,
    })
}

fn trailing_semicolon(range: TextRange) -> LimanceFinding {
    LimanceFinding {
        kind: FindingKind::TrailingSemicolon,
        range,
        message: "a trailing `;`: liman_core 0.1.1 rejects it".to_owned(),
        help: Some("leave it out".to_owned()),
        replacement: Some(String::new()),
    }
}

fn function_ambiguous(path: &Path) -> LimanceFinding {
    let dotted = path.dotted();
    LimanceFinding {
        kind: FindingKind::FunctionAmbiguous,
        range: path.range(),
        message: format!("`{}` alone is a function, not a variable", short(&dotted)),
        help: Some(format!("write `({dotted})` to read the variable")),
        replacement: None,
    }
}

/// Variables that are compared with a text in one place and with a number in another.
fn type_mismatches(root: &Expr) -> Vec<LimanceFinding> {
    let mut uses: Vec<(&Path, types::ValueType)> = Vec::new();
    let mut record = |left, operator, right| {
        if types::is_membership(operator) {
            return;
        }
        let sides: [(&Expr, &Expr); 2] = [(left, right), (right, left)];
        for (name, other) in sides {
            let compared = types::type_of(other, &LimanCe);
            if let ExprKind::Variable(path) = &name.kind
                && matches!(compared, types::ValueType::Text | types::ValueType::Number)
            {
                uses.push((path, compared));
            }
        }
    };
    root.walk(&mut |node| match &node.kind {
        ExprKind::Compare(compare) => {
            let Compare { left, operator, right, .. } = &**compare;
            record(left, *operator, right);
        }
        ExprKind::Chain(chain) => {
            let mut left = &chain.first;
            for link in &chain.rest {
                record(left, link.operator, &link.operand);
                left = &link.operand;
            }
        }
        _ => {}
    });
    // Usually each variable is compared only once, so no types can differ.
    if uses.len() < 2 { Vec::new() } else { mismatches(&uses) }
}

/// Each variable's first use with the other type. `uses` has the type that each variable is compared with, text or number.
fn mismatches(uses: &[(&Path, types::ValueType)]) -> Vec<LimanceFinding> {
    let mut first_types: BTreeMap<String, Option<types::ValueType>> = BTreeMap::new();
    let mut findings = Vec::new();
    for (path, compared) in uses {
        let name = path.dotted();
        let first = first_types.entry(name.clone()).or_insert(Some(*compared));
        if first.is_some_and(|first| first != *compared) {
            *first = None;
            findings.push(LimanceFinding {
                kind: FindingKind::TypeMismatch,
                range: path.range(),
                message: format!("`{}` is compared with a text and with a number", short(&name)),
                help: Some("a text never equals a number; compare with one type".to_owned()),
                replacement: None,
            });
        }
    }
    findings
}

/// A name as a message shows it.
fn short(name: &str) -> String {
    const LONGEST: usize = 30;
    if name.chars().count() <= LONGEST {
        return name.to_owned();
    }
    let mut cut: String = name.chars().take(LONGEST).collect();
    cut.push('…');
    cut
}
