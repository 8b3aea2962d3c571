//! Splits Rust text into code, string literals and test items.
//!
//! Input is a Rust file. Output is the same text with comments and literals replaced with spaces (every byte keeps its
//! place), the string literals, and the lines of tests. Invariant: any text is accepted, and `code` has exactly the
//! length of the input.

#[cfg(test)]
mod tests;

pub(crate) struct RustSource {
    pub(crate) text: String,
    /// The text with comments and the contents of literals replaced with spaces.
    pub(crate) code: String,
    pub(crate) literals: Vec<StringLiteral>,
    /// For each line, whether it belongs to an item under `#[cfg(test)]` or `#[test]`.
    pub(crate) is_test_line: Vec<bool>,
}

pub(crate) struct StringLiteral {
    /// The offset of the opening quote, or of the prefix of a raw string.
    pub(crate) offset: usize,
    /// The line, from 1.
    pub(crate) line: usize,
    /// The text between the quotes, with escapes as written.
    pub(crate) content: String,
}

#[derive(Clone, Copy)]
enum Piece {
    Code { length: usize },
    Comment { length: usize },
    Character { length: usize },
    Text { length: usize, content_start: usize, content_end: usize },
}

impl RustSource {
    pub(crate) fn read(text: &str) -> Self {
        let mut code = String::with_capacity(text.len());
        let mut literals = Vec::new();
        let mut offset = 0;
        let mut line = 1;
        let mut follows_word = false;
        while let Some(rest) = text.get(offset..).filter(|rest| !rest.is_empty()) {
            let piece = next_piece(rest, follows_word);
            let (piece_text, _) = rest.split_at_checked(piece.length()).unwrap_or((rest, ""));
            follows_word = false;
            match piece {
                Piece::Code { .. } => {
                    code.push_str(piece_text);
                    follows_word = piece_text.ends_with(is_word_character);
                }
                Piece::Comment { .. } | Piece::Character { .. } => push_blank(&mut code, piece_text),
                Piece::Text { content_start, content_end, .. } => {
                    let content = rest.get(content_start..content_end).unwrap_or_default().to_owned();
                    literals.push(StringLiteral { offset, line, content });
                    push_quoted_blank(&mut code, piece_text);
                }
            }
            line += piece_text.matches('\n').count();
            offset += piece_text.len();
        }
        let is_test_line = test_lines(&code);
        Self { text: text.to_owned(), code, literals, is_test_line }
    }

    /// Lines outside test items.
    pub(crate) fn line_count_without_tests(&self) -> usize {
        self.is_test_line.iter().filter(|is_test| !**is_test).count()
    }

    /// Whether the line (from 1) is part of a test item.
    pub(crate) fn is_test(&self, line: usize) -> bool {
        line.checked_sub(1).and_then(|index| self.is_test_line.get(index)).copied().unwrap_or_default()
    }
}

impl Piece {
    fn length(self) -> usize {
        match self {
            Self::Code { length }
            | Self::Comment { length }
            | Self::Character { length }
            | Self::Text { length, .. } => length,
        }
    }
}

/// The places of `word` in `code` as a whole word. `word` can be a path such as `std::fs`.
pub(crate) fn find_words<'code>(code: &'code str, word: &'code str) -> impl Iterator<Item = usize> + 'code {
    code.match_indices(word).map(|(offset, _)| offset).filter(move |&offset| {
        let before = code.get(..offset).unwrap_or_default();
        let after = code.get(offset + word.len()..).unwrap_or_default();
        !before.ends_with(is_word_character) && !after.starts_with(is_word_character)
    })
}

/// The paths in a path or a nested `use` tree at the start of `code`.
pub(crate) fn use_paths(code: &str) -> Vec<String> {
    let mut paths = Vec::new();
    read_use_tree(code, "", &mut paths);
    paths
}

pub(crate) fn is_word_character(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn next_piece(rest: &str, follows_word: bool) -> Piece {
    if rest.starts_with("//") {
        return Piece::Comment { length: rest.find('\n').unwrap_or(rest.len()) };
    }
    if rest.starts_with("/*") {
        return Piece::Comment { length: block_comment_length(rest) };
    }
    if rest.starts_with('"') {
        return quoted_text(rest);
    }
    if let Some(raw) = raw_text(rest).filter(|_| !follows_word) {
        return raw;
    }
    if let Some(length) = character_length(rest) {
        return Piece::Character { length };
    }
    // The characters that can begin a comment, a literal, or the prefix of a literal.
    let may_begin = |character| matches!(character, '/' | '"' | '\'' | 'b' | 'c' | 'r');
    let first = rest.chars().next().map_or(0, char::len_utf8);
    let behind = rest.get(first..).and_then(|behind| behind.find(may_begin));
    Piece::Code { length: behind.map_or(rest.len(), |offset| first + offset) }
}

fn block_comment_length(rest: &str) -> usize {
    let mut depth = 0_usize;
    let mut offset = 0;
    while let Some(remaining) = rest.get(offset..).filter(|remaining| !remaining.is_empty()) {
        if remaining.starts_with("/*") {
            depth += 1;
            offset += 2;
        } else if remaining.starts_with("*/") {
            depth -= 1;
            offset += 2;
            if depth == 0 {
                return offset;
            }
        } else {
            offset += remaining.chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

fn quoted_text(rest: &str) -> Piece {
    let mut is_escaped = false;
    for (offset, character) in rest.char_indices().skip(1) {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return Piece::Text { length: offset + 1, content_start: 1, content_end: offset },
            _ => {}
        }
    }
    Piece::Text { length: rest.len(), content_start: 1, content_end: rest.len() }
}

fn raw_text(rest: &str) -> Option<Piece> {
    let after_kind = rest.strip_prefix(['b', 'c']).unwrap_or(rest);
    let after_prefix = after_kind.strip_prefix('r')?;
    let after_hashes = after_prefix.trim_start_matches('#');
    let hashes = "#".repeat(after_prefix.len() - after_hashes.len());
    let content_on = after_hashes.strip_prefix('"')?;
    let content_start = rest.len() - content_on.len();
    let closing = format!("\"{hashes}");
    let content_length = content_on.find(&closing);
    let content_end = content_length.map_or(rest.len(), |length| content_start + length);
    let length = content_length.map_or(rest.len(), |length| content_start + length + closing.len());
    Some(Piece::Text { length, content_start, content_end })
}

/// The length of a character literal. `None` for a lifetime and for anything else.
fn character_length(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('\'')?;
    let first = inside.chars().next()?;
    if first == '\\' {
        let after_escaped = 1 + 1 + inside.chars().nth(1)?.len_utf8();
        let closing = rest.get(after_escaped..)?.find('\'')?;
        return Some(after_escaped + closing + 1);
    }
    let after_first = inside.get(first.len_utf8()..)?;
    after_first.starts_with('\'').then(|| 1 + first.len_utf8() + 1)
}

fn push_blank(code: &mut String, piece_text: &str) {
    code.extend(piece_text.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
}

/// Replaces a text literal with spaces, but keeps its outer quotes, so that its place is visible.
fn push_quoted_blank(code: &mut String, piece_text: &str) {
    let opening = piece_text.find('"');
    let closing = piece_text.rfind('"');
    code.extend(piece_text.bytes().enumerate().map(|(offset, byte)| match byte {
        b'\n' => '\n',
        b'"' if Some(offset) == opening || Some(offset) == closing => '"',
        _ => ' ',
    }));
}

fn test_lines(code: &str) -> Vec<bool> {
    let line_count = code.lines().count();
    if code.contains("#![cfg(test)]") {
        return vec![true; line_count];
    }
    let mut is_test = vec![false; line_count];
    for attribute in ["#[cfg(test)]", "#[cfg(all(test", "#[test]"] {
        for (start, _) in code.match_indices(attribute) {
            let end = start + item_length(code.get(start..).unwrap_or_default());
            let first_line = code.get(..start).unwrap_or_default().matches('\n').count();
            let item_lines = code.get(start..end).unwrap_or_default().lines().count();
            is_test.iter_mut().skip(first_line).take(item_lines).for_each(|line| *line = true);
        }
    }
    is_test
}

/// The length from an attribute to the end of its item, which is a closing brace or a semicolon.
fn item_length(code: &str) -> usize {
    let mut open_brackets = 0_usize;
    let mut open_braces = 0_usize;
    for (offset, character) in code.char_indices() {
        match character {
            '(' | '[' => open_brackets += 1,
            ')' | ']' => open_brackets = open_brackets.saturating_sub(1),
            '{' => open_braces += 1,
            '}' => open_braces = open_braces.saturating_sub(1),
            _ => {}
        }
        let ends_item = character == '}' || (character == ';' && open_brackets == 0);
        if ends_item && open_braces == 0 {
            return offset + 1;
        }
    }
    code.len()
}

/// Collects the paths of the `use` tree at the start of `code`, and returns the code after it.
fn read_use_tree<'code>(code: &'code str, prefix: &str, paths: &mut Vec<String>) -> &'code str {
    let is_path = |character| is_word_character(character) || matches!(character, ':' | '*');
    let path_length = code.find(|character| !is_path(character)).unwrap_or(code.len());
    let (segments, behind) = code.split_at_checked(path_length).unwrap_or((code, ""));
    let path = format!("{prefix}{segments}");
    let Some(mut rest) = behind.strip_prefix('{').filter(|_| path.ends_with("::")) else {
        paths.push(path);
        return behind;
    };
    loop {
        let after_branch = read_use_tree(rest.trim_start(), &path, paths);
        let at_separator = after_branch.trim_start_matches(|character| !matches!(character, ',' | '}'));
        match at_separator.strip_prefix(',') {
            Some(next_branch) => rest = next_branch,
            None => return at_separator.strip_prefix('}').unwrap_or(at_separator),
        }
    }
}
