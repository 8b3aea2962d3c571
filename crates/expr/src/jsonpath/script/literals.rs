//! Numbers, texts and regular expressions in a script.
//!
//! Input: a reader that is before a literal; output: the literal, and the reader after it. Invariant: a literal that
//! is refused here is refused by jsep 1.6 at the same character.

use smol_str::SmolStr;

use super::Fault;
use super::grammar::{Reader, is_name_part, is_name_start};
use crate::ast::{ExprKind, Pattern, Text};
use crate::pattern::Regex;
use crate::problem::ParseProblemKind;

impl Reader<'_> {
    /// A decimal number.
    pub(super) fn number(&mut self) -> Result<ExprKind, Fault> {
        let start = self.at;
        self.skip_digits();
        if self.peek() == Some('.') {
            self.at += 1;
            self.skip_digits();
        }
        if matches!(self.peek(), Some('e' | 'E')) {
            self.at += 1;
            if matches!(self.peek(), Some('+' | '-')) {
                self.at += 1;
            }
            let exponent = self.at;
            self.skip_digits();
            if self.at == exponent {
                let thrown = format!("Expected exponent ({}{})", self.slice(start), self.here());
                return Err(self.fault(
                    thrown,
                    ParseProblemKind::MalformedNumber,
                    "a number ends in its exponent",
                    None,
                ));
            }
        }
        let digits = self.slice(start);
        if self.peek().is_some_and(is_name_start) {
            let thrown = format!("Variable names cannot start with a number ({digits}{})", self.here());
            let message = format!("a number cannot run into `{}`", self.here());
            return Err(self.fault(thrown, ParseProblemKind::MalformedNumber, &message, None));
        }
        if self.peek() == Some('.') || digits == "." {
            let thrown = "Unexpected period".to_owned();
            return Err(self.fault(thrown, ParseProblemKind::MalformedNumber, "`.` cannot stand here", None));
        }
        Ok(ExprKind::Number(digits.parse().unwrap_or(f64::NAN)))
    }

    fn skip_digits(&mut self) {
        while self.peek().is_some_and(|found| found.is_ascii_digit()) {
            self.at += 1;
        }
    }

    /// A text in quotes.
    pub(super) fn text(&mut self, quote: char) -> Result<ExprKind, Fault> {
        let opening = self.at;
        self.at += 1;
        let mut value = String::new();
        while let Some(found) = self.peek() {
            self.at += 1;
            if found == quote {
                return Ok(ExprKind::Text(Text { value: value.into(), quote }));
            }
            if found != '\\' {
                value.push(found);
                continue;
            }
            let escaped = self.peek();
            self.at += 1;
            match escaped {
                Some('n') => value.push('\n'),
                Some('r') => value.push('\r'),
                Some('t') => value.push('\t'),
                Some('b') => value.push('\u{8}'),
                Some('f') => value.push('\u{c}'),
                Some('v') => value.push('\u{b}'),
                Some(other) => value.push(other),
                None => {}
            }
        }
        let thrown = format!("Unclosed quote after \"{value}\"");
        let mut fault =
            self.fault(thrown, ParseProblemKind::UnterminatedText, "the text is not closed", None);
        fault.problem.range = self.origin(opening, self.characters.len());
        fault.problem.help = Some(format!("close it with `{quote}`"));
        Err(fault)
    }

    /// A regular expression, from its first slash on.
    pub(super) fn pattern(&mut self) -> Result<ExprKind, Fault> {
        let opening = self.at;
        self.at += 1;
        let mut in_class = false;
        while let Some(found) = self.peek() {
            match found {
                '/' if !in_class => return self.pattern_flags(opening),
                '[' => in_class = true,
                ']' => in_class = false,
                '\\' => self.at += 1,
                _ => {}
            }
            self.at += 1;
        }
        let thrown = "Unclosed Regex".to_owned();
        let mut fault = self.fault(
            thrown,
            ParseProblemKind::UnterminatedText,
            "the regular expression is not closed",
            None,
        );
        fault.problem.range = self.origin(opening, self.characters.len());
        fault.problem.help = Some("close it with `/`".to_owned());
        Err(fault)
    }

    /// The flags after the closing slash, where the reader is.
    fn pattern_flags(&mut self, opening: usize) -> Result<ExprKind, Fault> {
        let source: SmolStr = self.slice(opening + 1).into();
        self.at += 1;
        let start = self.at;
        while self.peek().is_some_and(|found| found.is_ascii_alphanumeric()) {
            self.at += 1;
        }
        let pattern = Pattern { source, flags: self.slice(start).into() };
        match Regex::new(&pattern) {
            Ok(_) => Ok(ExprKind::Pattern(pattern)),
            Err(reason) => {
                let thrown =
                    format!("Invalid regular expression: /{}/{}: {reason}", pattern.source, pattern.flags);
                let message = "the regular expression is not valid";
                let mut fault = self.fault(thrown, ParseProblemKind::UnexpectedToken, message, None);
                fault.problem.range = self.origin(opening, self.at);
                Err(fault)
            }
        }
    }

    /// Reads a name; a fault if there is none.
    pub(super) fn name(&mut self) -> Result<(usize, usize), Fault> {
        let start = self.at;
        if !self.peek().is_some_and(is_name_start) {
            let thrown = format!("Unexpected {}", self.here());
            let message = "a name must stand here";
            return Err(self.fault(thrown, ParseProblemKind::UnexpectedToken, message, None));
        }
        while self.peek().is_some_and(is_name_part) {
            self.at += 1;
        }
        Ok((start, self.at))
    }
}
