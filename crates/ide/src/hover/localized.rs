//! Localized texts in a table: a row for each text and language, with the fallback text if a language has none. In: the
//! value of a localized field, and the path of the wanted part. Out: a table. Long texts are cut.

use nodewise_dialect::bundle;
use nodewise_dialect::bundle::{FALLBACK_LANGUAGE, LANGUAGES};
use nodewise_dialect::place::{self, Expectation, PathStep};
use nodewise_dialect::table::Type;
use nodewise_dialect::value::SpannedValue;
use nodewise_model::{Localized, LocalizedText};
use nodewise_syntax::TextRange;
use smol_str::SmolStr;

use super::Hover;
use crate::cursor_context::CursorContext;
use crate::markup::{Line, Markup, describe_field, excerpt};

/// The maximum number of rows.
const ROWS_MAX: usize = 12;

/// A key inside a localized text: a language, or a key of texts.
pub(super) fn hover(spot: &CursorContext<'_>, key: &str, range: TextRange) -> Option<Hover> {
    let (kind, root) = (spot.kind?, spot.root.as_ref()?);
    let path = spot.path();
    let is_text = |place: &Expectation| matches!(place.ty, Type::Bundle(_) | Type::Bundles(_));
    let (depth, slot) = (1..=path.len()).rev().find_map(|depth| {
        let expected = place::expected(kind, spot.patched, Some(root), path.get(..depth)?);
        Some((depth, expected.iter().find(|place| is_text(place))?.slot?))
    })?;
    let (to_field, inner) = path.split_at_checked(depth)?;
    let value = to_field.iter().try_fold(root, |value, step| place::part(value, *step))?;
    let inner = inner.iter().filter_map(|step| match step {
        PathStep::Key(key) => Some(*key),
        PathStep::Item(_) => None,
    });
    let wanted: Vec<&str> = inner.chain([key]).filter(|key| !LANGUAGES.contains(key)).collect();
    let mut text = Markup::new();
    texts(&mut text, value, &wanted);
    match text.is_empty() {
        true => Some(Hover { range, text: describe_field(slot) }),
        false => Some(Hover { range, text }),
    }
}

/// Adds the texts whose path begins with `wanted`.
pub(super) fn texts(markup: &mut Markup, value: &SpannedValue<'_>, wanted: &[&str]) {
    let Some((bundle, _)) = bundle::normalise(value) else { return };
    let localized = bundle.localized();
    let languages = localized.languages();
    if languages.len() < 2 && wanted.is_empty() {
        return;
    }
    let mut paths: Vec<&[SmolStr]> = Vec::new();
    for text in &localized.texts {
        let begins = text.path.iter().map(SmolStr::as_str).take(wanted.len()).eq(wanted.iter().copied());
        if begins && !paths.contains(&text.path.as_slice()) && paths.len() < ROWS_MAX {
            paths.push(&text.path);
        }
    }
    let has_paths = paths.iter().any(|path| !path.is_empty());
    let mut rows = Vec::new();
    for path in paths {
        for language in &languages {
            rows.extend(row(&localized, path, language, has_paths));
        }
    }
    rows.truncate(ROWS_MAX);
    if !rows.is_empty() {
        let head: &[&str] = if has_paths { &["key", "language", "text"] } else { &["language", "text"] };
        markup.table(head, &rows);
    }
}

fn row(localized: &Localized, path: &[SmolStr], language: &str, has_paths: bool) -> Option<Vec<Line>> {
    let of = |language: &str| {
        let is_meant = |text: &&LocalizedText| text.language == language && text.path == path;
        localized.texts.iter().find(is_meant)
    };
    let own = of(language);
    let text = own.or_else(|| of(FALLBACK_LANGUAGE))?;
    let shown = Line::new().text(&excerpt(&text.text));
    let cell = match own {
        Some(_) => shown,
        None => shown.prose(&format!(" (from `{FALLBACK_LANGUAGE}`)")),
    };
    let mut cells = vec![Line::new().code(language), cell];
    if has_paths {
        cells.insert(0, Line::new().code(&path.join(".")));
    }
    Some(cells)
}
