//! Comments that silence rules: `# nodewise: ignore[rule, rule] reason` on the finding's line,
//! `ignore-next` on the line before, `ignore-file` anywhere. Without brackets every rule is meant.

use std::sync::LazyLock;

use nodewise_model::MostlyEmpty;
use nodewise_platform::sorting::Sorting;
use nodewise_syntax::{LineIndex, TextRange, TextSize, Tree};
use thin_vec::ThinVec;

/// The text with which every comment that silences rules begins.
pub const MARKER: &str = "nodewise:";

/// The words after the marker, each with a description of what it silences.
pub const WORDS: [(&str, &str); 3] = [
    (HERE, "findings on this line"),
    (NEXT, "findings on the next line"),
    (FILE, "findings anywhere in the file"),
];

const HERE: &str = "ignore";
const NEXT: &str = "ignore-next";
const FILE: &str = "ignore-file";

/// The comments of a file that silence rules.
#[derive(Debug, Default)]
pub struct Suppressions {
    /// The comments, in order.
    pub comments: ThinVec<Suppression>,
    /// The lines to which comments apply, sorted, each with the position of its comment.
    lines: ThinVec<(TextRange, usize)>,
    /// The positions of the comments that apply to the whole file.
    whole_file: ThinVec<usize>,
}

impl MostlyEmpty for Suppressions {
    fn empty() -> &'static Suppressions {
        static EMPTY: LazyLock<Suppressions> = LazyLock::new(Suppressions::default);
        &EMPTY
    }

    fn is_empty(&self) -> bool {
        self.comments.is_empty()
    }
}

/// A comment that silences rules.
#[derive(Debug)]
pub struct Suppression {
    /// What it silences.
    pub scope: SuppressionScope,
    /// The ids or former ids of the rules; empty if it silences all rules.
    pub rules: Vec<String>,
    /// The range of the comment in the text.
    pub range: TextRange,
}

/// Which findings a comment silences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SuppressionScope {
    /// Findings that begin on this line, given as its range in the text.
    Line(TextRange),
    /// Every finding of the file.
    File,
    /// None, because the word after the marker is not known.
    Unknown,
}

impl Suppressions {
    /// Finds the comments that silence rules in a tree.
    pub(crate) fn read(tree: &Tree) -> Suppressions {
        let text = tree.text();
        if !text.contains(MARKER) {
            return Suppressions::default();
        }
        let lines = LineIndex::new(text);
        let comments = tree.comments().filter_map(|comment| {
            let body = comment.text.trim_start_matches(['#', '/']).trim().strip_prefix(MARKER)?.trim_start();
            Some(read_comment(&lines, comment.range, body))
        });
        let mut suppressions = Suppressions { comments: comments.collect(), ..Suppressions::default() };
        for (position, comment) in suppressions.comments.iter().enumerate() {
            match comment.scope {
                SuppressionScope::Line(line) => suppressions.lines.push((line, position)),
                SuppressionScope::File => suppressions.whole_file.push(position),
                SuppressionScope::Unknown => {}
            }
        }
        suppressions.lines.arrange_by_key(|(line, position)| (line.start(), *position));
        suppressions
    }

    /// The positions of the comments that silence a finding. `rule` and `former` are the current and former ids of its
    /// rule; the finding begins at `offset`.
    pub(crate) fn silencing<'a>(
        &'a self,
        rule: &'a str,
        former: &'a [&'a str],
        offset: TextSize,
    ) -> impl Iterator<Item = usize> + 'a {
        let behind = self.lines.partition_point(|(line, _)| line.start() <= offset);
        let on_line =
            self.lines[..behind].iter().rev().take_while(move |(line, _)| line.contains_inclusive(offset));
        let speaking = on_line.map(|(_, position)| *position).chain(self.whole_file.iter().copied());
        speaking.filter(move |position| {
            let rules = self.comments.get(*position).map_or(&[][..], |comment| &comment.rules);
            rules.is_empty() || rules.iter().any(|named| named == rule || former.contains(&named.as_str()))
        })
    }
}

fn read_comment(lines: &LineIndex, range: TextRange, body: &str) -> Suppression {
    let word_end =
        body.find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '-')).unwrap_or(body.len());
    let (word, rest) = body.split_at(word_end);
    let rules = rest
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
        .map(|(names, _)| {
            names.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
        })
        .unwrap_or_default();
    let line = lines.line_col(range.start()).line;
    // On the last line of a text, `ignore-next` silences nothing.
    let whole_line = |line| lines.line_range(line).unwrap_or(TextRange::empty(range.end()));
    let scope = match word {
        HERE => SuppressionScope::Line(whole_line(line)),
        NEXT => SuppressionScope::Line(whole_line(line + 1)),
        FILE => SuppressionScope::File,
        _ => SuppressionScope::Unknown,
    };
    Suppression { scope, rules, range }
}
