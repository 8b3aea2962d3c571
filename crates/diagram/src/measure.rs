//! How much room texts take, and how they are broken into lines.
//!
//! Input: texts on one line; output: widths, lines. Invariant: no font is asked; widths are those of Arial, whose metrics
//! the usual sans-serif fonts share, and a little more, so that boxes are never too small.

/// The approximate width of a text at this font size.
pub(crate) fn width(text: &str, font_size: f64) -> f64 {
    const RESERVE: f64 = 1.1;
    text.chars().map(em).sum::<f64>() * font_size * RESERVE
}

/// Breaks a text into at most `lines_max` lines that are no wider than `most`. If it does not fit, it ends with an
/// ellipsis.
///
/// It breaks at spaces. A word that is too long for a line is broken at its joints (`_`, `-`, `.`, a capital letter),
/// or anywhere if it has none.
pub(crate) fn wrapped(text: &str, font_size: f64, most: f64, lines_max: usize) -> Vec<String> {
    let mut lines = Lines { font_size, most, done: Vec::new(), line: String::new() };
    for word in text.split_whitespace() {
        if lines.done.len() > lines_max {
            break;
        }
        if !lines.line.is_empty() && lines.fits(&format!("{} {word}", lines.line)) {
            lines.line.push(' ');
            lines.line.push_str(word);
        } else if lines.fits(word) {
            lines.end();
            word.clone_into(&mut lines.line);
        } else {
            lines.break_up(word, lines_max);
        }
    }
    lines.end();
    let mut lines = lines.done;
    if lines.len() > lines_max {
        lines.truncate(lines_max);
        if let Some(last) = lines.last_mut() {
            *last = shortened_to(&format!("{last}…"), font_size, most);
        }
    }
    lines
}

/// Lines that are being filled.
struct Lines {
    font_size: f64,
    most: f64,
    done: Vec<String>,
    line: String,
}

impl Lines {
    fn fits(&self, line: &str) -> bool {
        width(line, self.font_size) <= self.most
    }

    fn end(&mut self) {
        if !self.line.is_empty() {
            self.done.push(std::mem::take(&mut self.line));
        }
    }

    /// Adds as much as possible of a word that needs more than one line.
    fn break_up(&mut self, word: &str, lines_max: usize) {
        let mut blank = if self.line.is_empty() { "" } else { " " };
        for part in parts(word) {
            if self.done.len() > lines_max {
                return;
            }
            let longer = format!("{}{blank}{part}", self.line);
            blank = "";
            if self.fits(&longer) {
                self.line = longer;
                continue;
            }
            self.end();
            for character in part.chars() {
                if self.done.len() > lines_max {
                    return;
                }
                self.line.push(character);
                if !self.fits(&self.line) && self.line.pop().is_some() {
                    self.end();
                    self.line.push(character);
                }
            }
        }
    }
}

/// A text with an ellipsis, shortened until both fit.
fn shortened_to(text: &str, font_size: f64, most: f64) -> String {
    let mut kept: Vec<char> = text.chars().collect();
    while width(&kept.iter().collect::<String>(), font_size) > most && kept.len() > 1 {
        kept.remove(kept.len() - 2);
    }
    kept.into_iter().collect()
}

/// The parts of a word between which it can be broken.
fn parts(word: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut last: Option<char> = None;
    for (at, character) in word.char_indices() {
        let is_joint = last.is_some_and(|last| {
            matches!(last, '_' | '-' | '.' | '/' | ':' | ',' | '(' | '&' | '|')
                && !matches!(character, '_' | '-' | '.' | '/' | '&' | '|')
                || last.is_lowercase() && character.is_uppercase()
        });
        if is_joint && let Some(part) = word.get(start..at) {
            parts.push(part);
            start = at;
        }
        last = Some(character);
    }
    parts.extend(word.get(start..).filter(|part| !part.is_empty()));
    parts
}

/// The width of a character, in ems.
fn em(character: char) -> f64 {
    match character {
        'i' | 'j' | 'l' | '\'' | '|' => 0.23,
        '.' | ',' | ':' | ';' | '!' | ' ' | 'f' | 't' | 'I' | '/' | '\\' | '[' | ']' => 0.28,
        '(' | ')' | '-' | 'r' | '"' | '`' | '*' => 0.36,
        'c' | 'k' | 's' | 'v' | 'x' | 'y' | 'z' | 'J' => 0.5,
        'm' | 'M' | '%' => 0.86,
        'w' | 'C' | 'D' | 'H' | 'N' | 'R' | 'U' => 0.73,
        'G' | 'O' | 'Q' => 0.78,
        'W' | '@' | '…' | '→' | '—' => 1.0,
        'A' | 'B' | 'E' | 'K' | 'P' | 'S' | 'V' | 'X' | 'Y' | '&' => 0.67,
        '<' | '>' | '=' | '+' | '~' => 0.585,
        ' '..='~' => 0.56,
        // Combining marks and invisible characters.
        '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200d}' | '\u{fe00}'..='\u{fe0f}' => 0.0,
        '\u{a0}'..='\u{2ff}' => 0.61,
        '\u{370}'..='\u{10ff}' => 0.68,
        _ => 1.05,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Breaks a text into lines of at most so many digits.
    fn check_wrapped(text: &str, digits: usize, lines_max: usize, expected: &[&str]) {
        let most = width(&"0".repeat(digits), 10.0);
        let lines = wrapped(text, 10.0, most, lines_max);
        assert_eq!(lines, expected);
        assert!(lines.iter().all(|line| width(line, 10.0) <= most), "{lines:?}");
    }

    #[test]
    fn lines_break_at_blanks_and_joints() {
        check_wrapped("one two three", 8, 3, &["one two", "three"]);
        check_wrapped("summarise_customer_refund", 12, 3, &["summarise_", "customer_", "refund"]);
        check_wrapped("SummariseCustomerRefund", 12, 3, &["Summarise", "Customer", "Refund"]);
        check_wrapped("not memory.covered_verification", 16, 3, &["not memory.", "covered_", "verification"]);
        check_wrapped("aaaaaaaaaa", 4, 5, &["aaaa", "aaaa", "aa"]);
        check_wrapped("", 4, 5, &[]);
    }

    #[test]
    fn what_does_not_fit_ends_in_an_ellipsis() {
        check_wrapped("one two three", 5, 1, &["one…"]);
        check_wrapped("漢字漢字漢字漢字", 8, 1, &["漢字漢…"]);
        check_wrapped(&"x".repeat(100_000), 8, 2, &["xxxxxxxx", "xxxxxx…"]);
    }
}
