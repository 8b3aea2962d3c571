//! Syntax trees as the tree-sitter command prints them.
//!
//! Input is the output of `tree-sitter parse` for several files. Output is a tree for each, with byte ranges.
//! Invariant: there are as many trees as files, in the same order, or there is an error.

use std::ops::Range;

use anyhow::{Context, Result, bail, ensure};

/// The tree of a text.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) root: Node,
    /// Whether the parser read the text without error recovery.
    pub(crate) is_intact: bool,
}

/// A node of the tree. Tokens without a name are left out.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) kind: String,
    pub(crate) field: Option<String>,
    pub(crate) range: Range<usize>,
    pub(crate) children: Vec<Node>,
}

impl Node {
    /// The child in a field.
    pub(crate) fn child(&self, field: &str) -> Option<&Node> {
        self.children.iter().find(|child| child.field.as_deref() == Some(field))
    }
}

/// The trees of these texts. A line that begins with neither a parenthesis nor a space says that the tree before it
/// needed error recovery.
pub(crate) fn read(printed: &str, texts: &[&str]) -> Result<Vec<Tree>> {
    let mut trees: Vec<(String, bool)> = Vec::new();
    for line in printed.lines() {
        if line.starts_with('(') {
            trees.push((String::new(), true));
        }
        let (tree, is_intact) = trees.last_mut().context("the output begins in the middle of a tree")?;
        match line.starts_with(['(', ' ']) {
            true => tree.push_str(line),
            false => *is_intact = false,
        }
    }
    ensure!(trees.len() == texts.len(), "{} trees for {} texts", trees.len(), texts.len());
    let pairs = trees.iter().zip(texts);
    pairs
        .map(|((tree, is_intact), text)| {
            Ok(Tree { root: Reader::new(tree, text).node(None)?, is_intact: *is_intact })
        })
        .collect()
}

/// A position in the printed form of a tree.
struct Reader<'p> {
    rest: &'p str,
    /// The start of each line of the text.
    lines: Vec<usize>,
}

impl<'p> Reader<'p> {
    fn new(printed: &'p str, text: &str) -> Reader<'p> {
        let starts = text.match_indices('\n').map(|(at, _)| at + 1);
        Reader { rest: printed, lines: std::iter::once(0).chain(starts).collect() }
    }

    /// `(kind [0, 0] - [0, 5] field: (…) (…))`
    fn node(&mut self, field: Option<String>) -> Result<Node> {
        self.pass("(")?;
        let kind = self.word().to_owned();
        let start = self.position()?;
        self.pass("-")?;
        let end = self.position()?;
        let mut node = Node { kind, field, range: start..end, children: Vec::new() };
        loop {
            self.blank();
            if self.take(")") {
                return Ok(node);
            }
            let field = if self.rest.starts_with('(') { None } else { Some(self.field()?) };
            node.children.push(self.node(field)?);
        }
    }

    fn field(&mut self) -> Result<String> {
        let name = self.word().to_owned();
        self.pass(":")?;
        Ok(name)
    }

    /// `[row, column]` as an offset.
    fn position(&mut self) -> Result<usize> {
        self.pass("[")?;
        let row: usize = self.word().parse()?;
        self.pass(",")?;
        let column: usize = self.word().parse()?;
        self.pass("]")?;
        Ok(self.lines.get(row).context("a row after the end of the text")? + column)
    }

    /// Letters, digits and `_`.
    fn word(&mut self) -> &'p str {
        self.blank();
        let ends = |character: char| !character.is_alphanumeric() && character != '_';
        let (word, rest) = self.rest.split_at(self.rest.find(ends).unwrap_or(self.rest.len()));
        self.rest = rest;
        word
    }

    /// Skips a sign that must be next.
    fn pass(&mut self, sign: &str) -> Result<()> {
        self.blank();
        if self.take(sign) {
            return Ok(());
        }
        bail!("no `{sign}` before {:?}", self.rest.chars().take(40).collect::<String>())
    }

    fn take(&mut self, sign: &str) -> bool {
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn blank(&mut self) {
        self.rest = self.rest.trim_start();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_of_several_files() {
        let printed = "\
(condition [0, 0] - [1, 1]
  (not [0, 0] - [1, 1]
    operand: (path [1, 0] - [1, 1]
      (name [1, 0] - [1, 1]))))
(condition [0, 0] - [0, 1]
  (group [0, 0] - [0, 1]))
/some/file	Parse:    0.02 ms	   224 bytes/ms	(MISSING \")\" [0, 1] - [0, 1])
";
        let trees = read(printed, &["!\na", "("]).unwrap();
        let not = &trees[0].root.children[0];
        assert_eq!((not.kind.as_str(), not.range.clone()), ("not", 0..3));
        assert_eq!(not.child("operand").unwrap().range, 2..3);
        assert!(trees[0].is_intact);
        assert!(!trees[1].is_intact);
        assert!(read(printed, &["!\na"]).is_err());
    }
}
