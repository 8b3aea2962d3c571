//! Renames a part of a path.
//!
//! Input: a language, a text, the range of a name in one of its paths, a new name; output: the edit. Invariant: the
//! edited text reads the same paths as before, except for that name.

use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use crate::language::{Language, PathUse};
use crate::problem::Replacement;
use crate::text::slice;

/// The edit that renames a part of a path. It replaces the name, or writes it with brackets and quotes if the
/// language has them and the name needs them. `None` if the language cannot write the name, or no path has a name
/// there.
pub fn rename_segment(language: Language, text: &str, segment: TextRange, name: &str) -> Option<Replacement> {
    let before = language.paths(text);
    let is_there = |path: &PathUse| path.segments.iter().any(|part| part.range == segment);
    if !before.iter().any(is_there) {
        return None;
    }
    let wanted = outline(&before, Some((segment, name)));
    let was_accepted = language.accepts(text);
    candidates(language, text, segment, name).into_iter().find(|candidate| {
        let edited = apply(text, candidate);
        outline(&language.paths(&edited), None) == wanted && (!was_accepted || language.accepts(&edited))
    })
}

/// The possible spellings of a name, the plainest first.
fn candidates(language: Language, text: &str, segment: TextRange, name: &str) -> Vec<Replacement> {
    let plain = Replacement { range: segment, text: name.to_owned() };
    let dot = segment.start().checked_sub(TextSize::of('.'));
    let with_dot = dot.map(|dot| TextRange::new(dot, segment.end()));
    let before = text.get(..usize::from(segment.start())).unwrap_or_default();
    let mut candidates = vec![plain];
    if language.is_path() {
        for quoted in [format!("['{name}']"), format!("[\"{name}\"]")] {
            if before.trim().is_empty() {
                candidates.push(Replacement { range: segment, text: format!("${quoted}") });
            } else if let Some(range) = with_dot.filter(|range| slice(text, *range).starts_with('.')) {
                let descends = before.ends_with("..");
                candidates.push(Replacement { range: if descends { segment } else { range }, text: quoted });
            } else if before.ends_with('[') {
                // For an index or a plain name in brackets, the brackets stay.
                let inner = quoted.trim_start_matches('[').trim_end_matches(']').to_owned();
                candidates.push(Replacement { range: segment, text: inner });
            }
        }
    }
    candidates
}

/// The names of all paths; `changed` replaces one of them.
fn outline(paths: &[PathUse], changed: Option<(TextRange, &str)>) -> Vec<(Vec<SmolStr>, bool)> {
    let names = |path: &PathUse| {
        let segments = path.segments.iter();
        segments
            .map(|segment| match changed {
                Some((range, name)) if range == segment.range => SmolStr::new(name),
                _ => segment.name.clone(),
            })
            .collect()
    };
    paths.iter().map(|path| (names(path), path.is_read)).collect()
}

fn apply(text: &str, edit: &Replacement) -> String {
    let before = text.get(..usize::from(edit.range.start())).unwrap_or_default();
    let after = text.get(usize::from(edit.range.end())..).unwrap_or_default();
    format!("{before}{}{after}", edit.text)
}
