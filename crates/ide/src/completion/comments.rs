//! Comments that ignore rules. In: a cursor in a comment. Out: offers of the words for such comments. Inside their
//! brackets, offers of rules, first those with findings on the line.

use nodewise_analysis::diagnostic::Diagnostic;
use nodewise_analysis::facts::Ownership;
use nodewise_analysis::rules::RULES;
use nodewise_analysis::suppress::{MARKER, WORDS};
use nodewise_dialect::table::Dialect;
use nodewise_syntax::{TextRange, TextSize};

use super::docs::Handle;
use super::offer::{Offer, Offers};
use super::writing::replacing;
use super::{Answer, ItemKind};
use crate::cursor_context::CursorContext;

/// Rules with findings on the line.
const FIRING: u8 = 0;
/// Rules with findings elsewhere in the file.
const NEARBY: u8 = 1;
const OTHER: u8 = 2;

/// Offers the words and rules of a comment at the cursor.
pub(super) fn complete(spot: &CursorContext<'_>, range: TextRange, answer: &mut Answer) {
    let Ownership::Ours(dialect) = spot.file.ownership else { return };
    let offset = spot.position.offset;
    let comment = TextRange::new(range.start(), offset.max(range.start()));
    let text = super::writing::slice(spot, comment);
    let body = text.trim_start_matches('#').trim_start();
    let Some(rest) = body.strip_prefix(MARKER) else {
        return offer_marker(body, offset, answer);
    };
    let rest = rest.trim_start();
    match rest.split_once('[') {
        None => offer_words(rest, offset, answer),
        Some((word, rules)) if !rules.contains(']') => offer_rules(spot, dialect, word, rules, answer),
        Some(_) => {}
    }
}

fn offer_marker(body: &str, offset: TextSize, answer: &mut Answer) {
    if body.is_empty() || !MARKER.starts_with(body) {
        return;
    }
    let mut offers = Offers::new(body);
    offers.add(Offer::text(MARKER, ItemKind::Operator, 0).with_detail("ignores rules"));
    push(offers, body, offset, " ", answer);
}

fn offer_words(rest: &str, offset: TextSize, answer: &mut Answer) {
    let mut offers = Offers::new(rest);
    for (word, doc) in WORDS {
        offers.add(Offer::text(word, ItemKind::Operator, 0).with_detail(doc));
    }
    push(offers, rest, offset, "[", answer);
}

fn offer_rules(spot: &CursorContext<'_>, dialect: &Dialect, word: &str, rules: &str, answer: &mut Answer) {
    let (before, letters) = rules.rsplit_once(',').unwrap_or(("", rules));
    let taken: Vec<&str> = before.split(',').map(str::trim).collect();
    let letters = letters.trim_start();
    let own_line = spot.file.line(spot.position.offset);
    let is_next = WORDS.get(1).is_some_and(|(next, _)| word.trim() == *next);
    let line = if is_next { own_line + 1 } else { own_line };
    let found = spot.snapshot.diagnostics(spot.file.source);
    let fires = |rule: &str| {
        let of_rule = |diagnostic: &&Diagnostic| diagnostic.rule == rule;
        let mut at = found.iter().filter(of_rule).map(|found| spot.file.line(found.finding.at.range.start()));
        match (at.clone().any(|found| found == line), at.next()) {
            (true, _) => FIRING,
            (false, Some(_)) => NEARBY,
            (false, None) => OTHER,
        }
    };
    let mut offers = Offers::new(letters);
    for rule in RULES.iter().filter(|rule| rule.judges(dialect.id) && !taken.contains(&rule.id)) {
        let tier = fires(rule.id);
        let detail = match tier {
            FIRING => "reported on this line",
            NEARBY => "reported in this file",
            _ => "",
        };
        let offer = Offer::text(rule.id, ItemKind::Rule, tier).with_detail(detail);
        offers.add(offer.with_documentation(Handle::rule(rule.id)));
    }
    for rule in spot.snapshot.index().project_rules().iter().filter(|rule| !taken.contains(&rule.id)) {
        offers.add(Offer::text(rule.id, ItemKind::Rule, fires(rule.id)).with_detail("a rule of the project"));
    }
    push(offers, letters, spot.position.offset, "", answer);
}

/// Adds offers that replace the typed letters.
fn push(offers: Offers, letters: &str, offset: TextSize, behind: &str, answer: &mut Answer) {
    let start = offset - TextSize::of(letters);
    answer.add(offers, |offer| {
        let text = format!("{}{behind}", offer.label);
        Some(replacing(offer, TextRange::new(start, offset), offset, text))
    });
}
