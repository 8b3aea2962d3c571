//! The fuzzer's texts: files of the corpora, the cases of the YAML test suite and grown documents, each after some
//! changes of bytes, tokens, lines, indentation, comments, line breaks, and splices of several. In: random choices; out:
//! a text. Invariant: the same choices give the same text.

use std::ops::Range;

use nodewise_syntax::parse;
use nodewise_syntax::parts::{self, SyntaxElement};

use crate::support::Random;
use crate::{corpora, generate, growing, support};

/// The maximum length of a text, in bytes. Longer texts are cut.
const LONGEST: usize = 4_000;
const LINES: usize = 50;

/// Letters with a meaning in YAML, and letters that are longer, wider or less visible than they look.
const LETTERS: [&str; 44] = [
    " ", " ", "\n", "\n", "\t", ":", ": ", "-", "- ", "#", " #", "'", "\"", "[", "]", "{", "}", ",", "&",
    "*", "!", "|", ">", "%", "@", "`", "?", "\\", "\r", "\r\n", "é", "漢", "🙂", "\u{feff}", "\u{a0}",
    "\u{2028}", "\u{85}", "e\u{301}", "\u{202e}", "~", "0", "x", "=", "  ",
];
/// Tokens, and what people write instead of them.
const TOKENS: [&str; 34] = [
    "- ",
    "? ",
    ": ",
    "key: ",
    "&n ",
    "*n",
    "*n ",
    "!t ",
    "!!map ",
    "|",
    ">-",
    "|2+",
    "[",
    "]",
    "{",
    "}",
    ", ",
    "[a, b]",
    "{a: b}",
    "{a: [1, {b: 2}]}",
    "'q'",
    "\"d\"",
    "\"\\u263a\\\n  x\"",
    "# c\n",
    " # c\n",
    "---\n",
    "...\n",
    "%YAML 1.2\n---\n",
    "<<: *n\n",
    "a:\n  b:\n    - c\n",
    "\n\n\n",
    "|\n  text\n\n",
    "x==1  and y",
    "null",
];
const COMMENTS: [&str; 5] = ["# c", "#", "# nodewise: ignore[x]", "#    wide", "#\té"];

/// The texts to change.
pub(crate) struct Pool {
    texts: Vec<String>,
}

impl Pool {
    /// Reads the corpora, and the cases of the YAML test suite if they exist.
    pub(crate) fn read() -> Pool {
        let mut texts: Vec<String> =
            corpora::files().iter().filter_map(|file| std::fs::read_to_string(file).ok()).collect();
        if let Some(data) = support::shared_file("data/yaml-test-suite.json") {
            let data: serde_json::Value = serde_json::from_str(&data).unwrap();
            let cases = data["cases"].as_array().unwrap().iter();
            texts.extend(cases.filter_map(|case| case["yaml"].as_str().map(str::to_owned)));
        }
        Pool { texts }
    }

    /// A text after some random changes.
    pub(crate) fn text(&self, random: &mut Random) -> String {
        let mut text = self.whole(random);
        for _ in 0..[0, 1, 1, 1, 2, 2, 3, 5][random.below(8)] {
            text = self.changed(&text, random);
        }
        text
    }

    /// A text without changes.
    fn whole(&self, random: &mut Random) -> String {
        match random.below(8) {
            0 => generate::document(random),
            1..=3 => growing::documents(random),
            _ => excerpt(&self.texts[random.below(self.texts.len())], random),
        }
    }

    fn changed(&self, text: &str, random: &mut Random) -> String {
        match random.below(12) {
            0 | 1 => replaced(text, place(text, random, 2), random.pick(&LETTERS)),
            2 => replaced(text, place(text, random, 1), random.pick(&TOKENS)),
            3 | 4 => token_changed(text, random),
            5 | 6 => line_changed(text, random),
            7 => shifted(text, random),
            8 => commented(text, random),
            9 => other_breaks(text, random),
            10 => self.spliced(text, random),
            _ => replaced_token(text, random.pick(&TOKENS), random),
        }
    }

    /// Puts lines of another text into this one, at the indentation of the place.
    fn spliced(&self, text: &str, random: &mut Random) -> String {
        let other = self.whole(random);
        let (lines, others) = (lines(text), lines(&other));
        let at = random.below(lines.len() + 1);
        let from = random.below(others.len() + 1);
        let to = (from + random.below(12)).min(others.len());
        let depth = lines.get(at).map_or(0, |line| indentation(line));
        let blanks = " ".repeat([0, depth, depth, depth + 2][random.below(4)]);
        let mut spliced = lines[..at].concat();
        for line in &others[from..to] {
            spliced.push_str(&blanks);
            spliced.push_str(line);
        }
        // Half of the results continue with the rest of the text.
        let rest = if random.below(2) == 0 { &lines[at..] } else { &[] };
        spliced + &rest.concat()
    }
}

/// The text, or some of its lines if it is too long.
fn excerpt(text: &str, random: &mut Random) -> String {
    if text.len() <= LONGEST && random.below(3) > 0 {
        return text.to_owned();
    }
    let lines = lines(text);
    let from = if random.below(2) == 0 { 0 } else { random.below(lines.len()) };
    let to = (from + 1 + random.below(LINES)).min(lines.len());
    let mut excerpt = lines[from.min(to)..to].concat();
    if excerpt.len() > 4 * LONGEST {
        excerpt.truncate((0..=LONGEST).rev().find(|at| excerpt.is_char_boundary(*at)).unwrap_or(0));
    }
    excerpt
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// A random range of at most `longest` characters.
fn place(text: &str, random: &mut Random, longest: usize) -> Range<usize> {
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let from = random.below(ends.len());
    let to = (from + random.below(longest + 1)).min(ends.len() - 1);
    ends[from]..ends[to]
}

fn replaced(text: &str, range: Range<usize>, new: &str) -> String {
    [&text[..range.start], new, &text[range.end..]].concat()
}

/// The ranges of the tokens that our parser reads, with spaces and comments.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let tree = parse(text);
    let tokens = parts::all(&tree).filter(|part| !part.is_construct()).map(SyntaxElement::range);
    tokens.map(Range::<usize>::from).collect()
}

/// Deletes a token, repeats it, or replaces it with another one.
fn token_changed(text: &str, random: &mut Random) -> String {
    let tokens = tokens(text);
    if tokens.is_empty() {
        return text.to_owned();
    }
    let (one, other) =
        (tokens[random.below(tokens.len())].clone(), tokens[random.below(tokens.len())].clone());
    match random.below(4) {
        0 => replaced(text, one, ""),
        1 => replaced(text, one.clone(), &text[one].repeat(2)),
        2 => replaced(text, one, &text[other]),
        _ => replaced(text, one.start..one.start, &text[other]),
    }
}

/// Replaces a token with `new`, or puts `new` before it.
fn replaced_token(text: &str, new: &str, random: &mut Random) -> String {
    let tokens = tokens(text);
    if tokens.is_empty() {
        return new.to_owned();
    }
    let token = tokens[random.below(tokens.len())].clone();
    let end = if random.below(2) == 0 { token.start } else { token.end };
    replaced(text, token.start..end, new)
}

/// Deletes a line, repeats it, moves it, or adds an empty one.
fn line_changed(text: &str, random: &mut Random) -> String {
    let mut lines = lines(text);
    if lines.is_empty() {
        return "\n".to_owned();
    }
    let (one, other) = (random.below(lines.len()), random.below(lines.len()));
    match random.below(6) {
        0 => drop(lines.remove(one)),
        1 => lines.insert(one, lines[one]),
        2 => lines.swap(one, other),
        3 => {
            let line = lines.remove(one);
            lines.insert(other.min(lines.len()), line);
        }
        4 => lines.insert(one, ["\n", "\n\n\n", "   \n", "\t\n"][random.below(4)]),
        // Remove the line break at the end of the text.
        _ => return text.trim_end_matches('\n').to_owned(),
    }
    lines.concat()
}

/// Moves some lines to the right or to the left.
fn shifted(text: &str, random: &mut Random) -> String {
    let lines = lines(text);
    let from = random.below(lines.len() + 1);
    let to = (from + 1 + random.below(8)).min(lines.len()).max(from);
    let by = [1, 2, 2, 4, 7][random.below(5)];
    let is_left = random.below(2) == 0;
    let blank = if random.below(15) == 0 { "\t" } else { " " };
    let mut shifted = lines[..from].concat();
    for line in &lines[from..to] {
        if is_left {
            shifted.push_str(&line[indentation(line).min(by)..]);
        } else {
            shifted.push_str(&blank.repeat(by));
            shifted.push_str(line);
        }
    }
    shifted + &lines[to..].concat()
}

/// Adds comments after tokens or on lines of their own.
fn commented(text: &str, random: &mut Random) -> String {
    let mut text = text.to_owned();
    for _ in 0..=random.below(4) {
        let comment = random.pick(&COMMENTS);
        let tokens = tokens(&text);
        if random.below(2) == 0 && !tokens.is_empty() {
            let at = tokens[random.below(tokens.len())].end;
            let spaces = " ".repeat(random.below(7));
            text = replaced(&text, at..at, &format!(" {comment}\n{spaces}"));
        } else {
            let lines = lines(&text);
            let at = random.below(lines.len() + 1);
            let depth = lines.get(at).map_or(0, |line| indentation(line));
            let blanks = " ".repeat([depth, depth, 0, depth + 2, depth.saturating_sub(1)][random.below(5)]);
            text = [&lines[..at].concat(), &*blanks, comment, "\n", &lines[at..].concat()].concat();
        }
    }
    text
}

/// Changes the line breaks, or adds a byte order mark or trailing spaces.
fn other_breaks(text: &str, random: &mut Random) -> String {
    match random.below(6) {
        0..=1 => text.replace("\r\n", "\n").replace('\n', "\r\n"),
        2 => format!("\u{feff}{text}"),
        3 => text.replace('\n', " \n"),
        4 => text.replacen('\n', "\r", 1 + random.below(2)),
        _ => text.replacen('\n', "\r\n", 1 + random.below(4)),
    }
}
