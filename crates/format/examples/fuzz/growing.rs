//! Documents that are mostly well-formed: every construct of YAML in every place, with comments, anchors, tags and odd
//! layouts everywhere. In: random choices; out: a text.

use crate::support::Random;

const WORDS: [&str; 22] = [
    "a",
    "key",
    "two words",
    "1.5",
    "true",
    "~",
    "it's",
    "x: y",
    "- x",
    "# no comment",
    "a,b",
    "[x]",
    "naïve",
    "漢字",
    "🙂 x",
    "a\\b",
    "say \"hi\"",
    "--- x",
    "",
    " blank ",
    "x == 1   and  y",
    "a text that is so long that it goes beyond the width of every line which anybody would ever choose for files like these, I think",
];
const KEYS: [&str; 16] = [
    "kind",
    "name",
    "nodes",
    "edges",
    "id",
    "condition",
    "when",
    "description",
    "x",
    "a b",
    "'q'",
    "\"d\"",
    "1",
    "é",
    "!t k",
    "? k",
];
const PROPERTIES: [&str; 6] = ["!t ", "!!str ", "!<u:v> ", "&n ", "! ", "&n !t "];
const COMMENTS: [&str; 6] = ["# c", "#", "#c", "# é \t", "## - x: 1", "#! 'q"];
const HEADERS: [&str; 10] = ["|", ">", "|-", ">-", "|+", ">+", "|2", ">1-", "|-1", "|  "];
const GAPS: [&str; 6] = ["\n", "\n", "\n", "\n\n", "\n\n\n", "\n \n"];
/// The maximum depth of collections.
const DEEPEST: usize = 4;

/// A few documents.
pub(crate) fn documents(random: &mut Random) -> String {
    let mut grower = Grower { random, text: String::new(), has_anchor: false };
    if grower.one_in(12) {
        grower.text.push_str("%YAML 1.2\n---\n");
    }
    grower.document();
    while grower.one_in(5) {
        let marker = grower.random.pick(&["---\n", "--- # c\n", "...\n---\n", "---\n", "---\n\n", "...\n"]);
        grower.text.push_str(marker);
        grower.document();
    }
    grower.text
}

struct Grower<'r> {
    random: &'r mut Random,
    text: String,
    /// Whether the document already has the anchor that its aliases use.
    has_anchor: bool,
}

impl Grower<'_> {
    fn one_in(&mut self, of: usize) -> bool {
        self.random.below(of) == 0
    }

    fn document(&mut self) {
        self.has_anchor = false;
        self.comment_lines(0);
        match self.random.below(12) {
            0 => {
                self.flow(2);
                self.line_end();
            }
            1 => {
                self.scalar();
                self.line_end();
            }
            2 => self.block_scalar(0),
            3..=6 => self.sequence(0, 0),
            _ => self.mapping(0, 0),
        }
    }

    fn blanks(&mut self, count: usize) {
        self.text.push_str(&" ".repeat(count));
    }

    /// Ends a line, sometimes with a comment, and sometimes adds empty lines.
    fn line_end(&mut self) {
        if self.one_in(6) {
            let gap = [1, 1, 2, 5][self.random.below(4)];
            self.blanks(gap);
            let comment = self.random.pick(&COMMENTS);
            self.text.push_str(comment);
        } else if self.one_in(20) {
            self.text.push_str("  ");
        }
        let gap = self.random.pick(&GAPS);
        self.text.push_str(gap);
    }

    /// Sometimes adds comment lines, usually at the column of what follows.
    fn comment_lines(&mut self, column: usize) {
        while self.one_in(7) {
            let column = [column, column, column + 1, column + 2, 0][self.random.below(5)];
            self.blanks(column);
            let comment = self.random.pick(&COMMENTS);
            self.text.push_str(comment);
            let gap = self.random.pick(&GAPS);
            self.text.push_str(gap);
        }
    }

    /// Writes a mapping. Its first key continues the current line, if that line is not empty.
    fn mapping(&mut self, column: usize, depth: usize) {
        for _ in 0..=self.random.below(4) {
            self.begin(column);
            let key = self.random.pick(&KEYS);
            self.text.push_str(key);
            if key.starts_with('?') {
                self.line_end();
                self.begin(column);
            } else if self.one_in(15) {
                self.text.push(' ');
            }
            self.text.push(':');
            self.value(column, depth, false);
        }
    }

    fn sequence(&mut self, column: usize, depth: usize) {
        for _ in 0..=self.random.below(4) {
            self.begin(column);
            self.text.push('-');
            self.value(column, depth, true);
        }
    }

    fn begin(&mut self, column: usize) {
        if self.text.is_empty() || self.text.ends_with('\n') {
            self.comment_lines(column);
            self.blanks(column);
        }
    }

    /// Writes what follows a colon or a dash, and ends the line.
    fn value(&mut self, parent: usize, depth: usize, is_item: bool) {
        let step = [1, 2, 2, 2, 3, 4, 6][self.random.below(7)];
        let shape = if depth >= DEEPEST { self.random.below(7) } else { self.random.below(14) };
        match shape {
            0 => self.line_end(),
            1..=3 => {
                self.text.push_str([" ", " ", "  ", "   "][self.random.below(4)]);
                self.properties();
                self.scalar();
                self.line_end();
            }
            4 => {
                self.text.push(' ');
                self.properties();
                self.flow(3);
                self.line_end();
            }
            5 => {
                self.text.push(' ');
                self.properties();
                let step = [0, 1, 1, 1, 3][self.random.below(5)];
                self.block_scalar(parent + 1 + step);
            }
            6 => {
                // A text of several lines.
                self.text.push(' ');
                self.folded(parent + step);
                self.line_end();
            }
            7 | 8 if is_item => {
                let gap = 1 + self.random.below(3);
                self.blanks(gap);
                match self.one_in(3) {
                    true => self.sequence(parent + 1 + gap, depth + 1),
                    false => self.mapping(parent + 1 + gap, depth + 1),
                }
            }
            _ => {
                if self.one_in(6) {
                    self.text.push(' ');
                    self.properties();
                }
                self.line_end();
                if self.one_in(2) {
                    let is_flush = !is_item && self.one_in(2);
                    self.sequence(if is_flush { parent } else { parent + step }, depth + 1);
                } else {
                    self.mapping(parent + step, depth + 1);
                }
            }
        }
    }

    fn properties(&mut self) {
        if self.one_in(9) {
            let properties = self.random.pick(&PROPERTIES);
            self.has_anchor |= properties.contains('&');
            self.text.push_str(properties);
        }
    }

    /// Writes a text on one line, in quotes if it needs them, or an alias.
    fn scalar(&mut self) {
        let word = self.random.pick(&WORDS);
        let is_plain = word.chars().all(|letter| letter.is_alphanumeric() || " .'=".contains(letter))
            && word.trim() == word;
        match self.random.below(8) {
            0..=2 if is_plain => self.text.push_str(word),
            3 if self.has_anchor => self.text.push_str("*n"),
            4..=5 => self.text.push_str(&format!("'{}'", word.replace('\'', "''"))),
            _ => self.text.push_str(&format!("{word:?}")),
        }
    }

    /// Writes a text over several lines, with or without quotes.
    fn folded(&mut self, column: usize) {
        let quote = self.random.pick(&["", "'", "\""]);
        self.text.push_str(quote);
        self.text.push_str("one");
        for _ in 0..=self.random.below(3) {
            self.text.push_str(
                ["\n", "\n\n", " \n", "\\\n"][self.random.below(if quote == "\"" { 4 } else { 3 })],
            );
            let indentation = column + self.random.below(3);
            self.blanks(indentation);
            self.text.push_str(["two", "three four", "x#y", "---"][self.random.below(4)]);
        }
        self.text.push_str(quote);
    }

    fn block_scalar(&mut self, column: usize) {
        let header = self.random.pick(&HEADERS);
        self.text.push_str(header);
        self.line_end();
        for _ in 0..self.random.below(5) {
            if self.one_in(4) {
                let blanks = self.random.below(column + 3);
                self.blanks(blanks);
                self.text.push('\n');
            } else {
                self.blanks(column);
                let deeper = [0, 0, 0, 2][self.random.below(4)];
                self.blanks(deeper);
                self.text.push_str(["text", "# text", "a: b", "- x ", "\ttab"][self.random.below(5)]);
                self.text.push('\n');
            }
        }
    }

    fn flow(&mut self, deepest: usize) {
        let is_map = self.one_in(2);
        self.text.push(if is_map { '{' } else { '[' });
        self.flow_gap();
        let count = self.random.below(4);
        for number in 0..count {
            if is_map || self.one_in(8) {
                self.text.push_str(["k", "\"k\"", "'k'", "two words", "? k", "!t k"][self.random.below(6)]);
                self.text.push_str([": ", ": ", " : ", ":  "][self.random.below(4)]);
            }
            self.properties();
            match self.random.below(5) {
                0 if deepest > 0 => self.flow(deepest - 1),
                1 => {}
                2 if self.has_anchor => self.text.push_str("*n "),
                3 => self.text.push_str("plain"),
                _ => self.scalar(),
            }
            self.flow_gap();
            if number + 1 < count || self.one_in(4) {
                self.text.push(',');
            }
            self.flow_gap();
        }
        self.text.push(if is_map { '}' } else { ']' });
    }

    fn flow_gap(&mut self) {
        match self.random.below(12) {
            0 => self.text.push_str("\n                "),
            1 => self.text.push_str(" # c\n                    "),
            2 => self.text.push_str("\n\n                 "),
            3 => self.text.push_str("\n      # own\n                "),
            4..=6 => self.text.push(' '),
            _ => {}
        }
    }
}
