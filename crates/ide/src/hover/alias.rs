//! Hover on an alias: its value. Hover on an anchor: how often it is used. In: the context of a cursor. Out: a hover on the name with
//! its sign. A long value is cut.

use nodewise_syntax::{TextRange, TextSize};

use super::Hover;
use crate::anchors::anchor_at;
use crate::cursor_context::CursorContext;
use crate::markup::{Line, Markup, counted};

/// The maximum number of lines of a value.
const LINES_MAX: usize = 10;

pub(super) fn hover(spot: &CursorContext<'_>) -> Option<Hover> {
    let anchor = anchor_at(spot.file, spot.position.offset)?;
    let name = anchor.clicked.range;
    let range = TextRange::new(name.start().checked_sub(TextSize::of('*'))?, name.end());
    let mut text = Markup::new();
    if anchor.clicked == anchor.at {
        let line = Line::new().strong("anchor").prose(" ").code(&anchor.name).prose(": ");
        text.paragraph(&line.prose(&counted(anchor.aliases.len(), "alias")));
        return Some(Hover { range, text });
    }
    let line = Line::new().strong("alias").prose(" of ").code(&anchor.name).prose(" · ");
    text.paragraph(&line.place(spot.snapshot, anchor.at));
    let behind = TextRange::new(anchor.at.range.end(), anchor.whole.range.end());
    let value = spot.file.text.get(std::ops::Range::<usize>::from(behind))?;
    text.code("yaml", &beginning(value.trim_start()));
    Some(Hover { range, text })
}

/// The first lines of a value, without their common indentation.
fn beginning(whole: &str) -> String {
    let is_blank = |line: &&str| line.trim().is_empty();
    let lines: Vec<&str> = whole.lines().collect();
    let shown = lines.iter().take(LINES_MAX).copied();
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let shared = shown.clone().skip(1).filter(|line| !is_blank(line)).map(indent).min().unwrap_or(0);
    let mut text: Vec<&str> = Vec::new();
    for (position, line) in shown.enumerate() {
        let cut = if position == 0 { 0 } else { shared.min(indent(line)) };
        text.push(line.get(cut..).unwrap_or(line));
    }
    if lines.len() > LINES_MAX {
        text.push("…");
    }
    text.join("\n")
}
