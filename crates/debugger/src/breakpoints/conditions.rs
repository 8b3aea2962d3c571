//! Which hits of a breakpoint stop, and what a breakpoint logs.

/// Which hits of a breakpoint stop. Hits are counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HitCondition {
    /// Only this hit: `3`, `=3` or `==3`.
    Exactly(usize),
    /// All hits after this one: `>3`.
    After(usize),
    /// This hit and all after it: `>=3`.
    From(usize),
    /// All hits before this one: `<3`.
    Before(usize),
    /// This hit and all before it: `<=3`.
    UpTo(usize),
    /// Each hit whose number is a multiple: `%3`.
    Every(usize),
}

impl HitCondition {
    /// Reads a hit condition.
    ///
    /// # Errors
    /// If the text is not a hit condition.
    pub fn parse(text: &str) -> Result<HitCondition, String> {
        let text = text.trim();
        let digits = text.find(|character: char| character.is_ascii_digit()).unwrap_or(text.len());
        let (sign, count) = text.split_at(digits);
        let wrong = || format!("`{text}` is not a hit count: write `3`, `>3`, `>=3`, `<3`, `<=3` or `%3`");
        let count: usize = count.parse().map_err(|_| wrong())?;
        match sign.trim() {
            "" | "=" | "==" => Ok(HitCondition::Exactly(count)),
            ">" => Ok(HitCondition::After(count)),
            ">=" => Ok(HitCondition::From(count)),
            "<" => Ok(HitCondition::Before(count)),
            "<=" => Ok(HitCondition::UpTo(count)),
            "%" if count > 0 => Ok(HitCondition::Every(count)),
            _ => Err(wrong()),
        }
    }

    /// Whether the hit with this number, from 1, stops.
    #[must_use]
    pub fn includes(self, hit: usize) -> bool {
        match self {
            HitCondition::Exactly(count) => hit == count,
            HitCondition::After(count) => hit > count,
            HitCondition::From(count) => hit >= count,
            HitCondition::Before(count) => hit < count,
            HitCondition::UpTo(count) => hit <= count,
            HitCondition::Every(count) => hit.is_multiple_of(count),
        }
    }
}

/// What a breakpoint logs: text with expressions in braces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogMessage {
    /// Pairs of a text and the expression that follows it. Only the last pair has no expression.
    pub parts: Vec<(String, Option<String>)>,
}

impl LogMessage {
    /// Reads a message: `{` begins an expression, `\{` is a brace.
    ///
    /// # Errors
    /// If a brace is not closed.
    pub fn parse(message: &str) -> Result<LogMessage, String> {
        let (mut parts, mut text) = (Vec::new(), String::new());
        let mut rest = message.chars();
        while let Some(character) = rest.next() {
            match character {
                '\\' => match rest.clone().next() {
                    Some(brace @ ('{' | '}')) => {
                        text.push(brace);
                        rest.next();
                    }
                    _ => text.push('\\'),
                },
                '{' => {
                    let (expression, behind) = expression(rest.as_str())
                        .ok_or("a `{` of the message is not closed; write `\\{` for a brace")?;
                    parts.push((std::mem::take(&mut text), Some(expression.trim().to_owned())));
                    rest = behind.chars();
                }
                other => text.push(other),
            }
        }
        parts.push((text, None));
        Ok(LogMessage { parts })
    }

    pub fn expressions(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|(_, expression)| expression.as_deref())
    }
}

/// The expression up to the brace that closes it, and the text after that brace. Braces in quotes do not count.
/// `None` if no brace closes the expression.
fn expression(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0_usize;
    let mut quote = None;
    for (position, character) in text.char_indices() {
        match (quote, character) {
            (Some(open), close) if open == close => quote = None,
            (None, '\'' | '"') => quote = Some(character),
            (None, '{') => depth += 1,
            (None, '}') if depth == 0 => return Some((text.get(..position)?, text.get(position + 1..)?)),
            (None, '}') => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::{HitCondition, LogMessage};

    #[track_caller]
    fn check_hits(text: &str, expected: &str) {
        let found = match HitCondition::parse(text) {
            Ok(condition) => {
                let hits = (1..=6).filter(|hit| condition.includes(*hit));
                hits.map(|hit| hit.to_string()).collect::<Vec<_>>().join(" ")
            }
            Err(message) => message,
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn hits() {
        check_hits("3", "3");
        check_hits(" == 3", "3");
        check_hits(">3", "4 5 6");
        check_hits(">=3", "3 4 5 6");
        check_hits("<3", "1 2");
        check_hits("<= 3", "1 2 3");
        check_hits("%2", "2 4 6");
        check_hits("%0", "`%0` is not a hit count: write `3`, `>3`, `>=3`, `<3`, `<=3` or `%3`");
        check_hits("often", "`often` is not a hit count: write `3`, `>3`, `>=3`, `<3`, `<=3` or `%3`");
    }

    #[track_caller]
    fn check_message(text: &str, expected: &str) {
        let found = match LogMessage::parse(text) {
            Ok(message) => {
                let part = |(text, expression): &(String, Option<String>)| match expression {
                    Some(expression) => format!("{text}<{expression}>"),
                    None => text.clone(),
                };
                message.parts.iter().map(part).collect::<String>()
            }
            Err(message) => message,
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn messages() {
        check_message("sum is { memory.sum } of \\{all\\}", "sum is <memory.sum> of {all}");
        check_message("{a == '}'}{b}", "<a == '}'><b>");
        check_message("größer \\n", "größer \\n");
        check_message("open {a", "a `{` of the message is not closed; write `\\{` for a brace");
    }
}
