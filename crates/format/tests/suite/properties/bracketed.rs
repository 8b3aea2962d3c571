//! Documents that are one collection in brackets, as JSON is and as YAML may be: deep, about as wide as a line may be, with
//! and without comments and line breaks of the author's. In: random choices; out: a text that is YAML.

use crate::support::Random;

const KEYS: [&str; 9] = ["id", "nodes", "type", "'q'", "\"d\"", "two words", "read_keys", "config", "x"];
const TEXTS: [&str; 14] = [
    "a",
    "lesson",
    "1.5",
    "true",
    "rule_based",
    "min_sentence_length",
    "'it''s'",
    "\"say \\\"hi\\\"\"",
    "\"\"",
    "'x'",
    "memory.score  >  0.5",
    "a rather long text of several words",
    "naïve 漢字",
    "!t x",
];
/// Deeper collections are empty.
const DEEPEST: usize = 6;

/// A document in brackets.
pub(crate) fn document(random: &mut Random) -> String {
    let is_loose = random.below(3) == 0;
    let mut text = String::new();
    if random.below(8) == 0 {
        text.push_str("# head\n");
    }
    let mut grower = Grower { has_comments: is_loose && random.below(2) == 0, is_loose, random, text };
    grower.collection(0);
    if grower.has_comments && grower.one_in(3) {
        grower.text.push_str(" # behind");
    }
    grower.text.push('\n');
    grower.text
}

struct Grower<'r> {
    random: &'r mut Random,
    text: String,
    /// Whether the author broke lines.
    is_loose: bool,
    has_comments: bool,
}

impl Grower<'_> {
    fn one_in(&mut self, of: usize) -> bool {
        self.random.below(of) == 0
    }

    fn collection(&mut self, depth: usize) {
        let is_map = self.random.below(5) < 3;
        self.text.push(if is_map { '{' } else { '[' });
        self.gap();
        let most = if depth >= DEEPEST { 1 } else { 6 };
        let count = self.random.below(most);
        for number in 0..count {
            if is_map || self.one_in(12) {
                let key = self.random.pick(&KEYS);
                self.text.push_str(key);
                self.text.push_str(": ");
            }
            match self.random.below(5) {
                0 | 1 if depth < DEEPEST => self.collection(depth + 1),
                2 if self.one_in(6) => {}
                _ => {
                    let text = self.random.pick(&TEXTS);
                    self.text.push_str(text);
                }
            }
            self.gap();
            if number + 1 < count || self.one_in(8) {
                self.text.push(',');
                if !self.is_loose || self.one_in(2) {
                    self.text.push(' ');
                }
            }
            self.gap();
        }
        self.text.push(if is_map { '}' } else { ']' });
    }

    fn gap(&mut self) {
        if !self.is_loose {
            return;
        }
        match self.random.below(14) {
            0 => self.text.push_str("\n    "),
            1 => self.text.push_str("\n\n  "),
            2 if self.has_comments => self.text.push_str(" # c\n   "),
            3 if self.has_comments => self.text.push_str("\n  # own\n   "),
            4..=6 => self.text.push(' '),
            _ => {}
        }
    }
}
