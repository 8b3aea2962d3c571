//! Texts for people: Markdown, and the same as plain text. In: our own sentences, and text from users' files. Out: both
//! formats. Invariant: text from files is shown exactly as it is and never as markup, so a name like `<img>` stays a
//! name.

mod entities;
mod fields;
mod rich;

use std::fmt::Write;

use nodewise_analysis::workspace::Snapshot;
use nodewise_model::Origin;

pub use entities::describe_entity;
pub(crate) use entities::{is_undeclared, place_of};
pub(crate) use fields::type_word;
pub use fields::{describe_field, describe_kind, describe_shape, describe_word};
pub use rich::MarkupLinkTarget;
use rich::Rich;

/// The maximum number of characters of a user's text.
const EXCERPT_MAX: usize = 240;

/// A text for people.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Markup {
    markdown: Rich,
    plain: String,
}

/// A line of a text for people.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line {
    markdown: Rich,
    plain: String,
}

impl Line {
    /// An empty line.
    #[must_use]
    pub fn new() -> Line {
        Line::default()
    }

    /// "Tools `a`, `b`". Empty without names.
    #[must_use]
    pub fn labelled<'a>(label: &str, names: impl IntoIterator<Item = &'a str>) -> Line {
        let mut names = names.into_iter().peekable();
        match names.peek() {
            Some(_) => Line::new().prose(label).prose(" ").codes(names),
            None => Line::new(),
        }
    }

    /// Adds our own text, which can be Markdown.
    #[must_use]
    pub fn prose(mut self, text: &str) -> Line {
        self.markdown.push(text);
        self.plain.push_str(text);
        self
    }

    /// Adds our own text in bold.
    #[must_use]
    pub fn strong(mut self, text: &str) -> Line {
        self.markdown.push(&format!("**{text}**"));
        self.plain.push_str(text);
        self
    }

    /// Adds text from a file as code.
    #[must_use]
    pub fn code(mut self, text: &str) -> Line {
        self.markdown.push(&code_span(text));
        let _ = write!(self.plain, "`{}`", one_line(text));
        self
    }

    /// Adds text from a file.
    #[must_use]
    pub fn text(mut self, text: &str) -> Line {
        let text = one_line(text);
        self.markdown.push(&escaped(&text));
        self.plain.push_str(&text);
        self
    }

    /// Adds names as code with commas between them. If there are many, only the first ones.
    #[must_use]
    pub fn codes<'a>(self, names: impl IntoIterator<Item = &'a str>) -> Line {
        self.parts(names, |line, name| line.code(name))
    }

    /// Adds parts with commas between them. If there are many, only the first ones.
    #[must_use]
    pub fn parts<T>(self, parts: impl IntoIterator<Item = T>, write: impl Fn(Line, T) -> Line) -> Line {
        let mut line = self;
        let mut left_out = 0;
        for (position, part) in parts.into_iter().enumerate() {
            if position >= PARTS_MAX {
                left_out += 1;
                continue;
            }
            line = write(if position > 0 { line.prose(", ") } else { line }, part);
        }
        match left_out {
            0 => line,
            _ => line.prose(&format!(" and {left_out} more")),
        }
    }

    /// Adds the text of another line as a link to a place.
    #[must_use]
    pub fn link(mut self, words: &Line, to: MarkupLinkTarget) -> Line {
        self.markdown.push_link(&words.markdown, to);
        self.plain.push_str(&words.plain);
        self
    }

    /// Adds a link to a place: `path:line`.
    #[must_use]
    pub(crate) fn place(self, snapshot: &Snapshot, at: Origin) -> Line {
        self.link(&Line::new().text(&place_of(snapshot, at)), MarkupLinkTarget::File(at))
    }

    /// Adds a name as code. It is a link if the place of its target is known.
    #[must_use]
    pub(crate) fn name(self, name: &str, at: Option<Origin>) -> Line {
        match at {
            Some(at) => self.link(&Line::new().code(name), MarkupLinkTarget::File(at)),
            None => self.code(name),
        }
    }

    /// Adds the text of another line.
    #[must_use]
    pub fn line(mut self, other: &Line) -> Line {
        self.markdown.append(&other.markdown);
        self.plain.push_str(&other.plain);
        self
    }

    /// Whether the line is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.plain.is_empty()
    }
}

/// The maximum number of parts of a list in a line.
const PARTS_MAX: usize = 6;

impl Markup {
    /// An empty text.
    #[must_use]
    pub fn new() -> Markup {
        Markup::default()
    }

    /// The text as Markdown without links.
    #[must_use]
    pub fn markdown(&self) -> String {
        self.markdown.written(&|_| None)
    }

    /// The text as Markdown with links to the places that have an address.
    #[must_use]
    pub fn linked(&self, address: impl Fn(&MarkupLinkTarget) -> Option<String>) -> String {
        self.markdown.written(&address)
    }

    /// The text without markup.
    #[must_use]
    pub fn plain(&self) -> &str {
        &self.plain
    }

    /// Whether the text is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.plain.is_empty()
    }

    /// Adds a paragraph of one line, unless it is empty.
    pub fn paragraph(&mut self, line: &Line) {
        if !line.is_empty() {
            self.block(&line.markdown, &line.plain);
        }
    }

    /// Adds a list with one line for each item.
    pub fn list(&mut self, items: &[Line]) {
        let mut all = Line::new();
        for (position, item) in items.iter().enumerate() {
            all = all.prose(if position > 0 { "\n- " } else { "- " }).line(item);
        }
        self.block(&all.markdown, &all.plain);
    }

    /// Adds code in a language.
    pub fn code(&mut self, language: &str, text: &str) {
        let text = text.trim_end();
        let fence = "`".repeat(longest_run(text).max(2) + 1);
        self.words(&format!("{fence}{language}\n{text}\n{fence}"), text);
    }

    /// Adds the beginning of a user's text.
    pub fn quote(&mut self, text: &str) {
        let text = excerpt(text);
        if !text.is_empty() {
            self.words(&format!("> {}", escaped(&text)), &format!("\u{201c}{text}\u{201d}"));
        }
    }

    /// Adds a table. Each row has a cell for each column of the head.
    pub fn table(&mut self, head: &[&str], rows: &[Vec<Line>]) {
        let mut markdown = Rich::default();
        markdown.push(&format!("| {} |\n|{}", head.join(" | "), "---|".repeat(head.len())));
        let mut plain = Vec::new();
        for row in rows {
            for (position, cell) in row.iter().enumerate() {
                markdown.push(if position > 0 { " | " } else { "\n| " });
                markdown.append(&cell.markdown.map(|words| words.replace('|', "\\|")));
            }
            markdown.push(" |");
            let words: Vec<&str> = row.iter().map(|cell| cell.plain.as_str()).collect();
            plain.push(words.join(": "));
        }
        self.block(&markdown, &plain.join("\n"));
    }

    /// Adds another text after a horizontal line.
    pub fn append(&mut self, other: &Markup) {
        if other.is_empty() {
            return;
        }
        if !self.is_empty() {
            self.markdown.push("\n\n---");
        }
        self.block(&other.markdown, &other.plain);
    }

    fn words(&mut self, markdown: &str, plain: &str) {
        let mut words = Rich::default();
        words.push(markdown);
        self.block(&words, plain);
    }

    fn block(&mut self, markdown: &Rich, plain: &str) {
        if !self.plain.is_empty() {
            self.markdown.push("\n\n");
            self.plain.push_str("\n\n");
        }
        self.markdown.append(markdown);
        self.plain.push_str(plain);
    }
}

/// "1 place", "2 places".
pub(crate) fn counted(count: usize, noun: &str) -> String {
    let ending = match (count, noun.ends_with('s')) {
        (1, _) => "",
        (_, true) => "es",
        (_, false) => "s",
    };
    format!("{count} {noun}{ending}")
}

/// The beginning of a text, on one line.
pub(crate) fn excerpt(text: &str) -> String {
    // A prompt may be long, so read only as much as is shown.
    let beginning: String = text.trim_start().chars().take(EXCERPT_MAX * 2).collect();
    let line = one_line(&beginning);
    let Some((end, _)) = line.char_indices().nth(EXCERPT_MAX) else { return line };
    let cut = line.get(..end).unwrap_or_default();
    let whole_words = cut.rsplit_once(' ').map_or(cut, |(words, _)| words);
    format!("{whole_words} …")
}

/// A text with each run of spaces and line breaks replaced with one space.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A code span that shows exactly this text.
fn code_span(text: &str) -> String {
    let text = one_line(text);
    if text.is_empty() {
        return "` `".to_owned();
    }
    let fence = "`".repeat(longest_run(&text) + 1);
    match text.starts_with('`') || text.ends_with('`') {
        true => format!("{fence} {text} {fence}"),
        false => format!("{fence}{text}{fence}"),
    }
}

/// The length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0)
}

/// A line in which all special characters of Markdown are escaped.
fn escaped(line: &str) -> String {
    let mut escaped = String::with_capacity(line.len() + 8);
    let number = line.bytes().take_while(u8::is_ascii_digit).count();
    for (position, letter) in line.char_indices() {
        let is_special = match letter {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '~' | '&' | '!' | '$' => true,
            '-' | '+' | '=' => position == 0,
            '.' | ')' => position == number && number > 0,
            _ => false,
        };
        if is_special {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::{Line, Markup};

    fn check_markdown(line: Line, markdown: &str, plain: &str) {
        let mut markup = Markup::new();
        markup.paragraph(&line);
        assert_eq!((markup.markdown().as_str(), markup.plain()), (markdown, plain));
    }

    #[test]
    fn letters_of_users_stay_letters() {
        check_markdown(Line::new().code("<img>"), "`<img>`", "`<img>`");
        check_markdown(Line::new().code("a`b"), "``a`b``", "`a`b`");
        check_markdown(Line::new().code("`"), "`` ` ``", "```");
        check_markdown(Line::new().code(""), "` `", "``");
        check_markdown(
            Line::new().text("<b>*x*</b> _y_"),
            "\\<b\\>\\*x\\*\\</b\\> \\_y\\_",
            "<b>*x*</b> _y_",
        );
        check_markdown(Line::new().text("1. one\n- two"), "1\\. one - two", "1. one - two");
        check_markdown(Line::new().text("- [a](b) & c"), "\\- \\[a\\](b) \\& c", "- [a](b) & c");
    }

    #[test]
    fn what_is_long_is_cut() {
        check_markdown(
            Line::new().codes(["a", "b", "c", "d", "e", "f", "g", "h"]),
            "`a`, `b`, `c`, `d`, `e`, `f` and 2 more",
            "`a`, `b`, `c`, `d`, `e`, `f` and 2 more",
        );
        let mut markup = Markup::new();
        markup.quote(&"ääääääääää ".repeat(30));
        assert_eq!(markup.plain().matches("ääääääääää").count(), 21);
    }

    #[test]
    fn blocks() {
        let mut markup = Markup::new();
        markup.code("", "a ``` b");
        markup.table(&["language", "text"], &[vec![Line::new().code("en"), Line::new().text("a|b")]]);
        assert_eq!(
            markup.markdown(),
            "````\na ``` b\n````\n\n| language | text |\n|---|---|\n| `en` | a\\|b |"
        );
        assert_eq!(markup.plain(), "a ``` b\n\n`en`: a|b");
    }
}
