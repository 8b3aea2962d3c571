//! Edits while the user types: after a line break, the indentation of the new line, and the dash of a list that
//! continues. In: the position directly after the line break. Out: edits. Invariant: only white space and dashes
//! change, on the new line and on an empty item before it.

use nodewise_analysis::workspace::Snapshot;
use nodewise_syntax::edit::TextEdit;
use nodewise_syntax::locate::{Location, Place, TreeStep, ValuePlace, locate};
use nodewise_syntax::{ScalarStyle, TextRange, TextSize, Tree};

use crate::cursor_context::CursorContext;
use crate::position::FilePosition;

/// The edits after a typed line break. `step` is the width of an indentation level in columns. Documents of other
/// programs get none.
#[must_use]
pub fn on_new_line(snapshot: &Snapshot, position: FilePosition, step: usize) -> Vec<TextEdit> {
    let Some(file) = position.file(snapshot) else { return Vec::new() };
    let Some(lines) = Lines::around(file.tree(), position.offset) else { return Vec::new() };
    match is_helped(snapshot, FilePosition::new(position.source, size(lines.before_end))) {
        true => lines.edits(step).unwrap_or_default(),
        false => Vec::new(),
    }
}

/// Whether a system declares the document, or the document can still become one of its documents.
fn is_helped(snapshot: &Snapshot, position: FilePosition) -> bool {
    let spot = CursorContext::at(snapshot, position);
    spot.is_some_and(|spot| spot.dialect.is_some() || !spot.possible_kinds().is_empty())
}

/// The new line and the one before it.
struct Lines<'t> {
    tree: &'t Tree,
    text: &'t str,
    /// The start of the line before.
    before: usize,
    /// The end of the content of the line before.
    before_end: usize,
    /// The start of the new line.
    line: usize,
    /// The start of the content of the new line.
    content: usize,
}

impl<'t> Lines<'t> {
    /// The lines at an offset after a line break. `None` if the line before is empty or missing.
    fn around(tree: &'t Tree, offset: TextSize) -> Option<Lines<'t>> {
        let text = tree.text();
        let head = text.get(..usize::from(offset).min(text.len()))?;
        let line = head.rfind('\n')? + 1;
        let written = text.get(..line)?.trim_end_matches(['\n', '\r']);
        let is_next = text.get(written.len()..line)?.matches('\n').count() == 1;
        let before = written.rfind('\n').map_or(0, |found| found + 1);
        let before_end = written.trim_end_matches([' ', '\t']).len();
        let blank = text.get(line..)?;
        let content = line + (blank.len() - blank.trim_start_matches([' ', '\t']).len());
        (is_next && before_end > before).then_some(Lines { tree, text, before, before_end, line, content })
    }

    fn edits(&self, step: usize) -> Option<Vec<TextEdit>> {
        let location = locate(self.tree, size(self.before_end));
        let is_blank = self
            .text
            .get(self.content..)
            .is_none_or(|rest| rest.is_empty() || rest.starts_with(['\n', '\r']));
        match &location.place {
            Place::Comment { .. } if self.is_whole_line_comment() => self.indented(self.before_indent()),
            Place::Key(key) if key.flow.is_none() && !key.has_colon => self.indented(key.indent),
            Place::Value(value) if value.flow.is_some() => self.in_flow(step),
            Place::Key(key) if key.flow.is_some() => self.in_flow(step),
            Place::Either { value, .. } if value.after_dash && value.typed.is_empty() => {
                self.behind_empty_item(&location, is_blank)
            }
            Place::Value(value) | Place::Either { value, .. } => {
                self.behind_value(&location, value, step, is_blank)
            }
            Place::Nothing if is_blank => self.indented(self.entry_column()),
            _ => None,
        }
    }

    /// After a value: below its key, inside a block scalar, or at the next item of a list.
    fn behind_value(
        &self,
        location: &Location,
        value: &ValuePlace,
        step: usize,
        is_blank: bool,
    ) -> Option<Vec<TextEdit>> {
        let is_block = matches!(value.style, Some(ScalarStyle::Literal | ScalarStyle::Folded));
        let body = value.node.and_then(|node| self.tree.node(node)).map(|node| node.range());
        if is_block && size(self.before_end) > value.typed.start() && !value.typed.is_empty() {
            return self.indented(self.before_indent());
        }
        if is_block {
            return self.indented(self.entry_column() + step);
        }
        match (value.key, value.style) {
            (Some(key), None) => {
                let child =
                    body.filter(|body| body.start() >= size(self.line)).map(|body| self.column(body.start()));
                let is_deeper = |column: &usize| *column > self.column(key.start());
                self.indented(child.filter(is_deeper).unwrap_or(self.column(key.start()) + step))
            }
            (Some(_), Some(_))
                if is_blank && value.typed.start() == size(self.before + self.before_indent()) =>
            {
                self.indented(self.before_indent())
            }
            (Some(key), Some(_)) if is_blank && self.is_before_line(value.typed) => {
                self.indented(self.column(key.start()))
            }
            (None, Some(_)) if is_blank && value.after_dash && self.is_before_line(value.typed) => {
                let dash = self.column_of_dash(location)?;
                Some(vec![self.replaced(format!("{}- ", " ".repeat(dash)))])
            }
            _ => None,
        }
    }

    /// After an empty item: a second line break ends the list, so the dash is removed.
    fn behind_empty_item(&self, location: &Location, is_blank: bool) -> Option<Vec<TextEdit>> {
        let Some(TreeStep::Item { index, .. }) = location.path.last() else { return None };
        let dash = self.column_of_dash(location)?;
        let own = self.text.get(self.before..self.before_end)?.trim_start();
        if *index == 0 || !is_blank || own != "-" {
            return None;
        }
        let parent = location.path.iter().rev().find_map(|step| match step {
            TreeStep::Key { range, .. } => Some(self.column(range.start())),
            TreeStep::Item { .. } => None,
        });
        let indent = " ".repeat(parent.unwrap_or(0).min(dash));
        let range = TextRange::new(size(self.before), size(self.content));
        Some(vec![TextEdit { range, text: indent }])
    }

    /// Inside brackets: deeper after an open one, else like the line before.
    fn in_flow(&self, step: usize) -> Option<Vec<TextEdit>> {
        let is_closing = self.text.get(self.content..)?.starts_with([']', '}']);
        let opened = self.text.get(self.before..self.before_end)?.ends_with(['[', '{']);
        let deeper = if opened && !is_closing { step } else { 0 };
        self.indented(self.before_indent() + deeper)
    }

    /// Gives the new line this indentation.
    fn indented(&self, column: usize) -> Option<Vec<TextEdit>> {
        let edit = self.replaced(" ".repeat(column));
        let written = self.text.get(self.line..self.content)?;
        Some(if written == edit.text { Vec::new() } else { vec![edit] })
    }

    fn replaced(&self, text: String) -> TextEdit {
        TextEdit { range: TextRange::new(size(self.line), size(self.content)), text }
    }

    /// The column of the content of the line before.
    fn before_indent(&self) -> usize {
        let line = self.text.get(self.before..self.before_end).unwrap_or_default();
        line.len() - line.trim_start_matches([' ', '\t']).len()
    }

    /// The column of the entry on the line before. If dashes precede a key, the column of the key.
    fn entry_column(&self) -> usize {
        let line = self.text.get(self.before..self.before_end).unwrap_or_default();
        let mut rest = line.trim_start_matches([' ', '\t']);
        while let Some(behind) = rest.strip_prefix("- ") {
            rest = behind.trim_start_matches(' ');
        }
        let start = self.before + (line.len() - rest.len());
        let is_key = locate(self.tree, size(start)).key().is_some_and(|key| key.has_colon);
        if is_key { start - self.before } else { self.before_indent() }
    }

    fn is_whole_line_comment(&self) -> bool {
        self.text.get(self.before..self.before_end).is_some_and(|line| line.trim_start().starts_with('#'))
    }

    /// Whether a value begins and ends on the line before.
    fn is_before_line(&self, range: TextRange) -> bool {
        range.start() >= size(self.before) && range.end() <= size(self.line)
    }

    /// The column of the dash of the item around the location.
    fn column_of_dash(&self, location: &Location) -> Option<usize> {
        let Some(TreeStep::Item { index, sequence }) = location.path.last() else { return None };
        let sequence = self.tree.node(*sequence)?.as_sequence()?;
        let item = sequence.items().nth(*index)?;
        (item.range().start() >= size(self.before)).then(|| self.column(item.range().start()))
    }

    fn column(&self, offset: TextSize) -> usize {
        let head = self.text.get(..usize::from(offset)).unwrap_or_default();
        head.len() - head.rfind('\n').map_or(0, |found| found + 1)
    }
}

fn size(offset: usize) -> TextSize {
    TextSize::try_from(offset).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use nodewise_syntax::edit::apply_edits;

    use super::{Lines, on_new_line};
    use crate::position::FilePosition;
    use crate::testing::project_at_cursor;

    /// Types a line break at `$0` with the indentation that an editor would copy, and applies the edits for documents of
    /// any program.
    fn check_new_line(fixture: &str, expected: &str) {
        let (snapshot, position) = project_at_cursor(&fixture.replacen("$0", "\n$0", 1));
        let file = position.file(&snapshot).unwrap();
        let lines = Lines::around(file.tree(), position.offset);
        let mut edits = lines.and_then(|lines| lines.edits(2)).unwrap_or_default();
        assert_eq!(apply_edits(&file.text, &mut edits).unwrap(), expected, "{fixture:?}");
    }

    /// The same with the edits that the document gets.
    fn check_new_line_in_document(fixture: &str, expected: &str) {
        let (snapshot, position) = project_at_cursor(&fixture.replacen("$0", "\n$0", 1));
        let text = position.file(&snapshot).unwrap().text.to_string();
        let mut edits = on_new_line(&snapshot, position, 2);
        assert_eq!(apply_edits(&text, &mut edits).unwrap(), expected, "{fixture:?}");
    }

    #[test]
    fn documents_of_other_programs_get_no_edits() {
        check_new_line_in_document(
            "services:\n  - image: a\n    ports: [1]\n  - image: b$0\n",
            "services:\n  - image: a\n    ports: [1]\n  - image: b\n\n",
        );
        check_new_line_in_document(
            "kind: LLMNode\nname: a\nnodes:\n  - target: b$0\n",
            "kind: LLMNode\nname: a\nnodes:\n  - target: b\n    \n",
        );
        // Nothing identifies this document yet.
        check_new_line_in_document("nodes:\n  - id: first$0\n", "nodes:\n  - id: first\n    \n");
    }

    #[test]
    fn below_keys() {
        check_new_line("kind: LLMNode\nprompts:$0\n", "kind: LLMNode\nprompts:\n  \n");
        check_new_line("kind: LLMNode$0\nname: a\n", "kind: LLMNode\n\nname: a\n");
        check_new_line("prompts:\n  system:\n    en: Plan$0\n", "prompts:\n  system:\n    en: Plan\n    \n");
        check_new_line("prompts:\n  system:$0\n", "prompts:\n  system:\n    \n");
        check_new_line("prompts:$0\n    system: a\n", "prompts:\n    \n    system: a\n");
        check_new_line("prompts: # why$0\n", "prompts: # why\n\n");
        check_new_line("tools: [a]$0\n", "tools: [a]\n\n");
        check_new_line("a:\n  tools: [a]$0\n", "a:\n  tools: [a]\n  \n");
        check_new_line("a:\n  nam$0\n", "a:\n  nam\n  \n");
        check_new_line("a:\n  b: |$0\n", "a:\n  b: |\n    \n");
        check_new_line("a:\n  b: |\n      text$0\n", "a:\n  b: |\n      text\n      \n");
        check_new_line("a: 'x$0\n", "a: 'x\n\n");
        check_new_line("a:\n  # why$0\n  b: 1\n", "a:\n  # why\n  \n  b: 1\n");
        check_new_line("a:\n  b: 1\n\n$0c: 2\n", "a:\n  b: 1\n\n\nc: 2\n");
    }

    #[test]
    fn in_lists() {
        check_new_line("tools:$0\n", "tools:\n  \n");
        check_new_line("tools:\n  - a$0\n", "tools:\n  - a\n  - \n");
        check_new_line("tools:\n- a$0\n", "tools:\n- a\n- \n");
        check_new_line("tools:\n  - a\n  - $0\n", "tools:\n  - a\n\n");
        check_new_line("m:\n  tools:\n    - a\n    - $0\n", "m:\n  tools:\n    - a\n  \n");
        check_new_line("tools:\n  - $0\n", "tools:\n  - \n\n");
        check_new_line("nodes:\n  - target: a$0\n", "nodes:\n  - target: a\n    \n");
        check_new_line(
            "nodes:\n  - target: a\n    when: b$0\n",
            "nodes:\n  - target: a\n    when: b\n    \n",
        );
        check_new_line("nodes:\n  - when:$0\n", "nodes:\n  - when:\n      \n");
        check_new_line("nodes:\n  - when: >$0\n", "nodes:\n  - when: >\n      \n");
        check_new_line("tools:\n  - a $0b\n", "tools:\n  - a \nb\n");
    }

    #[test]
    fn anywhere_in_a_text_that_is_cut_off() {
        let text = "kind: LLMNode\r\nprompts: {é: [a,\n  'b\n'],\n}\nwhen: >-\n  x\n\n  y\nnodes:\n- - c\n  -\n- \"d: e\"\n---\n";
        for (end, _) in text.char_indices() {
            let cut = text.get(..end).unwrap_or_default();
            let (snapshot, position) = project_at_cursor(&format!("#- /a.yaml\n{cut}$0"));
            for offset in 0..end + 3 {
                let place = FilePosition::new(position.source, u32::try_from(offset).unwrap().into());
                let mut edits = on_new_line(&snapshot, place, 2);
                let edited = apply_edits(cut, &mut edits).unwrap();
                let letters = |text: &str| text.replace([' ', '\t', '-', '\r', '\n'], "");
                assert_eq!(letters(&edited), letters(cut), "{offset} of {cut:?}");
            }
        }
    }

    #[test]
    fn inside_brackets() {
        check_new_line("tools: [$0]\n", "tools: [\n]\n");
        check_new_line("tools: [$0\n", "tools: [\n  \n");
        check_new_line("#- /a.json\n{$0\n", "{\n  \n");
        check_new_line("#- /a.json\n{\n  \"a\": 1,$0\n}\n", "{\n  \"a\": 1,\n  \n}\n");
        check_new_line("#- /a.json\n{\n  \"a\": [$0\n  ]\n}\n", "{\n  \"a\": [\n    \n  ]\n}\n");
    }
}
