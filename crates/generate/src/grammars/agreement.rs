//! Compares tree-sitter's trees with ours, for every row of the conformance tables.
//!
//! Input is a grammar. Output is whether each row agrees: both read it with the same nesting, or neither does.
//! Invariant: the comparison of classes uses exactly the rows that both read with the same nesting.

use std::path::Path;

use anyhow::Result;
use nodewise_expr::ast::Expr;
use nodewise_expr::language::Language;

use super::ledger::{Subject, Tally};
use super::tools::Tools;
use super::{Grammar, classes, nesting, rows, tree};

/// Compares every row, and prints differences that are not in the ledger.
pub(crate) fn check(root: &Path, tools: &Tools, grammar: &Grammar) -> Result<bool> {
    let rows = rows::read(root, grammar.tables)?;
    let texts: Vec<&str> = rows.iter().map(String::as_str).collect();
    let trees = tree::read(&tools.parse(grammar, &texts)?, &texts)?;
    let mut tally = Tally::new(grammar.name, Subject::Trees);
    let mut alike: Vec<(&str, Expr)> = Vec::new();
    for (text, tree) in texts.iter().zip(&trees) {
        let expr = our_tree(grammar.language, text);
        let ours = expr.as_ref().map(|expr| nesting::of_expr(text, expr));
        let theirs = tree.is_intact.then(|| nesting::of_node(text, &tree.root));
        if ours == theirs {
            alike.extend(expr.map(|expr| (*text, expr)));
        } else {
            let [ours, theirs] =
                [&ours, &theirs].map(|nesting| nesting.as_deref().unwrap_or("no expression"));
            tally.differs(text, expr.as_ref(), ours, theirs);
        }
    }
    let is_fine = tally.is_fine(rows.len());
    Ok(is_fine
        & classes::check_highlights(tools, grammar, &alike)?
        & classes::check_scopes(root, tools, grammar, &alike)?)
}

/// Our tree. `None` if the text is not valid in the language.
fn our_tree(language: Language, text: &str) -> Option<Expr> {
    let expr = language.accepts(text).then(|| language.trees(text).into_iter().next()).flatten()?;
    expr.is_intact().then_some(expr)
}
