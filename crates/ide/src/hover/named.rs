//! Hover on a name: what it refers to, and why that may be uncertain. In: the context of a cursor. Out: a hover on the name without
//! quotes.

use nodewise_analysis::facts::Ownership;
use nodewise_model::{Origin, Reference, UnresolvedSeverity};
use nodewise_syntax::TextSize;

use super::Hover;
use crate::cursor_context::CursorContext;
use crate::markup::{Line, Markup, describe_entity, describe_word, is_undeclared};
use crate::names::{Entity, Occurrence, name_at};

pub(super) fn hover(spot: &CursorContext<'_>) -> Option<Hover> {
    let Some(name) = name_at(spot.snapshot, spot.position) else { return endpoint(spot) };
    Some(of_name(spot, &name))
}

/// The hover for a name.
pub(super) fn of_name(spot: &CursorContext<'_>, name: &Occurrence) -> Hover {
    let mut text = match &name.entity {
        Entity::Missing { .. } => provided(spot, name),
        _ => None,
    }
    .unwrap_or_else(|| match is_reported(spot, name) {
        true => Markup::new(),
        false => describe_entity(spot.snapshot, &name.entity),
    });
    let doubts = doubts(spot, name);
    if !doubts.is_empty() {
        text.list(&doubts);
    }
    Hover { range: name.at.range, text }
}

/// Whether a finding already says that nothing declares the name. Editors show findings next to the hover.
fn is_reported(spot: &CursorContext<'_>, name: &Occurrence) -> bool {
    let quotes = TextSize::of("\"\"");
    let is_of_name = |at: Origin| {
        at.source == name.at.source
            && at.range.contains_range(name.at.range)
            && at.range.len() <= name.at.range.len() + quotes
    };
    is_undeclared(spot.snapshot, &name.entity)
        && spot.snapshot.diagnostics(name.at.source).iter().any(|found| is_of_name(found.finding.at))
}

/// A word for the start or end of a run, in place of a node's id.
fn endpoint(spot: &CursorContext<'_>) -> Option<Hover> {
    let place = spot.location.value()?;
    let slot = spot.expected.iter().find_map(|expectation| expectation.slot)?;
    let is_end = matches!(
        slot.field.ty,
        nodewise_dialect::table::Type::Symbol(nodewise_dialect::table::Symbol::Endpoint, _)
    );
    let written = spot.value()?.as_text()?;
    let word = spot.dialect?.terminals.iter().find(|word| is_end && word.text == written)?;
    Some(Hover { range: place.typed, text: describe_word(word) })
}

/// A name that no document declares, but the project's configuration does.
fn provided(spot: &CursorContext<'_>, name: &Occurrence) -> Option<Markup> {
    let Ownership::Ours(dialect) = spot.file.ownership else { return None };
    let reference = Reference::new(name.name.clone(), name.at, name.scope?);
    let settings = &spot.file.settings;
    let doc = if settings.is_outside(dialect, &reference) {
        "Provided by the host program, as declared in `nodewise.toml`."
    } else if settings.is_generated_tool(&name.name) {
        "A tool generated at run time."
    } else {
        return None;
    };
    let mut markup = Markup::new();
    let title = Line::new().strong(reference.scope.noun).prose(" ").code(&name.name);
    markup.paragraph(&title);
    markup.paragraph(&Line::new().prose(doc));
    Some(markup)
}

/// The reasons why the name may refer to something else.
fn doubts(spot: &CursorContext<'_>, name: &Occurrence) -> Vec<Line> {
    let Some(scope) = name.scope else { return Vec::new() };
    match &name.entity {
        Entity::Declaration { kind, .. } => {
            let all = spot.snapshot.index().declared(&name.name).iter();
            all.filter(|other| other.kind != *kind && scope.kinds.contains(&other.kind))
                .map(|other| {
                    let line = Line::new().prose("Also a ").prose(other.kind).prose(": ");
                    line.place(spot.snapshot, other.at).prose("; ").prose(kind).prose(" takes precedence")
                })
                .collect()
        }
        Entity::Missing { .. } if scope.severity == UnresolvedSeverity::Warning => {
            let lists = match spot.file.ownership {
                Ownership::Ours(dialect) => spot.file.settings.lists_outside(dialect, scope),
                Ownership::Empty | Ownership::NotOurs => false,
            };
            let may = Line::new().prose(&format!("A program may register such {} at run time", scope.one()));
            if lists { Vec::new() } else { vec![may] }
        }
        _ => Vec::new(),
    }
}
