//! Hover in a comment that ignores rules: the rule at the cursor, or what the comment ignores. In: the context of a cursor. Out: a
//! hover. Other comments have none.

use nodewise_analysis::page::{severities, summary};
use nodewise_analysis::project_rules::ActiveRule;
use nodewise_analysis::rules;
use nodewise_analysis::suppress::{Suppression, SuppressionScope};
use nodewise_syntax::{TextRange, TextSize};

use super::Hover;
use crate::cursor_context::CursorContext;
use crate::markup::{Line, Markup, MarkupLinkTarget};

pub(super) fn hover(spot: &CursorContext<'_>) -> Option<Hover> {
    let offset = spot.position.offset;
    let comments = &spot.file.suppressions.comments;
    let comment = comments.iter().find(|comment| comment.range.contains_inclusive(offset))?;
    let (word, range) = word_at(&spot.file.text, comment.range, offset)?;
    let mut text = Markup::new();
    match rules::rule(rules::current(word)) {
        Some(rule) => {
            let name = Line::new().code(rule.id);
            let line = Line::new()
                .link(&name, MarkupLinkTarget::Rule(rule.id))
                .prose(&format!(" · {}", severities(rule)))
                .prose(&format!(" · {}", rule.category.word()));
            text.paragraph(&line);
            text.paragraph(&Line::new().prose(&summary(rule)));
            Some(Hover { range, text })
        }
        None if project_rule(spot, word).is_some() => {
            let rule = project_rule(spot, word)?;
            let detail = format!(" · {} · a rule of the project", rule.severity.word());
            text.paragraph(&Line::new().code(rule.id).prose(&detail));
            if let Some(message) = &rule.rule.message {
                text.paragraph(&Line::new().prose(&message.value));
            }
            Some(Hover { range, text })
        }
        None if comment.rules.iter().any(|rule| rule == word) => {
            text.paragraph(&Line::new().prose("Unknown rule ").code(word).prose("."));
            Some(Hover { range, text })
        }
        None => {
            text.paragraph(&Line::new().prose(silences(comment)?));
            Some(Hover { range: comment.range, text })
        }
    }
}

fn project_rule<'s>(spot: &'s CursorContext<'_>, id: &str) -> Option<&'s ActiveRule> {
    spot.snapshot.index().project_rules().iter().find(|rule| rule.id == id)
}

fn silences(comment: &Suppression) -> Option<&'static str> {
    let all = comment.rules.is_empty();
    Some(match comment.scope {
        SuppressionScope::Line(line) if line.contains_inclusive(comment.range.start()) => match all {
            true => "Ignores every rule on this line.",
            false => "Ignores the listed rules on this line.",
        },
        SuppressionScope::Line(_) => match all {
            true => "Ignores every rule on the next line.",
            false => "Ignores the listed rules on the next line.",
        },
        SuppressionScope::File => match all {
            true => "Ignores every rule in this file.",
            false => "Ignores the listed rules in this file.",
        },
        SuppressionScope::Unknown => return None,
    })
}

/// The word at an offset, if it can be a rule id.
fn word_at(text: &str, within: TextRange, offset: TextSize) -> Option<(&str, TextRange)> {
    let (start, end) = (usize::from(within.start()), usize::from(within.end()));
    let at = usize::from(offset);
    let is_other = |letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '-' | '/'));
    let before = text.get(start..at)?;
    let behind = text.get(at..end)?;
    let from = before.rfind(is_other).map_or(start, |last| start + last + 1);
    let until = at + behind.find(is_other).unwrap_or(behind.len());
    let range = TextRange::new(TextSize::try_from(from).ok()?, TextSize::try_from(until).ok()?);
    Some((text.get(from..until)?, range))
}
