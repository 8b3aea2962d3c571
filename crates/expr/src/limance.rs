//! LimanCE, the condition language of Liman.
//!
//! Input: the text of a condition; output: a tree, and the problems of a text that is no condition.
//! Invariant: there is a tree for every text, and each range in it lies within the text.

pub mod builtins;
pub mod check;
mod classify;
mod definition;
mod depth;
mod difference;
mod explain;
mod grammar;
mod groups;
mod lexer;
pub mod names;
pub mod print;
mod recovery;
mod release;
mod semantics;
mod standalone;
mod text;
mod vocabulary;

use text_size::{TextRange, TextSize};

use crate::ast::{Expr, ExprKind, Path};
use crate::foreign::{self, Notation};
use crate::problem::ParseProblem;

pub use builtins::builtin;
pub use check::{FindingKind, LimanceFinding};
pub(crate) use classify::tokens;
pub use definition::LANGUAGE;
pub use difference::{ReleaseDifference, ReleaseTree, release_verdict};
pub use semantics::LimanCe;

/// The greatest number of problems that are reported for one text.
const MOST_PROBLEMS: usize = 16;

/// Which reading of the language to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LimanceProfile {
    /// The specification.
    #[default]
    Spec,
    /// The parser that liman_core 0.1.0 and 0.1.1 ship.
    Release,
}

/// A parsed condition.
#[derive(Debug, Clone, PartialEq)]
pub struct Parse {
    /// The tree. If the text is broken, it has error nodes.
    pub expr: Expr,
    /// What is wrong, in reading order; empty for a condition of the language.
    pub problems: Vec<ParseProblem>,
    /// The `;` that may end a condition.
    pub trailing_semicolon: Option<TextRange>,
}

impl Parse {
    /// Whether the text is a condition of the language.
    pub fn accepted(&self) -> bool {
        self.problems.is_empty()
    }

    /// The function that the condition names, if it is only a dotted name.
    pub fn function_ref(&self) -> Option<&Path> {
        match &self.expr.kind {
            ExprKind::Function(path) if self.accepted() => Some(path),
            _ => None,
        }
    }
}

/// Parses a condition.
pub fn parse(text: &str, profile: LimanceProfile) -> Parse {
    match profile {
        LimanceProfile::Spec => parse_spec(text),
        LimanceProfile::Release => parse_release(text),
    }
}

fn parse_spec(text: &str) -> Parse {
    let tokens = lexer::lex(text);
    if let Some(lexeme) = depth::first_too_deep(&tokens) {
        let expr = recovery::sweep(&tokens, whole(text));
        return Parse { expr, problems: vec![explain::too_deep(lexeme)], trailing_semicolon: None };
    }
    if let Some((expr, trailing_semicolon)) = grammar::parse_fast(text, &tokens) {
        return Parse { expr: function_or(expr), problems: Vec::new(), trailing_semicolon };
    }
    let (condition, faults) = grammar::parse_thorough(text, &tokens);
    let index_of = |start: &u32| tokens.partition_point(|lexeme| lexeme.start < *start);
    let faulty = faults.iter().take(MOST_PROBLEMS).map(index_of);
    let mut problems: Vec<ParseProblem> = faulty.map(|index| explain::unexpected(&tokens, index)).collect();
    foreign::settle(text, &mut problems, &NOTATION);
    let (expr, trailing_semicolon) =
        condition.unwrap_or_else(|| (recovery::sweep(&tokens, whole(text)), None));
    Parse { expr, problems, trailing_semicolon }
}

/// How other languages' notations are translated to LimanCE.
pub(crate) const NOTATION: Notation = Notation {
    and: "and",
    or: "or",
    not: "not",
    has_symbols: true,
    literals: Some(["true", "false", "null"]),
    builtins: &["is_error", "now"],
    has_functions: true,
    pattern: None,
    root: None,
    outcomes: Some(["true", "not $is_error()", "$is_error()"]),
    accepts: |text| grammar::parse_fast(text, &lexer::lex(text)).is_some(),
};

/// Parses like the release. If the release rejects the text, the tree is that of the specification.
fn parse_release(text: &str) -> Parse {
    match read_release(text) {
        Ok(expr) => Parse { expr, problems: Vec::new(), trailing_semicolon: None },
        Err(problem) => Parse { problems: vec![problem], ..parse_spec(text) },
    }
}

fn read_release(text: &str) -> Result<Expr, ParseProblem> {
    let tokens = release::lex(text).map_err(|offset| explain::release_fault(text, offset))?;
    if let Some(lexeme) = depth::first_too_deep_in_release(&tokens) {
        return Err(explain::too_deep(lexeme));
    }
    release::tree(text, &tokens).ok_or_else(|| explain::release_fault(text, text.len()))
}

/// A condition that is only a dotted name refers to a function.
fn function_or(expr: Expr) -> Expr {
    match expr.kind {
        ExprKind::Variable(path) if path.segments.len() > 1 => {
            Expr { kind: ExprKind::Function(path), range: expr.range }
        }
        _ => expr,
    }
}

fn whole(text: &str) -> TextRange {
    TextRange::up_to(TextSize::of(text))
}
