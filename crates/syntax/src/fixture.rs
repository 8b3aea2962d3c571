//! A fixture: files, an optional cursor in each, and the findings that its caret lines expect. Tests are written so, and
//! the tests in a project's own rules.
//!
//! Input is the fixture's text: a line `#- /agents/planner.yaml` begins a file (without any such
//! line the whole is `/main.yaml`), `$0` is the cursor, a caret line labels the line above. Output
//! is the files as a parser shall see them. Invariant: no mark is left in a file's text, and every
//! other byte is there unchanged. One newline at the very beginning belongs to the test's string
//! literal, not to the file.

use text_size::{TextRange, TextSize};

mod mark;
mod render;

use mark::{CaretLine, parse_caret_line};
pub use mark::{FindingMark, MarkSeverity};
use render::caret_line;
pub use render::{MAIN_PATH, ReportedFinding, render};

#[cfg(test)]
mod tests;

const FILE_HEADER: &str = "#- ";
const CURSOR: &str = "$0";

/// The files of one fixture, in the order of its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// The files; at least one.
    pub files: Vec<FixtureFile>,
}

/// One file of a fixture, with its marks taken out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixtureFile {
    /// The path as the header line spells it, with the leading slash.
    pub path: String,
    /// The text without cursor and caret lines.
    pub text: String,
    /// The position of `$0`, which is removed from the text.
    pub cursor: Option<TextSize>,
    /// The expected findings, in the order of the fixture.
    pub marks: Vec<FindingMark>,
}

impl Fixture {
    /// Reads a fixture that a user wrote.
    ///
    /// # Errors
    /// For the mistakes on which [`Fixture::parse`] panics. The message has the line.
    pub fn read(fixture: &str) -> Result<Fixture, String> {
        parse_fixture(fixture)
    }

    /// Reads the fixture of a test.
    ///
    /// # Panics
    /// On a caret line with a mistake in it, a second cursor in one file, or text in front of the
    /// first file header: a fixture that does not say what its author meant must fail its test.
    #[expect(clippy::panic, reason = "fixtures are written by the test's author, not by a user")]
    pub fn parse(fixture: &str) -> Self {
        match parse_fixture(fixture) {
            Ok(parsed) => parsed,
            // INVARIANT: reached only from a test whose fixture is malformed.
            Err(mistake) => panic!("malformed fixture: {mistake}"),
        }
    }

    /// The fixture, written again from its marks. The renderer sorts them.
    pub fn expected(&self) -> String {
        self.files
            .iter()
            .map(|file| {
                let expected: Vec<ReportedFinding> = file.marks.iter().map(expected_finding).collect();
                render(&file.path, &file.text, &expected)
            })
            .collect()
    }

    /// The fixture, written from what `find` reports for each file.
    ///
    /// If the mark of a finding does not give a message, the finding is rendered without its message.
    pub fn actual(&self, mut find: impl FnMut(&FixtureFile) -> Vec<ReportedFinding>) -> String {
        self.files
            .iter()
            .map(|file| {
                let mut findings = find(file);
                findings.iter_mut().for_each(|finding| file.drop_open_wording(finding));
                render(&file.path, &file.text, &findings)
            })
            .collect()
    }

    /// The file with the cursor, and the position of the cursor in it.
    pub fn cursor(&self) -> Option<(&FixtureFile, TextSize)> {
        self.files.iter().find_map(|file| Some((file, file.cursor?)))
    }
}

impl FixtureFile {
    fn new(path: &str) -> Self {
        Self { path: path.to_owned(), text: String::new(), cursor: None, marks: Vec::new() }
    }

    fn drop_open_wording(&self, finding: &mut ReportedFinding) {
        let without_message = ReportedFinding { message: String::new(), ..finding.clone() };
        let rendered = caret_line(&self.text, &without_message);
        let wording_is_open = self
            .marks
            .iter()
            .any(|mark| mark.text.is_none() && caret_line(&self.text, &expected_finding(mark)) == rendered);
        if wording_is_open {
            finding.message.clear();
        }
    }
}

fn expected_finding(mark: &FindingMark) -> ReportedFinding {
    ReportedFinding {
        range: mark.range,
        severity: mark.severity,
        rule: mark.rule.clone(),
        message: mark.text.clone().unwrap_or_default(),
    }
}

fn parse_fixture(fixture: &str) -> Result<Fixture, String> {
    let fixture = fixture.strip_prefix('\n').unwrap_or(fixture);
    let mut files = Vec::new();
    let mut current: Option<FileBuilder> = None;
    for (line_index, line) in fixture.split_inclusive('\n').enumerate() {
        if let Some(path) = file_header(line) {
            files.extend(current.replace(FileBuilder::new(path)).map(|builder| builder.file));
            continue;
        }
        if current.is_none() && fixture.lines().any(|later| file_header(later).is_some()) {
            if line.trim().is_empty() {
                continue;
            }
            return Err(format!("line {} stands in front of the first `#- /path` line", line_index + 1));
        }
        current
            .get_or_insert_with(|| FileBuilder::new(MAIN_PATH))
            .push_line(line)
            .map_err(|mistake| format!("line {}: {mistake}", line_index + 1))?;
    }
    files.push(current.unwrap_or_else(|| FileBuilder::new(MAIN_PATH)).file);
    Ok(Fixture { files })
}

fn file_header(line: &str) -> Option<&str> {
    let path = line.strip_prefix(FILE_HEADER)?.trim();
    path.starts_with('/').then_some(path)
}

struct FileBuilder {
    file: FixtureFile,
    line_count: usize,
    last_line: TextRange,
}

impl FileBuilder {
    fn new(path: &str) -> Self {
        Self { file: FixtureFile::new(path), line_count: 0, last_line: TextRange::default() }
    }

    fn push_line(&mut self, line: &str) -> Result<(), String> {
        match parse_caret_line(line.trim_end()) {
            Some(caret_line) => self.push_mark(caret_line?),
            None => self.push_text(line),
        }
    }

    fn push_text(&mut self, line: &str) -> Result<(), String> {
        let start = TextSize::of(&self.file.text);
        self.line_count += 1;
        match line.split_once(CURSOR) {
            Some(_) if self.file.cursor.is_some() => return Err(format!("a second `{CURSOR}` in this file")),
            Some((_, rest)) if rest.contains(CURSOR) => {
                return Err(format!("a second `{CURSOR}` in this line"));
            }
            Some((before, after)) => {
                self.file.cursor = Some(start + TextSize::of(before));
                self.file.text.push_str(before);
                self.file.text.push_str(after);
            }
            None => self.file.text.push_str(line),
        }
        self.last_line = TextRange::new(start, TextSize::of(&self.file.text));
        Ok(())
    }

    fn push_mark(&mut self, caret_line: CaretLine) -> Result<(), String> {
        if self.line_count == 0 {
            return Err("a caret line needs a line above it in the same file".to_owned());
        }
        let line = self.file.text.get(std::ops::Range::from(self.last_line)).unwrap_or_default();
        let content = line.trim_end_matches(['\n', '\r']);
        let offset_of = |column: usize| -> TextSize {
            self.last_line.start() + content.chars().take(column).map(TextSize::of).sum::<TextSize>()
        };
        let range = TextRange::new(
            offset_of(caret_line.first_column),
            offset_of(caret_line.first_column + caret_line.width),
        );
        let CaretLine { severity, rule, text, .. } = caret_line;
        self.file.marks.push(FindingMark { line: self.line_count, range, severity, rule, text });
        Ok(())
    }
}
