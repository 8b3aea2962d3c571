//! What must hold of a text that is laid out, or of a part of one: nothing changes its meaning for our parser or another
//! one, comments stay the same, line breaks and the byte order mark keep their kind, and a second time changes nothing.
//!
//! In: a text, options, a range. Out: what became of it, or the law that is broken. Invariant: no law relies on the
//! formatter's own verification.

use nodewise_analysis::facts::kinds;
use nodewise_analysis::settings::Pin;
use nodewise_format::{FormatOptions, FormatRefusal, Formatted, VerificationFailure, format_tree, range};
use nodewise_syntax::edit::apply_edits;
use nodewise_syntax::parts::{self, PartKind, SyntaxElement};
use nodewise_syntax::{TextRange, Tree, events, parse};
use yaml_rust2::Event;
use yaml_rust2::parser::{MarkedEventReceiver, Parser};
use yaml_rust2::scanner::{Marker, TScalarStyle};

/// What became of a text that broke no law.
pub(crate) enum Outcome {
    /// It was laid out.
    Formatted(Formatted),
    /// It is no YAML, or the second parser cannot read it.
    Passed,
    /// The formatter took its own layout back, and the text stays.
    Refused(VerificationFailure),
}

/// A law that does not hold.
pub(crate) struct Breach {
    /// Its name: breaches of one law are of one sort.
    pub(crate) law: &'static str,
    pub(crate) detail: String,
}

/// Lays a text out, and holds the result against every law.
pub(crate) fn check(name: &str, text: &str, options: &FormatOptions) -> Result<Outcome, Breach> {
    let tree = parse(text);
    let kinds = kinds(name, &tree, Pin::ByContent).unwrap_or_default();
    let formatted = match format_tree(&tree, &kinds, options) {
        Ok(formatted) => formatted,
        Err(FormatRefusal::Broken(_) | FormatRefusal::Doubted(VerificationFailure::Unreadable(..))) => {
            return Ok(Outcome::Passed);
        }
        Err(FormatRefusal::Doubted(failure)) => return Ok(Outcome::Refused(failure)),
    };
    let new = &formatted.text;
    let breach = |law, detail: String| {
        Err(Breach {
            law,
            detail: format!("{detail}\n--- before\n{text}\n--- after\n{new}\n---\n{text:?}\n{new:?}"),
        })
    };
    match apply_edits(text, &mut formatted.edits.clone()) {
        Ok(edited) if edited == *new => {}
        Ok(edited) => return breach("the edits lead to the text", format!("{edited:?}")),
        Err(error) => return breach("the edits lead to the text", error.to_string()),
    }
    if let Some(difference) = difference(&tree, new, &formatted, options.key_order) {
        return breach("both texts mean the same", difference);
    }
    let again = parse(new.as_str());
    if comments(&tree) != comments(&again) {
        return breach("comments are the same", format!("{:?}\n{:?}", comments(&tree), comments(&again)));
    }
    if let Some(line) = hanging(&again) {
        return breach("what opens at a line's end closes below the line's beginning", line);
    }
    if let Some(difference) = other_breaks(text, new) {
        return breach("line breaks and the mark keep their kind", difference.to_owned());
    }
    match format_tree(&again, &kinds, options) {
        Ok(second) if second.text == *new && second.edits.is_empty() => Ok(Outcome::Formatted(formatted)),
        Ok(second) => breach("a second time changes nothing", format!("{:?}\n{}", second.edits, second.text)),
        Err(refusal) => breach("a second time changes nothing", format!("refused: {refusal}")),
    }
}

/// Lays a part of a text out that was laid out as a whole before.
pub(crate) fn check_range(text: &str, formatted: &Formatted, wanted: TextRange) -> Result<(), Breach> {
    let tree = parse(text);
    let edits = range::within(&tree, formatted, wanted);
    let breach = |law, detail: String| Err(Breach { law, detail: format!("{detail}\n{wanted:?}\n{text:?}") });
    let part = match apply_edits(text, &mut edits.clone()) {
        Ok(part) => part,
        Err(error) => return breach("the edits of a range can be made", error.to_string()),
    };
    if let Some(difference) = difference(&tree, &part, formatted, false) {
        return breach("a range keeps the meaning", format!("{difference}\n{part:?}"));
    }
    if comments(&tree) != comments(&parse(part.as_str())) {
        return breach("a range keeps the comments", format!("{part:?}"));
    }
    Ok(())
}

/// How the new text differs in meaning, by our events or by the second parser's. Expressions that were laid out are as
/// they shall be, and keys that were ordered have the same events in another order.
fn difference(tree: &Tree, new: &str, formatted: &Formatted, is_ordered: bool) -> Option<String> {
    let (mut ours, mut our_new) = (our_meaning(tree), our_meaning(&parse(new)));
    let old_text = tree.text();
    if old_text == new {
        return None;
    }
    let (Ok(mut others), other_new) = (other_meaning(old_text, !is_ordered), other_meaning(new, !is_ordered))
    else {
        return Some("the second parser cannot read the text".to_owned());
    };
    let mut other_new = match other_new {
        Ok(events) => events,
        Err(reason) => return Some(format!("the second parser cannot read the new text: {reason}")),
    };
    if is_ordered {
        [&mut ours, &mut our_new, &mut others, &mut other_new].into_iter().for_each(|events| events.sort());
    }
    // Order moves what differs, so that an expression may meet another one.
    if is_ordered && !formatted.rewrites.is_empty() {
        return (ours.len() != our_new.len()).then(|| "another number of events".to_owned());
    }
    let is_rewritten = |old: &str, new: &str| {
        formatted.rewrites.iter().any(|rewrite| {
            let is_shown = |shown: fn(&str) -> String| {
                old.contains(&shown(&rewrite.before)) && new.contains(&shown(&rewrite.after))
            };
            is_shown(as_ours) || is_shown(as_others)
        })
    };
    let first = |old: &[String], new: &[String]| {
        if old.len() != new.len() {
            return Some(format!("{} events became {}\n{old:?}\n{new:?}", old.len(), new.len()));
        }
        let mut pairs = old.iter().zip(new);
        pairs
            .find(|(old, new)| old != new && !is_rewritten(old, new))
            .map(|(old, new)| format!("{old} became {new}"))
    };
    first(&ours, &our_new)
        .map(|found| format!("by our parser: {found}"))
        .or_else(|| first(&others, &other_new).map(|found| format!("by the second parser: {found}")))
}

/// A text as our events show it.
fn as_ours(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\t', "\\t").replace('\r', "\\r")
}

/// A text as the second parser's events are shown.
fn as_others(text: &str) -> String {
    format!("{text:?}")
}

/// Our events without styles, but for plain texts, which may be numbers.
fn our_meaning(tree: &Tree) -> Vec<String> {
    let text = events::event_text(tree);
    text.lines().map(without_style).collect()
}

fn without_style(event: &str) -> String {
    let Some(mut rest) = event.strip_prefix("=VAL ") else {
        return event.replacen("+MAP {}", "+MAP", 1).replacen("+SEQ []", "+SEQ", 1);
    };
    let mut properties = String::new();
    while rest.starts_with(['&', '<'])
        && let Some((property, behind)) = rest.split_once(' ')
    {
        properties.push_str(property);
        rest = behind;
    }
    let style = if rest.starts_with(':') { "plain" } else { "text" };
    format!("{style} {properties} {}", rest.get(1..).unwrap_or_default())
}

#[derive(Default)]
struct Reader {
    said: Vec<String>,
    /// Anchors are numbered by their places, which order changes.
    numbers_anchors: bool,
}

impl MarkedEventReceiver for Reader {
    fn on_event(&mut self, event: Event, _: Marker) {
        let shown = |anchor: usize| if self.numbers_anchors { anchor } else { usize::from(anchor > 0) };
        self.said.push(match event {
            Event::Scalar(text, TScalarStyle::Plain, anchor, tag) => {
                format!("plain {text:?} {} {tag:?}", shown(anchor))
            }
            Event::Scalar(text, _, anchor, tag) => format!("text {text:?} {} {tag:?}", shown(anchor)),
            Event::SequenceStart(anchor, tag) => format!("sequence {} {tag:?}", shown(anchor)),
            Event::MappingStart(anchor, tag) => format!("mapping {} {tag:?}", shown(anchor)),
            other => format!("{other:?}"),
        });
    }
}

/// The second parser's events, likewise.
fn other_meaning(text: &str, numbers_anchors: bool) -> Result<Vec<String>, String> {
    let mut reader = Reader { numbers_anchors, ..Reader::default() };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match Parser::new_from_str(text).load(&mut reader, true) {
        Ok(()) => Ok(reader.said),
        Err(error) => Err(error.to_string()),
    }
}

fn comments(tree: &Tree) -> Vec<String> {
    let mut comments: Vec<String> =
        tree.comments().map(|comment| comment.text.trim_end().to_owned()).collect();
    comments.sort();
    comments
}

/// In documents in brackets, a line at whose end a bracket opens that closes at another column than the line begins at. Comments
/// and texts over several lines may stand in the way.
fn hanging(tree: &Tree) -> Option<String> {
    let text = tree.text();
    let is_bracketed = |part: SyntaxElement<'_>| {
        let root = part.children().find(|part| part.is_node());
        root.is_some_and(|root| matches!(root.kind(), PartKind::FlowMap | PartKind::FlowSeq))
    };
    if !parts::roots(tree).filter(|part| part.kind() == PartKind::Document).all(is_bracketed) {
        return None;
    }
    let mut open: Vec<(&str, bool)> = Vec::new();
    for part in parts::all(tree) {
        let at = usize::from(part.range().start());
        let line = text[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1);
        match part.kind() {
            PartKind::Comment => return None,
            PartKind::Plain | PartKind::SingleQuoted | PartKind::DoubleQuoted
                if part.text().contains(['\n', '\r']) =>
            {
                return None;
            }
            PartKind::Opener => {
                let rest = &text[at + part.text().len()..];
                open.push((&text[line..at], rest.starts_with(['\n', '\r'])));
            }
            PartKind::Closer => {
                let (before, is_at_end) = open.pop()?;
                let is_below = text[line..at].trim().is_empty() && begins_at(before, at - line);
                if is_at_end && !is_below {
                    return Some(format!("{before}{} … {}", part.text(), &text[line..at]));
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether a line begins at a column, or its content does behind marks of items and keys. The byte order mark has no column.
fn begins_at(line: &str, column: usize) -> bool {
    let line = line.trim_start_matches('\u{feff}');
    let mut rest = line.trim_start_matches(' ');
    loop {
        if line.len() - rest.len() == column {
            return true;
        }
        match rest.strip_prefix("- ").or_else(|| rest.strip_prefix("? ")) {
            Some(behind) => rest = behind.trim_start_matches(' '),
            None => return false,
        }
    }
}

/// What is wrong with the line breaks or the byte order mark of a new text.
fn other_breaks(old: &str, new: &str) -> Option<&'static str> {
    let is_marked = |text: &str| text.starts_with('\u{feff}');
    if is_marked(old) != is_marked(new) {
        return Some("the byte order mark");
    }
    let without_pairs = |text: &str| text.replace("\r\n", "");
    if !old.contains('\r') && new.contains('\r') {
        return Some("a carriage return came in");
    }
    let is_of_pairs = old.contains("\r\n") && !without_pairs(old).contains(['\r', '\n']);
    (is_of_pairs && without_pairs(new).contains(['\r', '\n'])).then_some("a break of another kind came in")
}
