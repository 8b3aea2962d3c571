//! What an editor can fold: collections, long texts, runs of comments, documents.
//!
//! Input: a tree. Output: byte ranges, in the order of the text. Invariant: a fold has at least two lines, and no
//! two folds begin on one line (the outermost stays).

use nodewise_platform::sorting::Sorting;
use text_size::{TextRange, TextSize};

use crate::event::{Event, SyntaxKind};
use crate::line_index::LineIndex;
use crate::tree::{Comment, Tree};

/// A range that an editor can fold. Its first line stays visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// From the first character of the construct to the end of the last hidden line.
    pub range: TextRange,
    pub kind: FoldKind,
}

/// The kind of the folded content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldKind {
    /// An entry, an item or a flow collection.
    Collection,
    /// A scalar on several lines.
    Text,
    /// Lines with nothing but comments.
    Comments,
    /// From a `# region` comment to its `# endregion`.
    Region,
    /// A document after its `---`.
    Document,
}

/// The folds of a text, in the order of their starts.
pub fn folds(tree: &Tree) -> Vec<Fold> {
    let lines = LineIndex::new(tree.text());
    let mut folds = Vec::new();
    for (index, event) in (0..).zip(tree.events()) {
        let Some(kind) = fold_kind(tree, index, event) else { continue };
        let folded = tree.slice(event.start, fold_end(tree, index, &lines).into());
        // An empty block scalar ends after the line break of its header.
        let range = TextRange::at(event.start.into(), TextSize::of(folded.trim_end_matches(['\n', '\r'])));
        folds.push(Fold { range, kind });
    }
    add_comments(tree, &lines, &mut folds);
    folds.arrange_by_key(|fold| (fold.range.start(), std::cmp::Reverse(fold.range.end())));
    let line = |offset: TextSize| lines.line_col(offset).line;
    folds.retain(|fold| line(fold.range.start()) < line(fold.range.end()));
    folds.dedup_by_key(|fold| line(fold.range.start()));
    folds
}

fn fold_kind(tree: &Tree, index: u32, event: &Event) -> Option<FoldKind> {
    match event.kind {
        SyntaxKind::Entry
        | SyntaxKind::BareEntry
        | SyntaxKind::Item
        | SyntaxKind::FlowMap
        | SyntaxKind::FlowSeq => Some(FoldKind::Collection),
        SyntaxKind::Literal | SyntaxKind::Folded => Some(FoldKind::Text),
        SyntaxKind::Plain | SyntaxKind::SingleQuoted | SyntaxKind::DoubleQuoted => {
            let is_long = tree.slice(event.start, event.end).contains(['\n', '\r']);
            is_long.then_some(FoldKind::Text)
        }
        SyntaxKind::Document => {
            let marker = tree.event(index + 1).is_some_and(|first| first.kind == SyntaxKind::DocumentStart);
            marker.then_some(FoldKind::Document)
        }
        _ => None,
    }
}

/// The end of the hidden text. A closing bracket on its own line stays visible.
fn fold_end(tree: &Tree, index: u32, lines: &LineIndex) -> TextSize {
    let end = TextSize::from(tree.end_of(index));
    let last = tree.event(index).and_then(|event| tree.event(event.end.saturating_sub(1)));
    let is_construct = tree.event(index).is_some_and(|event| event.kind.is_construct());
    let Some(closer) = last.filter(|last| is_construct && last.kind == SyntaxKind::Closer) else {
        return end;
    };
    let line_start =
        lines.line_range(lines.line_col(closer.start.into()).line).map_or(end, |line| line.start());
    let lead = tree.slice(line_start.into(), closer.start);
    if !lead.bytes().all(|byte| matches!(byte, b' ' | b'\t')) {
        return end;
    }
    let before = tree.slice(0, line_start.into());
    let line_break = if before.ends_with("\r\n") { 2 } else { u32::from(before.ends_with(['\n', '\r'])) };
    line_start - TextSize::from(line_break)
}

/// Adds folds for consecutive lines with nothing but comments, and for regions.
fn add_comments(tree: &Tree, lines: &LineIndex, folds: &mut Vec<Fold>) {
    let mut run: Option<(TextRange, u32)> = None;
    let mut open_regions = Vec::new();
    for comment in tree.comments() {
        let line = lines.line_col(comment.range.start()).line;
        let start = lines.line_range(line).map_or(comment.range.start(), |line| line.start());
        let lead = tree.slice(start.into(), comment.range.start().into());
        if !lead.trim_matches(['\u{feff}', ' ', '\t']).is_empty() {
            continue;
        }
        if let Some(is_start) = region_mark(&comment) {
            if is_start {
                open_regions.push(comment.range.start());
            } else if let Some(region) = open_regions.pop() {
                let range = TextRange::new(region, comment.range.end());
                folds.push(Fold { range, kind: FoldKind::Region });
            }
            continue;
        }
        run = match run {
            Some((range, last)) if last + 1 == line => Some((range.cover(comment.range), line)),
            other => {
                folds.extend(other.map(|(range, _)| Fold { range, kind: FoldKind::Comments }));
                Some((comment.range, line))
            }
        };
    }
    folds.extend(run.map(|(range, _)| Fold { range, kind: FoldKind::Comments }));
}

/// `true` if a comment begins a region, `false` if it ends one, `None` for other comments.
fn region_mark(comment: &Comment<'_>) -> Option<bool> {
    let words = comment.text.trim_start_matches('#').trim_start();
    match words.split_whitespace().next()? {
        "region" => Some(true),
        "endregion" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{FoldKind, folds};
    use crate::{LineIndex, parse};

    /// Compares the folds with `first-last kind` in lines, one after the other.
    fn check_folds(text: &str, expected: &str) {
        let lines = LineIndex::new(text);
        let line = |offset| lines.line_col(offset).line;
        let found: Vec<_> = folds(&parse(text))
            .iter()
            .map(|fold| {
                let kind = match fold.kind {
                    FoldKind::Collection => "",
                    FoldKind::Text => " text",
                    FoldKind::Comments => " comments",
                    FoldKind::Region => " region",
                    FoldKind::Document => " document",
                };
                format!("{}-{}{kind}", line(fold.range.start()), line(fold.range.end()))
            })
            .collect();
        assert_eq!(found.join(", "), expected, "{text:?}");
    }

    #[test]
    fn collections_fold_under_their_first_line() {
        check_folds("a: 1\nb: 2\n", "");
        check_folds("a:\n  b: 1\n  c: 2\n\n# end\nd: 3\n", "1-3");
        check_folds("a:\n  - b: 1\n    c: 2\n  - d\n", "1-4, 2-3");
        check_folds("- a:\n    b: 1\n  c: 2\n", "1-3");
        check_folds("a:\n- b\n- c\nd: e\n", "1-3");
        check_folds("a: [b,\n  c]\n", "1-2");
        check_folds("{\n  \"a\": [\n    1\n  ],\n  \"b\": {}\n}\n", "1-5, 2-3");
        check_folds("{\r\n  \"a\": [\r\n    1\r\n  ]\r\n}\r\n", "1-4, 2-3");
        check_folds("a: [b,\n  c\nd: e\n", "1-2");
        check_folds("a:\n  b: 1\n tar\nc:\n  d\n", "1-3, 4-5");
    }

    #[test]
    fn texts_comments_and_documents() {
        check_folds("a: |\n  x\n  y\nb: 1\n", "1-3");
        check_folds("|\n  x\n  y\n", "1-3 text");
        check_folds("a:\n  b: |x\n  c: 1\n", "1-3");
        check_folds("- 'x\n  y'\n", "1-2");
        check_folds("# a\n# b\nc: 1 # d\n# e\n# f\n", "1-2 comments, 4-5 comments");
        check_folds("# a\n\n# b\n", "");
        check_folds("# region x\na: 1\n#endregion\nb: 1\n", "1-3 region");
        check_folds("# region x\n# region y\na: 1\n# endregion\n# endregion\n", "1-5 region, 2-4 region");
        check_folds("# endregion\na: 1\n# region\n", "");
        check_folds("---\na: 1\nb:\n  c: 2\n---\nd: 1\n", "1-4 document, 3-4, 5-6 document");
        check_folds("a: 1\n---\nb: 2\n", "2-3 document");
        check_folds("\u{feff}# a\n# b\n", "1-2 comments");
        check_folds("", "");
    }
}
