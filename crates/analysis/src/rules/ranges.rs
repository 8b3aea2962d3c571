//! Places that rules point at: the first line of something, a name inside a longer text, the
//! declaration that a name leads to.

use nodewise_model::{Declaration, Origin};
use nodewise_syntax::{TextRange, TextSize};

use crate::index::Declared;
use crate::rule::Context;

/// The text at a place in its file.
pub(in crate::rules) fn source<'a>(context: &Context<'a>, at: Origin) -> &'a str {
    let text = context.source(at.source).map_or("", |file| &*file.text);
    text.get(usize::from(at.range.start())..usize::from(at.range.end())).unwrap_or_default()
}

/// The first line of the text at a place.
pub(in crate::rules) fn first_line(context: &Context<'_>, at: Origin) -> Origin {
    let line = source(context, at).lines().next().unwrap_or_default().trim_end();
    Origin::new(at.source, TextRange::at(at.range.start(), TextSize::of(line)))
}

/// The place of `part` inside the text at `at`, if it occurs there exactly once. `None` for an alias, whose text is
/// elsewhere.
pub(in crate::rules) fn part(context: &Context<'_>, at: Origin, part: &str) -> Option<Origin> {
    let text = source(context, at);
    if part.is_empty() || text.starts_with('*') {
        return None;
    }
    let start = text.find(part).filter(|start| text.rfind(part) == Some(*start))?;
    let start = at.range.start() + TextSize::try_from(start).ok()?;
    Some(Origin::new(at.source, TextRange::at(start, TextSize::of(part))))
}

/// The place of a declaration's name.
pub(in crate::rules) fn declaration(context: &Context<'_>, declared: Declared) -> Option<Origin> {
    let declaration = of(context, declared)?;
    Some(declaration.name.as_ref().map_or(declaration.head, |name| name.at))
}

/// The place of a declared name. Every edit before it moves it, so this records that the file was looked at.
pub(in crate::rules) fn name(context: &Context<'_>, declared: Declared) -> Option<Origin> {
    context.source(declared.at.source).map(|_| declared.at)
}

/// The declaration of the document that declares something.
pub(in crate::rules) fn of<'a>(context: &Context<'a>, declared: Declared) -> Option<&'a Declaration> {
    let file = context.source(declared.document.source)?;
    let document = file.documents.get(declared.document.position as usize)?;
    document.effective.as_ref()?.declaration.as_ref()
}

/// Whether a text can be written in YAML with or without quotes and keeps its meaning.
pub(in crate::rules) fn is_word(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|first| first == '_' || first.is_alphabetic())
        && letters.all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.' | '/'))
        && !["null", "true", "false"].contains(&text.to_ascii_lowercase().as_str())
}
