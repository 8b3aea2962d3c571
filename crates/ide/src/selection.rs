//! Expands a selection. In: a position. Out: ranges from the word at the position to the whole file, each inside the
//! next.

use nodewise_analysis::workspace::Snapshot;
use nodewise_syntax::TextRange;
use nodewise_syntax::selection::enclosing_ranges;

use crate::position::FilePosition;

/// The ranges around a position, the innermost first.
#[must_use]
pub fn selection(snapshot: &Snapshot, position: FilePosition) -> Vec<TextRange> {
    let file = position.file(snapshot);
    file.map(|file| enclosing_ranges(file.tree(), position.offset)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::selection;
    use crate::testing::project_at_cursor;

    #[test]
    fn a_selection_grows() {
        let (snapshot, position) =
            project_at_cursor("kind: LLMNode\nnodes:\n  - target: plan$0ner\n    when: a\n");
        let text = &position.file(&snapshot).unwrap().text;
        let found: Vec<_> = selection(&snapshot, position).iter().map(|range| &text[*range]).collect();
        let edge = "target: planner\n    when: a";
        assert_eq!(
            found,
            [
                "planner",
                "target: planner",
                edge,
                &format!("- {edge}"),
                &format!("nodes:\n  - {edge}"),
                &format!("kind: LLMNode\nnodes:\n  - {edge}"),
                &format!("kind: LLMNode\nnodes:\n  - {edge}\n"),
            ]
        );
    }
}
