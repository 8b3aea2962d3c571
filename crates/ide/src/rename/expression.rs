//! Renames names inside expressions. In: the expression's text, the ranges of the names, and their new texts. Out: the
//! edits of the text. Invariant: all other names in the expression stay the same.

use std::ops::Range;

use nodewise_dialect::table::Language;
use nodewise_expr::assist::rename_segment;
use nodewise_syntax::TextRange;

use nodewise_expr::language::{Named, NamedRole};

/// The edits of an expression, in reading order. `None` if its language cannot write a name.
pub(super) fn rewrite(
    language: Language,
    text: &str,
    changes: &[(Range<usize>, &str)],
) -> Option<Vec<(Range<usize>, String)>> {
    let names = language.names(text);
    let mut edited = text.to_owned();
    let mut edits = Vec::new();
    for (range, new_name) in changes.iter().rev() {
        let place =
            TextRange::new(u32::try_from(range.start).ok()?.into(), u32::try_from(range.end).ok()?.into());
        let named = names.iter().find(|named| named.range == place)?;
        let (range, written) = match named.role {
            NamedRole::State => {
                let edit = rename_segment(language, &edited, place, new_name)?;
                (Range::<usize>::from(edit.range), edit.text)
            }
            NamedRole::Route | NamedRole::Function => {
                (range.clone(), result(language, &edited, named, new_name)?)
            }
        };
        edited.replace_range(range.clone(), &written);
        edits.push((range, written));
    }
    edits.reverse();
    Some(edits)
}

/// A result of an expression, or its function: bare if possible, else in quotes.
fn result(language: Language, text: &str, named: &Named, new_name: &str) -> Option<String> {
    let outline = |text: &str| -> Vec<(NamedRole, String)> {
        language.names(text).into_iter().map(|named| (named.role, named.name.to_string())).collect()
    };
    let mut wanted = outline(text);
    let position = language.names(text).iter().position(|found| found == named)?;
    wanted.get_mut(position)?.1 = new_name.to_owned();
    let candidates = [new_name.to_owned(), format!("'{new_name}'"), format!("\"{new_name}\"")];
    candidates.into_iter().find(|candidate| {
        let mut edited = text.to_owned();
        edited.replace_range(Range::<usize>::from(named.range), candidate);
        outline(&edited) == wanted
    })
}
