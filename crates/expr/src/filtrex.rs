//! filtrex 3.1.0 as cycgraph uses it: the conditions of edges and the expressions of verifiers.
//!
//! Input: the text of an expression; output: a tree, the problems of a text that is not an expression, verdicts.
//! Ranges are in the text as written. Invariant: a text is accepted exactly if the release compiles it (except for
//! nesting beyond [`parser::MAXIMUM`]), and every text has a tree.

mod canonical;
mod check;
mod classify;
mod definition;
mod explain;
mod fields;
mod functions;
mod lexer;
mod parser;
mod reads;
mod semantics;
mod standalone;
mod tolerance;
mod verdict;
mod vocabulary;

use std::collections::BTreeSet;

use nodewise_platform::sorting::Sorting;

use crate::ast::Expr;
use crate::foreign::{self, Notation};
use crate::problem::ParseProblem;

pub use canonical::canonical;
pub use check::{ExpressionPlace, FindingKind, check, warns_of_booleans};
pub(crate) use classify::tokens;
pub use definition::{EDGE, VERIFIER};
pub use fields::{MEMORY, StateField, state_fields};
pub use functions::{FUNCTIONS, function};
pub use reads::{Read, asks_only_existence, reads};
pub use semantics::Filtrex;
pub use verdict::{
    NotCompiled, edge_verdict, mentions_memory, taint, tainted_keys, verifier_verdict, verifier_view,
};

/// The greatest number of problems that are reported for one text.
const MOST_PROBLEMS: usize = 16;

/// A parsed expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Parse {
    /// The tree. If the text is broken, it has error nodes.
    pub expr: Expr,
    /// What is wrong, in reading order; empty for an expression of the language.
    pub problems: Vec<ParseProblem>,
}

impl Parse {
    /// Whether the text is an expression of the language.
    pub fn accepted(&self) -> bool {
        self.problems.is_empty()
    }
}

/// Parses an expression.
pub fn parse(text: &str) -> Parse {
    let tokens = lexer::lex(text);
    let exact = parser::parse(&tokens);
    if exact.misplaced.is_empty() && exact.too_deep.is_none() {
        return Parse { expr: exact.expr, problems: Vec::new() };
    }
    let meant = tolerance::lex(text);
    let tolerant = parser::parse(&meant);
    let mut problems = problems(text, &meant, &tolerant);
    if problems.is_empty() {
        // The tolerant reading found no fault, so the problems come from the exact reading.
        problems = self::problems(text, &tokens, &exact);
    }
    foreign::settle(text, &mut problems, &NOTATION);
    Parse { expr: tolerant.expr, problems }
}

/// How other languages' notations are translated to filtrex.
pub(crate) const NOTATION: Notation = Notation {
    and: "and",
    or: "or",
    not: "not",
    has_symbols: false,
    literals: None,
    builtins: &[],
    has_functions: false,
    pattern: Some("~="),
    root: Some("memory"),
    outcomes: None,
    accepts: |text| {
        let exact = parser::parse(&lexer::lex(text));
        exact.misplaced.is_empty() && exact.too_deep.is_none()
    },
};

fn problems(text: &str, tokens: &[lexer::FiltrexLexeme<'_>], parsed: &parser::Parsed) -> Vec<ParseProblem> {
    if let Some(lexeme) = parsed.too_deep.and_then(|index| tokens.get(index)) {
        return vec![explain::too_deep(*lexeme)];
    }
    let mut problems: Vec<ParseProblem> =
        tokens.iter().filter_map(|lexeme| explain::fault(text, *lexeme)).take(MOST_PROBLEMS).collect();
    let known: BTreeSet<u32> =
        tokens.iter().filter(|lexeme| lexeme.fault.is_some()).map(|lexeme| lexeme.start).collect();
    let unknown = parsed
        .misplaced
        .iter()
        .filter(|misplaced| tokens.get(misplaced.index).is_none_or(|lexeme| !known.contains(&lexeme.start)));
    problems
        .extend(unknown.take(MOST_PROBLEMS).map(|misplaced| explain::misplaced(text, tokens, *misplaced)));
    problems.arrange_by_key(|problem| problem.range.start());
    problems.truncate(MOST_PROBLEMS);
    problems
}

/// Why a text is not a regular expression, as a message; `None` if it is one.
#[must_use]
pub fn pattern_fault(pattern: &str) -> Option<String> {
    semantics::compiled(pattern).err()
}
