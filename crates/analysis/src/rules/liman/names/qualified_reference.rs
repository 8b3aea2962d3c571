//! What the rules about `Kind/name` and `Kind:name` texts share: what the author probably meant.

use nodewise_dialect::table::Dialect;
use nodewise_model::{NameScope, Origin};

use crate::diagnostic::Finding;
use crate::rule::Context;
use crate::rules::ranges;
use crate::rules::wording::short;
use crate::suggest::nearest;

/// The kind in a text `Kind:name`, if there is no such kind. In `Kind/name`, an unknown kind makes the reference invalid
/// instead.
pub(in crate::rules) fn unknown_kind<'a>(
    dialect: &Dialect,
    text: &'a str,
    separator: char,
) -> Option<&'a str> {
    let (word, name) = text.split_once(separator).filter(|_| separator == ':')?;
    let well_formed = !word.trim().is_empty() && !name.trim().is_empty();
    (well_formed && dialect.kind(word).is_none()).then_some(word)
}

/// The message about a text that is not of the form `Kind<separator>name`. For a value that is not a text, `text` describes
/// the value.
pub(in crate::rules) fn fault(
    context: &Context<'_>,
    key: &str,
    (at, text): (Origin, &str),
    separator: char,
) -> String {
    if ranges::source(context, at).contains(text) {
        format!("`{key}` takes `Kind{separator}name`, not `{}`", short(text))
    } else {
        format!("`{key}` takes `Kind{separator}name`, not {}", short(text))
    }
}

/// Adds help and a fix for what the text at `at` probably means.
pub(in crate::rules) fn suggest(
    context: &Context<'_>,
    finding: Finding,
    (at, text): (Origin, &str),
    scope: &NameScope,
    separator: char,
) -> Finding {
    match meant(context, text, scope, separator) {
        Some(meant) => {
            let place = ranges::part(context, at, text);
            let finding = finding.help(format!("write `{meant}`"));
            match place.filter(|_| meant.split(separator).all(ranges::is_word)) {
                Some(place) => finding.fix(format!("Write `{meant}`"), false, place, meant),
                None => finding,
            }
        }
        None => {
            let kinds = scope.kinds.join(", ");
            finding.help(format!("write the kind, `{separator}` and the name; the kinds are {kinds}"))
        }
    }
}

/// The probable meaning: a declared name without its kind, with another separator, or with a misspelt kind.
fn meant(context: &Context<'_>, text: &str, scope: &NameScope, separator: char) -> Option<String> {
    let fitting = |name: &str| {
        let mut kinds = context.index.declared(name).iter().map(|declared| declared.kind);
        let first = kinds.find(|kind| scope.kinds.contains(kind))?;
        kinds.all(|kind| kind == first || !scope.kinds.contains(&kind)).then_some(first)
    };
    if let Some(kind) = fitting(text) {
        return Some(format!("{kind}{separator}{text}"));
    }
    let (kind, name) = text.split_once(['/', ':'])?;
    let name = name.trim();
    let kind = nearest(kind.trim(), scope.kinds.iter().copied())?;
    let readable = !name.is_empty() && !name.contains(['/', ':']);
    let meant = format!("{kind}{separator}{name}");
    (readable && meant != text).then_some(meant)
}
