//! How the release reads a condition that the specification accepts.
//!
//! Input: a text; output: the difference. Invariant: `None` means that both trees mean the same, or that there is no
//! tree to compare.

use text_size::TextSize;

use super::print;
use super::{LimanceProfile, parse};
use crate::ast::Expr;
use crate::sexpr::{sexpr, shape};

/// How the release's reading differs from the specification's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReleaseDifference {
    /// It does not differ, or the specification itself rejects the text.
    None,
    /// The release rejects the text.
    Rejects {
        /// The byte where it stops.
        offset: TextSize,
    },
    /// The release groups the same operands and operators differently.
    Groups(ReleaseTree),
    /// The release takes some token for something else: `null` for a variable, a backslash for a plain character.
    Reads(ReleaseTree),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseTree {
    /// Its S-expression.
    pub sexpr: String,
    /// Its text, with parentheses that show the grouping.
    pub printed: String,
}

/// Compares the release's reading of a condition with the specification's.
pub fn release_verdict(text: &str) -> ReleaseDifference {
    let spec = parse(text, LimanceProfile::Spec);
    if !spec.accepted() {
        return ReleaseDifference::None;
    }
    let release = parse(text, LimanceProfile::Release);
    if let Some(problem) = release.problems.first() {
        return ReleaseDifference::Rejects { offset: problem.offset() };
    }
    if shape(&spec.expr) == shape(&release.expr) {
        return ReleaseDifference::None;
    }
    let reading = ReleaseTree { sexpr: sexpr(&release.expr), printed: print::grouped(text, &release.expr) };
    if leaves(&spec.expr) == leaves(&release.expr) {
        ReleaseDifference::Groups(reading)
    } else {
        ReleaseDifference::Reads(reading)
    }
}

/// The operands in reading order, however they are grouped.
fn leaves(expr: &Expr) -> Vec<String> {
    let mut leaves = Vec::new();
    expr.walk(&mut |node| {
        if node.is_leaf() {
            leaves.push(sexpr(node));
        }
    });
    leaves
}
