//! References into the state.
//!
//! Input: a text or tree; output: dotted paths that begin with a partition. Invariant: a path is made of ASCII
//! letters, digits, `_` and single dots, and the character before it cannot be part of one.

use text_size::{TextRange, TextSize};

use super::piece::Piece;
use super::{is_word, range, slice};
use crate::ast::{Expr, ExprKind, Path, Segment};

/// The parts of the state that expressions can read.
pub const PARTITIONS: [&str; 5] = {
    let [(scratch, _), (input, _), (artifacts, _), (memory, _), (diagnostics, _)] = PARTITION_TABLE;
    [scratch, input, artifacts, memory, diagnostics]
};

/// The same parts, each with a description.
pub(crate) const PARTITION_TABLE: [(&str, &str); 5] = [
    ("scratch", "What the nodes keep for each other during the run, by key."),
    ("input", "What the run was given, by key."),
    ("artifacts", "What the nodes have produced: the results of the graph, by key."),
    ("memory", "What was recalled from the memory. It is empty while edges and routers are evaluated."),
    ("diagnostics", "Counts that the runtime keeps about the run, such as `checkpointsSaved`."),
];

/// A place where an expression names a part of the state.
#[derive(Debug, Clone, PartialEq)]
pub struct StateReference {
    /// The path; its first segment is one of [`PARTITIONS`].
    pub path: Path,
    /// Whether the runtime reads it. It does not if the reference is inside a text that stands for itself: `scratch.n + 1`.
    pub is_read: bool,
}

/// Every reference of the expression, in reading order.
pub fn references(text: &str, expr: &Expr) -> Vec<StateReference> {
    let mut found = Vec::new();
    let stuck = |range: TextRange| {
        scan(slice(text, range), range.start())
            .into_iter()
            .map(|path| StateReference { path, is_read: false })
    };
    expr.walk(&mut |node| match &node.kind {
        ExprKind::Error(_) => found.extend(stuck(node.range)),
        ExprKind::Bare(_) => found.extend(stuck(node.range)),
        ExprKind::Text(text) if text.value.contains(text.quote) => found.extend(stuck(node.range)),
        // Variables below an error node were found together with the node.
        ExprKind::Variable(path) if !matches!(expr.kind, ExprKind::Error(_)) => {
            found.push(StateReference { path: path.clone(), is_read: true });
        }
        _ => {}
    });
    found
}

/// The paths in a piece of text. `offset` is where the piece begins in the expression.
pub(crate) fn scan(text: &str, offset: TextSize) -> Vec<Path> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        if !is_word(*byte) {
            at += 1;
            continue;
        }
        let rest = text.get(at..).unwrap_or_default();
        match path_at(rest, usize::from(offset) + at) {
            Some(path) => {
                at = usize::from(path.range().end() - offset);
                found.push(path);
            }
            None => at += rest.bytes().take_while(|byte| is_word(*byte)).count(),
        }
    }
    found
}

/// The path, if the piece is nothing else.
pub(crate) fn exact(piece: Piece<'_>) -> Option<Path> {
    path_at(piece.text, piece.start).filter(|path| path.range() == piece.range())
}

/// A path as a node of the tree.
pub(crate) fn variable(path: Path) -> Expr {
    let range = path.range();
    Expr { kind: ExprKind::Variable(path), range }
}

/// The longest path that begins at `start`.
fn path_at(text: &str, start: usize) -> Option<Path> {
    let word_length = |rest: &str| rest.bytes().take_while(|byte| is_word(*byte)).count();
    let mut end = word_length(text);
    let partition = text.get(..end).filter(|word| PARTITIONS.contains(word))?;
    let mut segments = vec![Segment { name: partition.into(), range: range(start, start + end) }];
    while let Some(rest) = text.get(end..).and_then(|rest| rest.strip_prefix('.')) {
        let length = word_length(rest);
        if length == 0 {
            break;
        }
        let name_start = end + 1;
        end = name_start + length;
        segments.push(Segment {
            name: rest.get(..length).unwrap_or_default().into(),
            range: range(start + name_start, start + end),
        });
    }
    Some(Path { segments })
}
