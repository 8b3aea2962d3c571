//! The functions that a Python file defines, as far as declarations can name them. In: a file's text, or its path; out:
//! names with their places, signatures and first lines of documentation, in reading order. Strings and comments are
//! skipped; a text that is no Python gives what looks like it. One pass over the bytes.

use smol_str::{SmolStr, format_smolstr};

/// The maximum number of characters of a signature or documentation line that are kept.
const EXCERPT_MAX: usize = 300;
/// The distance of tab stops, in columns.
const TAB: usize = 8;

/// A function or a class in a Python file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// The name in its file, including the classes and functions around it: `Search.run`.
    pub name: SmolStr,
    /// Whether it is a class.
    pub is_class: bool,
    /// The line of the name in its definition, from 0.
    pub line: u32,
    /// The byte column of the name on that line, from 0.
    pub column: u32,
    /// The text between the name and the colon, on one line.
    pub signature: String,
    /// The first line of its docstring.
    pub doc: Option<String>,
}

/// The dotted path of a Python file: `app.tools` for `app/tools.py` and for `app/tools/__init__.py`. `None` for other
/// files.
#[must_use]
pub fn module_path(path: &str) -> Option<String> {
    let stem = path.strip_suffix(".py")?;
    let stem = stem.strip_suffix("/__init__").unwrap_or(stem);
    (!stem.is_empty() && stem != "__init__").then(|| stem.replace('/', "."))
}

/// The functions and classes that a file defines, in order.
#[must_use]
pub fn functions(text: &str) -> Vec<Function> {
    let mut scanner = Scanner { text, at: 0, line: 0, line_start: 0 };
    let mut found: Vec<Function> = Vec::new();
    // The enclosing definitions, each with its indentation.
    let mut around: Vec<(usize, SmolStr)> = Vec::new();
    // The position of the last definition, if the next statement may be its docstring.
    let mut undocumented: Option<usize> = None;
    while let Some(statement) = scanner.statement() {
        match definition(statement.text) {
            Some((is_class, name, offset)) => {
                while around.last().is_some_and(|(indentation, _)| *indentation >= statement.indentation) {
                    around.pop();
                }
                let full = match around.last() {
                    Some((_, outer)) => format_smolstr!("{outer}.{name}"),
                    None => SmolStr::new(name),
                };
                around.push((statement.indentation, full.clone()));
                let behind = statement.text.get(offset + name.len()..).unwrap_or_default();
                found.push(Function {
                    name: full,
                    is_class,
                    line: statement.line,
                    column: u32::try_from(statement.column + offset).unwrap_or(u32::MAX),
                    signature: signature(behind),
                    doc: None,
                });
                undocumented = Some(found.len() - 1);
            }
            None => {
                if let Some(function) = undocumented.take().and_then(|position| found.get_mut(position)) {
                    function.doc = documentation(statement.text);
                }
            }
        }
    }
    found
}

/// A token of a Python text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token<'t> {
    /// A name or a keyword.
    Name(&'t str),
    /// A string without escapes or substitutions, and the offset of its first character.
    Text(&'t str, usize),
    /// A bracket, an operator or a line break.
    Mark(u8),
    /// A number, or a string whose value is only known at run time.
    Other,
}

/// The tokens of a text, without comments and without line breaks after a backslash.
pub(crate) fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    let mut scanner = Scanner { text, at: 0, line: 0, line_start: 0 };
    std::iter::from_fn(move || scanner.token())
}

/// A statement of a file: a line and its continuation lines.
struct Statement<'t> {
    indentation: usize,
    line: u32,
    /// The number of bytes before it on its line.
    column: usize,
    text: &'t str,
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    line: u32,
    line_start: usize,
}

impl<'t> Scanner<'t> {
    /// The next statement that is not empty.
    fn statement(&mut self) -> Option<Statement<'t>> {
        let bytes = self.text.as_bytes();
        loop {
            let mut indentation = 0;
            while let Some(byte @ (b' ' | b'\t' | b'\x0c')) = bytes.get(self.at) {
                indentation = if *byte == b'\t' { (indentation / TAB + 1) * TAB } else { indentation + 1 };
                self.at += 1;
            }
            let (start, line, column) = (self.at, self.line, self.at - self.line_start);
            if start >= bytes.len() {
                return None;
            }
            let end = self.skip_statement();
            let text = self.text.get(start..end).unwrap_or_default().trim_end();
            if !text.is_empty() && !text.starts_with('#') {
                return Some(Statement { indentation, line, column, text });
            }
        }
    }

    /// Moves behind the line break that ends a statement. Returns the offset where the statement's text ends.
    fn skip_statement(&mut self) -> usize {
        let bytes = self.text.as_bytes();
        let mut depth = 0_usize;
        while let Some(byte) = bytes.get(self.at) {
            match byte {
                b'\n' => {
                    let end = self.at;
                    self.next_line();
                    if depth == 0 || begins_anew(self.text.get(self.at..).unwrap_or_default()) {
                        return end;
                    }
                    continue;
                }
                b'\\' if bytes.get(self.at + 1) == Some(&b'\n') => {
                    self.at += 1;
                    self.next_line();
                    continue;
                }
                b'#' => {
                    let rest = bytes.get(self.at..).unwrap_or_default();
                    self.at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
                    continue;
                }
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                b'"' | b'\'' => {
                    self.skip_string(*byte);
                    continue;
                }
                _ => {}
            }
            self.at += 1;
        }
        self.at
    }

    /// Moves behind a string. An unclosed string ends with its line, or with the text if it may span lines.
    fn skip_string(&mut self, quote: u8) {
        let bytes = self.text.as_bytes();
        let is_triple = bytes.get(self.at..self.at + 3) == Some(&[quote; 3]);
        self.at += if is_triple { 3 } else { 1 };
        while let Some(byte) = bytes.get(self.at) {
            match byte {
                b'\\' if bytes.get(self.at + 1).is_some_and(|next| *next != b'\n') => self.at += 2,
                b'\\' => {
                    self.at += 1;
                    self.next_line();
                }
                b'\n' if !is_triple => return,
                b'\n' => self.next_line(),
                byte if *byte == quote => {
                    let closes = !is_triple || bytes.get(self.at..self.at + 3) == Some(&[quote; 3]);
                    self.at += if is_triple && closes { 3 } else { 1 };
                    if closes {
                        return;
                    }
                }
                _ => self.at += 1,
            }
        }
    }

    /// Reads the next token.
    fn token(&mut self) -> Option<Token<'t>> {
        let bytes = self.text.as_bytes();
        loop {
            let start = self.at;
            match *bytes.get(start)? {
                b' ' | b'\t' | b'\r' | b'\x0c' => self.at += 1,
                b'\n' => {
                    self.next_line();
                    return Some(Token::Mark(b'\n'));
                }
                b'\\' => {
                    self.at += 1;
                    if bytes.get(self.at) == Some(&b'\n') {
                        self.next_line();
                    }
                }
                b'#' => {
                    let rest = bytes.get(start..).unwrap_or_default();
                    self.at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
                }
                b'"' | b'\'' => return Some(self.string(start)),
                byte if is_word(byte) => {
                    let rest = bytes.get(start..).unwrap_or_default();
                    self.at += rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len());
                    let word = self.text.get(start..self.at).unwrap_or_default();
                    return Some(match bytes.get(self.at) {
                        Some(b'"' | b'\'') if is_prefix(word) => self.string(start),
                        _ if byte.is_ascii_digit() => Token::Other,
                        _ => Token::Name(word),
                    });
                }
                mark => {
                    self.at += 1;
                    return Some(Token::Mark(mark));
                }
            }
        }
    }

    /// Reads the string whose quote is next. Its prefix begins at `start`.
    fn string(&mut self, start: usize) -> Token<'t> {
        let opening = self.at;
        let quote = self.text.as_bytes().get(opening).copied().unwrap_or_default();
        self.skip_string(quote);
        let prefix = self.text.get(start..opening).unwrap_or_default();
        let whole = self.text.get(opening..self.at).unwrap_or_default();
        let quote = char::from(quote).to_string();
        let triple = quote.repeat(3);
        let marks = if whole.starts_with(&triple) { triple } else { quote };
        let inner = whole.strip_prefix(&marks).and_then(|rest| rest.strip_suffix(&marks));
        match inner {
            Some(inner) if matches!(prefix, "" | "r" | "R" | "u" | "U") && !inner.contains('\\') => {
                Token::Text(inner, opening + marks.len())
            }
            _ => Token::Other,
        }
    }

    fn next_line(&mut self) {
        self.at = (self.at + 1).min(self.text.len());
        self.line += 1;
        self.line_start = self.at;
    }
}

/// Whether a byte can be part of a name or a number.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// Whether a word directly before a quote is a prefix of the string, like `r` or `f`.
fn is_prefix(word: &str) -> bool {
    word.len() <= 2 && word.bytes().all(|byte| b"rbuft".contains(&byte.to_ascii_lowercase()))
}

/// Whether a line certainly begins a new statement even though an earlier bracket is not closed yet.
fn begins_anew(line: &str) -> bool {
    ["def ", "class ", "async def ", "import ", "from ", "@"].iter().any(|word| line.starts_with(word))
}

/// If a statement defines a function or a class: whether it is a class, its name, and the offset of the name.
fn definition(statement: &str) -> Option<(bool, &str, usize)> {
    let behind = |text: &'_ str, word: &str| -> Option<usize> {
        let rest = text.strip_prefix(word)?;
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        (blanks > 0).then_some(word.len() + blanks)
    };
    let asynchronous = behind(statement, "async").unwrap_or_default();
    let rest = statement.get(asynchronous..)?;
    let (is_class, offset) = match (behind(rest, "def"), behind(rest, "class")) {
        (Some(offset), _) => (false, offset),
        (None, Some(offset)) if asynchronous == 0 => (true, offset),
        _ => return None,
    };
    let offset = asynchronous + offset;
    let rest = statement.get(offset..)?;
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let name = rest.get(..rest.find(|letter| !is_part(letter)).unwrap_or(rest.len()))?;
    let is_name = name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
    is_name.then_some((is_class, name, offset))
}

/// The text between the name and the colon of a definition, without comments.
fn signature(behind: &str) -> String {
    let mut scanner = Scanner { text: behind, at: 0, line: 0, line_start: 0 };
    let (mut depth, mut result) = (0_usize, String::new());
    while let Some(letter) = behind.get(scanner.at..).and_then(|rest| rest.chars().next()) {
        let start = scanner.at;
        match letter {
            ':' if depth == 0 => break,
            '#' => {
                let rest = behind.get(start..).unwrap_or_default();
                scanner.at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            '"' | '\'' => scanner.skip_string(if letter == '"' { b'"' } else { b'\'' }),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if scanner.at == start {
            scanner.at += letter.len_utf8();
        }
        result.push_str(behind.get(start..scanner.at).unwrap_or_default());
    }
    let line = result.split_whitespace().collect::<Vec<_>>().join(" ");
    excerpt(&line.replace("( ", "(").replace(", )", ")").replace(" )", ")"))
}

/// The first line of a string that is a statement by itself.
fn documentation(statement: &str) -> Option<String> {
    let text = statement.trim_start_matches(['r', 'R', 'u', 'U']);
    let quote = text.chars().next().filter(|letter| matches!(letter, '"' | '\''))?;
    let triple = quote.to_string().repeat(3);
    let inner = match text.strip_prefix(&triple) {
        Some(rest) => rest.strip_suffix(&triple).unwrap_or(rest),
        None => text.strip_prefix(quote)?.strip_suffix(quote)?,
    };
    let line = inner.lines().map(str::trim).find(|line| !line.is_empty())?;
    Some(excerpt(line))
}

fn excerpt(text: &str) -> String {
    text.chars().take(EXCERPT_MAX).collect()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::{functions, module_path};

    fn check_functions(text: &str, expected: &str) {
        let mut list = String::new();
        for one in functions(text) {
            let word = if one.is_class { "class " } else { "" };
            let doc = one.doc.map(|doc| format!(" # {doc}")).unwrap_or_default();
            writeln!(list, "{}:{} {word}{}{}{doc}", one.line + 1, one.column + 1, one.name, one.signature)
                .unwrap();
        }
        assert_eq!(list, expected.strip_prefix('\n').unwrap_or(expected));
    }

    #[test]
    fn definitions_at_every_depth() {
        check_functions(
            r#"
import os

def search(query: str, limit: int = 10) -> list[str]:
    """Search the index.

    More."""
    def inner(): return 1
    return []

async  def fetch(
    url: str,  # where
    *,
    retries: dict = {"a": ":"},
) -> bytes:
    'One line'

@decorated(x=1)
class Tool(Base):

    r"""A tool."""

    name = "def fake(): pass"

    def run(self):
        pass

    class Inner:
        async def go(self): ...

def _last(): pass
"#,
            "
4:5 search(query: str, limit: int = 10) -> list[str] # Search the index.
8:9 search.inner()
11:12 fetch(url: str, *, retries: dict = {\"a\": \":\"}) -> bytes # One line
19:7 class Tool(Base) # A tool.
25:9 Tool.run(self)
28:11 class Tool.Inner
29:19 Tool.Inner.go(self)
31:5 _last()
",
        );
    }

    #[test]
    fn strings_and_comments_define_nothing() {
        check_functions(
            "
x = '''
def a(): pass
'''
# def b(): pass
y = \"\\\"\\\ndef c(): pass\"
z = (
  def_d,
)
defer = 1
classy = 2
if True:
\tdef e(): pass
",
            "14:6 e()\n",
        );
    }

    #[test]
    fn broken_texts_lose_little() {
        check_functions("def a(x:\n\ndef b(): pass\n", "1:5 a(x:\n3:5 b()\n");
        check_functions("x = (1,\ndef b(): pass\n", "2:5 b()\n");
        check_functions("s = 'open\ndef b(): pass\n", "2:5 b()\n");
        check_functions("s = \"\"\"open\ndef b(): pass\n", "");
        check_functions("def", "");
        check_functions("def é(ü): 'ö", "1:5 é(ü)\n");
        check_functions("class", "");
        check_functions("\\", "");
    }

    #[test]
    fn paths_of_modules() {
        let path = |path: &str| module_path(path).unwrap_or_default();
        assert_eq!(path("app/tools.py"), "app.tools");
        assert_eq!(path("app/tools/__init__.py"), "app.tools");
        assert_eq!(path("main.py"), "main");
        assert_eq!(path("__init__.py"), "");
        assert_eq!(path("app/tools.pyi"), "");
    }
}
